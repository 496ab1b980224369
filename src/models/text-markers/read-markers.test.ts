import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkerReader, type MarkerPiece } from './read-markers.ts';

function read(chunks: readonly string[], isCut = false): MarkerPiece[] {
  const reader = createMarkerReader();
  const pieces = chunks.flatMap((chunk) => reader.feed(chunk));
  return [...pieces, ...reader.end(isCut)];
}

const callsOf = (pieces: readonly MarkerPiece[]) =>
  pieces.flatMap((piece) => (piece.type === 'call' ? [[piece.tool, piece.input]] : []));
const textOf = (pieces: readonly MarkerPiece[]) =>
  pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
const calls = (text: string) => callsOf(read([text]));

describe('a marker', () => {
  it('[L14] is a call at the beginning of a line, with its arguments as written', () => {
    const pieces = read(['Let me look.\n[TOOL: read_file { "path" : "a b.txt" }]']);
    expect(pieces).toEqual([
      { type: 'text', text: 'Let me look.\n' },
      { type: 'call', tool: 'read_file', input: '{ "path" : "a b.txt" }' },
    ]);
  });

  it.each([
    ['several, below each other and on one line', '[TOOL: a {}]\n\n  [TOOL: b {"x": 1}] [TOOL: c]\n', ['a', 'b', 'c']],
    ['without arguments', '[TOOL:get_local_time]', ['get_local_time']],
    ['over several lines', '[TOOL: a\n{\n  "x": [1, 2],\n  "y": "z"\n}\n]', ['a']],
    ['with raw line breaks in a string', '[TOOL: write {"text": "one\n[TOOL: b {}]\ntwo"}]', ['write']],
    ['behind one that is no marker', '[TOOL: two words]\n[TOOL: a\n[TOOL: b {}]', ['b']],
    ['with carriage returns', 'x\r\n[TOOL: a {}]\r\n[TOOL: b {}]\r\n', ['a', 'b']],
  ])('may come %s', (_, text, names) => {
    expect(calls(text).map(([name]) => name)).toEqual(names);
  });

  it('has braces, brackets, quotes and escapes in its strings', () => {
    const input = String.raw`{"a": {"b": "]} \" }\\"}, "c": ["x]\n", {"d": "[TOOL: no {}]"}]}`;
    expect(calls(`[TOOL: t ${input} ]`)).toEqual([['t', input]]);
  });
});

describe('no call is', () => {
  it.each([
    ['one in the middle of a line', 'Write [TOOL: a {}] to call it.'],
    ['one in a quotation', '> [TOOL: a {}]'],
    ['one in a list', '- [TOOL: a {}]\n1. [TOOL: a {}]'],
    ['one in inline code', '`[TOOL: a {}]`\n``[TOOL: a {}]``'],
    ['one in a fence', '```\n[TOOL: a {}]\n```'],
    ['one in a fence with a name, of tildes, longer, in a list, quoted, never closed', [
      '```text\n[TOOL: a {}]\n```', '~~~\n[TOOL: a {}]\n```\n~~~', '````\n```\n[TOOL: a {}]\n````',
      '- ```\n  [TOOL: a {}]\n  ```', '> ```\n[TOOL: a {}]\n> ```', '```\n[TOOL: a {}]',
    ].join('\n')],
    ['one in indented code', '    [TOOL: a {}]\n\t[TOOL: a {}]'],
    ['one that a model thinks of', '<think>\n[TOOL: a {}]\n</think>\nNo.'],
    ['one in code of HTML and in what was read', '<pre>\n[TOOL: a {}]\n</pre>\n<result of="x">\n[TOOL: a {}]\n</result>'],
    ['other writing', '[tool: a {}]\n[TOOL a {}]\n[TOOL: ]\n[TOOL: {}]\n[TOOLS: a {}]\n[TOOL : a {}]'],
    ['an object with other words behind it', '[TOOL: a {"x": 1} is how it looks'],
  ])('%s', (_, text) => {
    expect(read([text])).toEqual([{ type: 'text', text }]);
  }); // prettier-ignore

  it('one that an answer was cut off in, nor what it quotes', () => {
    for (const text of ['[TOOL: wri', '[TOOL: write {"text": "x\n[TOOL: a {}]\n', '[TOOL: a {"x": 1}']) {
      expect(textOf(read([text], true))).toBe(text);
      expect(callsOf(read([text], true))).toEqual([]);
    }
  });

  it('a line behind code that is closed again is one', () => {
    expect(calls('```sh\nls\n```\n[TOOL: a {}]')).toEqual([['a', '{}']]);
    expect(calls('<think>hm</think>\n[TOOL: a {}]')).toEqual([['a', '{}']]);
    expect(calls('Use ```this``` so:\n[TOOL: a {}]')).toEqual([['a', '{}']]);
  });
});

