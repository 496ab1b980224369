import { expect, test } from 'vitest';
import tool from './send-notification.ts';

const context = {
  signal: new AbortController().signal,
  conversation: { id: 'talk', workspace: '/', isThrowaway: false },
  calledAs: 'send_notification',
  emit: () => undefined,
};

test('[K29] the tool is on by default, needs no question, and is named after the program where it has no title', async () => {
  const seen: unknown[] = [];
  const notifications = {
    send: (notice: { readonly title: string; readonly message: string }) => {
      seen.push(notice);
      return Promise.resolve({ id: 'n1', ways: ['browser', 'desktop'] as const });
    },
  };
  const { text, data } = await tool.run({ message: 'The tests are green.' }, { notifications }, context);
  expect(seen).toEqual([{ title: 'Handrail', message: 'The tests are green.' }]);
  expect(text).toBe('Notification sent to open pages and the desktop.');
  expect(data).toEqual({
    success: true,
    notification_id: 'n1',
    message: text,
    shown_on: ['browser', 'desktop'],
  });
  expect(tool.output?.safeParse(data).success).toBe(true);
  expect(tool.access({ message: 'a' })).toEqual([{ kind: 'none' }]);
  expect({ ...tool }.enabledByDefault).toBeUndefined();
});
