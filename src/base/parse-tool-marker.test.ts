import { expect, it } from 'vitest';
import { parseToolMarkers } from './parse-tool-marker.ts';

it('[L13] a text without a marker holds no call', () => {
  expect(parseToolMarkers('nothing here, not even [TOOL:] or [TOOL: half {"a": 1')).toEqual([]);
});

it('[L13] a marker gives name and JSON as written, several are found in order', () => {
  const text = 'First [TOOL: read_file {"path": "a.txt"}] then [TOOL:get_local_time] done';
  expect(parseToolMarkers(text).map(({ tool, input }) => [tool, input])).toEqual([
    ['read_file', '{"path": "a.txt"}'],
    ['get_local_time', '{}'],
  ]);
});

it('nested objects, brackets and quotes inside strings do not end it early', () => {
  const input = String.raw`{"a": {"b": "]} \" }"}, "c": ["x", {"d": 1}]}`;
  expect(parseToolMarkers(`x [TOOL: t ${input} ] y`)).toMatchObject([{ tool: 't', input }]);
});

it('a hundred thousand openings are read in linear time', () => {
  expect(parseToolMarkers('[TOOL: x '.repeat(100_000))).toEqual([]);
});
