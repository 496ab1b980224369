/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): one way, and easy to pick up again. */

/** One reader of a stream. */
export type Follower = {
  /** Frames as soon as there are some; none when `maxMs` have passed; undefined when nothing will come any more. */
  next(maxMs: number): Promise<readonly string[] | undefined>;
  close(): void;
};

const heartbeatMs = 15_000;
const retryMs = 1_000;

export function frameOf(data: unknown, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Frames are fetched only as fast as the reader takes them: a slow one holds up nobody and fills no memory. */
export function streamResponse(follower: Follower): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // At once, so that the page knows that the stream stands.
      controller.enqueue(encoder.encode(`retry: ${retryMs}\n\n`));
    },
    async pull(controller) {
      const frames = await follower.next(heartbeatMs);
      if (frames === undefined) return controller.close();
      controller.enqueue(encoder.encode(frames.length === 0 ? ': still here\n\n' : frames.join('')));
    },
    cancel: () => follower.close(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}
