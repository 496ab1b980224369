import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ownConversation } from './own-conversation.ts';

const place = `test ${process.pid} ${Math.random()}`;

it('a conversation has one owner at a time; a released one can be taken again', async () => {
  const release = await ownConversation(place, 'c1');
  await expect(ownConversation(place, 'c1')).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('Another turn of this program is working in the conversation c1.') as string,
  });
  const other = await ownConversation(place, 'c2');
  const elsewhere = await ownConversation(`${place} elsewhere`, 'c1');
  await release();
  const again = await ownConversation(place, 'c1');
  await Promise.all([other(), elsewhere(), again()]);
});

it('a killed owner leaves nothing that stands in the way', async () => {
  const source = path.join(import.meta.dirname, 'own-conversation.ts');
  const script = `const { ownConversation } = await import(${JSON.stringify(source)}); await ownConversation(${JSON.stringify(place)}, 'c3'); console.log('mine'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(ownConversation(place, 'c3')).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining(`Another process (${child.pid}: --input-type=module`) as string,
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const release = await ownConversation(place, 'c3');
  await release();
});
