/** Cuts a byte stream into lines of bounded length. A line that is too long is passed over without being kept. */

export type Line =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** `id`: that of the JSON-RPC request in it, when its place at the very start or end gives it away. */
  | { readonly kind: 'too-long'; readonly totalBytes: number; readonly id: string | number | undefined };

export type LineReader = {
  push(chunk: Buffer): readonly Line[];
  /** What stood behind the last newline. */
  end(): readonly Line[];
};

const newline = 0x0a;
const edgeBytes = 256;

export function createLineReader(maxLineBytes: number): LineReader {
  let pieces: Buffer[] = [];
  let totalBytes = 0;

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        keep(chunk.subarray(from, at));
        lines.push(take());
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
      return lines;
    },
    end() {
      return totalBytes === 0 ? [] : [take()];
    },
  };

  function keep(piece: Buffer): void {
    pieces.push(piece);
    totalBytes += piece.length;
    // Over the limit only the two edges are of use, and a gigabyte without a newline must not fill the memory.
    if (totalBytes > maxLineBytes) {
      const all = Buffer.concat(pieces);
      if (all.length > 2 * edgeBytes)
        pieces = [all.subarray(0, edgeBytes), all.subarray(all.length - edgeBytes)].map((edge) => Buffer.from(edge));
    }
  }

  function take(): Line {
    const bytes = Buffer.concat(pieces);
    const line: Line =
      totalBytes > maxLineBytes ? { kind: 'too-long', totalBytes, id: edgeId(bytes) } : { kind: 'line', bytes };
    pieces = [];
    totalBytes = 0;
    return line;
  }
}

const idPattern = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)`;
const idFirst = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${idPattern}\s*,`);
// One closing brace and then nothing: only the outermost object can end so.
const idLast = new RegExp(String.raw`,\s*${idPattern}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);
const methodSecond = new RegExp(
  String.raw`^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"method"\s*:\s*"[^"]*"\s*,\s*${idPattern}\s*,`,
);

/** So that a client whose message was refused hears of it instead of waiting: clients write the id near an edge. */
function edgeId(edges: Buffer): string | number | undefined {
  const text = edges.toString('latin1');
  const found = (idFirst.exec(text) ?? methodSecond.exec(text) ?? idLast.exec(text))?.[1];
  if (found === undefined) return undefined;
  const id: unknown = JSON.parse(found);
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
