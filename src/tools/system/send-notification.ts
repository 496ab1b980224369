/** send_notification: a line to a person who is not looking. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';

export default defineTool({
  title: 'Send notification',
  description:
    'Shows a notification on the desktop and the signed-in devices of the user. For what they wait for or must know now, not for answers.',
  input: z.strictObject({
    message: z.string().min(1).max(4_000).describe('what to say, one or two sentences'),
    title: z.string().max(200).optional().describe('omitted: the name of this program'),
  }),
  output: z.object({
    success: z.boolean(),
    notification_id: z.string(),
    message: z.string(),
    shown_on: z.array(z.enum(['desktop', 'browser'])),
  }),
  needs: ['notifications'],
  // It reaches nobody but the user, and the service counts how often.
  access: () => [{ kind: 'none' }],
  effect: 'once',
  summary: ({ message }) => oneLine(message),
  async run({ title, message }, { notifications }) {
    const { id, ways } = await notifications.send({ title: title ?? 'Handrail', message });
    const places = ways.map((way) => (way === 'desktop' ? 'the desktop' : 'open pages')).join(' and ');
    const said = `Notification sent to ${places}.`;
    return { text: said, data: { success: true, notification_id: id, message: said, shown_on: [...ways] } };
  },
});