describe('broken arguments', () => {
  it.each([
    ['a string that stays open', '[TOOL: a {"x": "y]\n[TOOL: b {}]', '{"x": "y]\n[TOOL: b {}]'],
    ['an object that stays open', '[TOOL: a {"x": 1]', '{"x": 1]'],
    ['one brace too many', '[TOOL: a {"x": 1}}]', '{"x": 1}}'],
    ['no bracket at the end of the answer', '[TOOL: a {"x": 1}', '{"x": 1}'],
    ['no bracket at the end of the line', '[TOOL: a {"x": 1}\nDone.', '{"x": 1}'],
    ['no JSON at all', '[TOOL: a {path: a.txt}]', '{path: a.txt}'],
  ])('with %s are a call, so that the model hears what is wrong', (_, text, input) => {
    expect(calls(text)).toEqual([['a', input]]);
  });
});

describe('streaming', () => {
  it('gives out text at once and holds back what may be a marker', () => {
    const reader = createMarkerReader();
    expect(reader.feed('Look')).toEqual([{ type: 'text', text: 'Look' }]);
    expect(reader.feed('ing.\n[TO')).toEqual([{ type: 'text', text: 'ing.\n' }]);
    expect(reader.feed('OL: read_file {"pa')).toEqual([]);
    expect(reader.feed('th": "a"}')).toEqual([]);
    expect(reader.feed(']\nthen')).toEqual([
      { type: 'call', tool: 'read_file', input: '{"path": "a"}' },
      { type: 'text', text: 'then' },
    ]);
    expect(reader.feed('\n[TOD')).toEqual([{ type: 'text', text: '\n[TOD' }]);
  });

  it('reads the same whatever pieces the text comes in', () => {
    const lump = fc.constantFrom('[TOOL: a {"x": "]"}]', '[TOOL: b', '```', '~~~', '`', '\n', '\r\n', ' ', '    ', '{', '}', ']', '"', '\\', '<think>', '</think>', '- ', '> ', '[TOOL:', 'word'); // prettier-ignore
    const text = fc.array(lump, { maxLength: 20 }).map((lumps) => lumps.join(''));
    const cuts = fc.array(fc.nat(200), { maxLength: 12 });
    fc.assert(
      fc.property(text, cuts, fc.boolean(), (whole, places, isCut) => {
        const ends = [...new Set([...places.filter((at) => at < whole.length), whole.length])].sort((a, b) => a - b);
        const chunks = ends.map((end, at) => whole.slice(ends[at - 1] ?? 0, end));
        const pieces = read(chunks, isCut);
        expect(callsOf(pieces)).toEqual(callsOf(read([whole], isCut)));
        expect(textOf(pieces)).toBe(textOf(read([whole], isCut)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('five megabytes of arguments in small pieces, and a hundred thousand openings, take linear time', () => {
    const long = `[TOOL: write {"text": "${'{[]}x'.repeat(1_000_000)}"}]`;
    const chunks = Array.from({ length: Math.ceil(long.length / 20) }, (_, at) => long.slice(at * 20, at * 20 + 20));
    expect(callsOf(read(chunks))[0]?.[1]).toHaveLength(long.length - '[TOOL: write ]'.length);
    expect(calls('[TOOL: x '.repeat(100_000))).toEqual([]);
    expect(calls('[TOOL: x {\n'.repeat(100_000))).toHaveLength(1);
    expect(calls('[TOOL: x {}]\n'.repeat(100_000))).toHaveLength(100_000);
  });
});
