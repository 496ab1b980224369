import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { guardOutput } from './guard-output.ts';
import { printAll } from './print-all.ts';

/** A stream whose writes fail as the kernel fails them. */
function failing(code: string): NodeJS.WriteStream {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });
  return stream as unknown as NodeJS.WriteStream;
}

function collecting(): { stream: NodeJS.WriteStream; text(): string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

it('a reader that has seen enough is no failure', async () => {
  const stdout = failing('EPIPE');
  const stderr = collecting();
  const guard = guardOutput(stdout, stderr.stream);
  await printAll(stdout, 'text');
  expect([guard.end(0), stderr.text()]).toEqual([0, '']);
});

it('output that is lost on a full disk is said in one line, and the command has not succeeded', async () => {
  const stdout = failing('ENOSPC');
  const stderr = collecting();
  const guard = guardOutput(stdout, stderr.stream);
  await printAll(stdout, 'text');
  expect([guard.end(0), guard.end(2)]).toEqual([1, 2]);
  expect(stderr.text()).toMatch(/^handrail: [^\n]*disk is full[^\n]*\n/u);
});

it('a standard error that cannot be written either ends nothing', async () => {
  const [stdout, stderr] = [failing('ENOSPC'), failing('ENOSPC')];
  const guard = guardOutput(stdout, stderr);
  await printAll(stdout, 'text');
  await printAll(stderr, 'text');
  expect(guard.end(0)).toBe(1);
});
