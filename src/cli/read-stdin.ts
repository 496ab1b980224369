/** Standard input as text, without waiting for somebody who never comes. */
import { fstatSync } from 'node:fs';
import { MisuseFailure } from '../contract/failure.ts';

/** A program that starts us may leave a socket open as standard input and never write to it. */
const silentSocketMs = 300;

/** To its end. Rejects with MisuseFailure for what is no UTF-8: to guess would change what the user meant. */
export async function readAllText(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new MisuseFailure(
      'Standard input is not valid UTF-8 text. Convert it first, for example: iconv -f LATIN1 -t UTF-8.',
      { cause: error },
    );
  }
}

/**
 * What was piped in, or undefined. A terminal has nothing; files and pipes are read to their end. A socket (how Node and
 * others start children) is read only when something arrives at once, unless `mustWait`.
 */
export async function readPipedInput(mustWait: boolean): Promise<string | undefined> {
  const stdin = process.stdin;
  if (stdin.isTTY === true) return undefined;
  const kind = stdinKind();
  if (kind === 'none') return undefined;
  if (kind === 'socket' && !mustWait && !(await becomesReadable(stdin))) return undefined;
  const text = await readAllText(stdin);
  return text === '' ? undefined : text;
}

function stdinKind(): 'stream' | 'socket' | 'none' {
  try {
    const info = fstatSync(0);
    if (info.isSocket()) return 'socket';
    return info.isFIFO() || info.isFile() ? 'stream' : 'none';
  } catch {
    // Closed standard input (`<&-`) holds nothing.
    return 'none';
  }
}

function becomesReadable(stdin: NodeJS.ReadStream): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (readable: boolean) => {
      clearTimeout(timer);
      stdin.off('readable', onReadable).off('end', onEnd);
      // Without this the open socket would keep the program alive after its work.
      if (!readable) stdin.unref();
      resolve(readable);
    };
    const onReadable = () => done(true);
    const onEnd = () => done(true);
    const timer = setTimeout(() => done(false), silentSocketMs);
    stdin.once('readable', onReadable).once('end', onEnd);
  });
}
