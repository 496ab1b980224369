/** Reads server-sent events from a response: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */

export type StreamMessage = { readonly id: string; readonly data: string };

/**
 * Calls `onMessage` for each event and `onSign` for every piece that arrives, comments included. Resolves when the stream ends;
 * rejects when it breaks.
 */
export async function readStream(
  body: ReadableStream<Uint8Array>,
  { onMessage, onSign }: { readonly onMessage: (message: StreamMessage) => void; readonly onSign: () => void },
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as never as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  let id = '';
  let data: string[] = [];
  const takeLine = (line: string): void => {
    if (line === '') {
      if (data.length > 0) onMessage({ id, data: data.join('\n') });
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    if (name === 'id') id = value;
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    const lines = (rest + value).split(/\r\n|\n|\r(?=[^\n])/);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
  }
}
