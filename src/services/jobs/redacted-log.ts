/** A job's log without secrets: what is written has been looked through, wherever the pipe has cut it. */
import type { Redactor } from '../../contract/redaction.ts';
import type { LogWriter } from './write-log.ts';

/** What could be the beginning of a secret waits for more; a question that ends with "password:" is to be seen all the same. */
const waitMs = 500;

export function withoutSecrets(log: LogWriter, redactor: Redactor): LogWriter {
  let stream = redactor.redactStream();
  let timer: NodeJS.Timeout | undefined;

  // One character for each byte: what is no text comes out as it went in.
  const write = (text: string): void => {
    if (text !== '') log.write(Buffer.from(text, 'latin1'));
  };
  const flush = (): void => {
    clearTimeout(timer);
    if (stream.waits) write(stream.rest());
    stream = redactor.redactStream();
  };

  return {
    write(bytes) {
      clearTimeout(timer);
      const { text, after } = stream.next(bytes.toString('latin1'));
      stream = after;
      write(text);
      if (after.waits) timer = setTimeout(flush, waitMs);
    },
    totals() {
      flush();
      return log.totals();
    },
    beginning: log.beginning,
    close() {
      flush();
      log.close();
    },
  };
}
