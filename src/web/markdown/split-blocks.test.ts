import { expect, test } from 'vitest';
import { splitBlocks } from './split-blocks.ts';

test('paragraphs, headings and code are blocks of their own', () => {
  expect(splitBlocks('# One\n\nTwo\nthree\n\n```js\na\n\nb\n```\n\nfour')).toEqual([
    '# One\n',
    'Two\nthree\n',
    '```js\na\n\nb\n```\n',
    'four',
  ]);
});

test('a list with room between its items stays one list', () => {
  const list = '1. one\n\n   more\n\n2. two\n\n3. three';
  expect(splitBlocks(`${list}\n\nafter`)).toEqual([`${list}\n`, 'after']);
});

test('a code block that is still open swallows what follows', () => {
  expect(splitBlocks('a\n\n~~~\nb\n\n```\n\nc')).toEqual(['a\n', '~~~\nb\n\n```\n\nc']);
});

test('a formula that stands on lines of its own is one block, with the empty lines in it', () => {
  expect(splitBlocks('a\n\n$$\nx\n\ny\n$$\n\nb\n\n\\[\nx\n\ny\n\\]\n\nc')).toEqual([
    'a\n',
    '$$\nx\n\ny\n$$\n',
    'b\n',
    '\\[\nx\n\ny\n\\]\n',
    'c',
  ]);
});

test('a text whose links are defined elsewhere in it is not cut', () => {
  const text = 'see [it]\n\n[it]: https://example.org';
  expect(splitBlocks(text)).toEqual([text]);
});

test('however far a text has streamed, the blocks before the last one stay as they are', () => {
  const text = '# A\n\nB\n\n- c\n\n- d\n\n```\ne\n\nf\n```\n\ng\n\nh';
  let before: readonly string[] = [];
  for (let length = 1; length <= text.length; length += 1) {
    const blocks = splitBlocks(text.slice(0, length));
    // A line end more or less does not change what is drawn.
    expect(blocks.slice(0, before.length - 1).map((each) => each.trimEnd())).toEqual(
      before.slice(0, -1).map((each) => each.trimEnd()),
    );
    before = blocks;
  }
});
