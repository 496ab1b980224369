import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTyped } from './typed-keys.ts';

const key = (name: string) => ({ kind: 'key', name }) as const;
const text = (written: string) => ({ kind: 'text', text: written }) as const;

test.each([
  ['ls<enter>', [text('ls'), key('enter')]],
  ['1+1\n', [text('1+1'), key('enter')]],
  ['a\r\nb\r', [text('a'), key('enter'), text('b'), key('enter')]],
  ['<ctrl-c><CTRL-Z><c-a>', [key('ctrl-c'), key('ctrl-z'), key('ctrl-a')]],
  ['<Esc>:wq<Return>', [key('esc'), text(':wq'), key('enter')]],
  ['\x03\x1b\t\x7f', [key('ctrl-c'), key('esc'), key('tab'), key('backspace')]],
  ['<alt-B><alt-enter><shift-tab><ctrl-left>', [key('alt-B'), key('alt-enter'), key('shift-tab'), key('ctrl-left')]],
  ['<ctrl-j><ctrl-m><ctrl-[>', [key('enter'), key('enter'), key('esc')]],
  ['<lt>enter>', [text('<'), text('enter>')]],
  ['a<b>c <div> 1<2 <f13>', [text('a<b>c <div> 1<2 <f13>')]],
  ['a<space>b', [text('a'), text(' '), text('b')]],
  ['', []],
])('%j is read', (input, typed) => {
  expect(readTyped(input)).toEqual(typed);
});

test('every text means something, and nothing of it is lost but the spelling of keys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (input) => {
      const plain = input.replaceAll(/[<>]/g, '').replaceAll(/\p{Cc}/gu, '');
      expect(readTyped(plain)).toEqual(plain === '' ? [] : [text(plain)]);
      expect(() => readTyped(input)).not.toThrow();
    }),
  );
});
