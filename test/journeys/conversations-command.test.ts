/** `handrail conversations`, through the real program. */
import { describe, expect, it } from 'vitest';
import { createProgramWorld } from '../kit/program.ts';

describe('handrail conversations', () => {
  it('[S07] lists what there is, and removes one with what belongs to it', async () => {
    const world = createProgramWorld();
    const call = ['run', 'get_local_time', '{}', '--json', '--conversation', 'to-remove'];
    expect((await world.run(call)).code).toBe(0);
    const listed = await world.run(['conversations', 'list', '--json']);
    const { conversations } = JSON.parse(listed.stdout) as { conversations: readonly { id: string }[] };
    expect(conversations.map(({ id }) => id)).toContain('to-remove');
    expect(await world.run(['conversations', 'remove', 'to-remove'])).toMatchObject({ code: 0 });
    expect((await world.run(['conversations'])).stdout).not.toContain('to-remove');
    const again = await world.run(['conversations', 'remove', 'to-remove']);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain('There is no conversation to-remove');
  });
});
