/** Foreign text made safe for a terminal: nothing that moves the cursor, hides, reorders or talks to the terminal gets through. */
import { escapeInvisible } from '../../base/escape-invisible.ts';

/**
 * For what models say and files hold. Line ends become "\n", tabs become spaces, spaces of other kinds plain ones; what
 * makes emoji and joined scripts readable stays; every other control or invisible character is shown as an escape.
 */
export function cleanText(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replace(/\r\n/g, '\n')
    .split(joiners)
    .map((part, index) => (index % 2 === 1 ? part : escapeInvisible(part.replace(otherSpaces, ' '), 'lines')))
    .join('')
    .replace(/^.*\t.*$/gm, expandTabs);
}

/** For what commands print. Their colours are dropped, and an overwritten line ("\r") becomes a line, so that nothing is hidden. */
export function cleanOutput(text: string): string {
  if (plain.test(text)) return text;
  return cleanText(text.replace(decoration, '').replace(/\r+\n/g, '\n').replace(/\r+/g, '\n'));
}

/** For one line of the screen: line ends are shown as "⏎". */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .trim();
}

const plain = /^[\u0020-\u007e\n]*$/;

// Only what these sequences look like is lost with them: SGR (ECMA-48 8.3.117), erase in line (8.3.41), cursor shown or hidden.
// eslint-disable-next-line no-control-regex
const decoration = /\u001b\[(?:[\d;:]*m|[012]?K|\?25[hl])/g;

const otherSpaces = /[\u00a0\u2000-\u200a\u202f\u205f]/g;

// A variation selector or zero-width joiner inside an emoji, and a joiner between letters of scripts that need it (Persian,
// Devanagari …): UTS 51 and UAX 31 name these as their proper places. Between Latin letters they only hide.
const joiners =
  /((?<=[\p{Extended_Pictographic}#*0-9])\ufe0f|(?<=[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}])[\u200c\u200d]|\u3000)/gu;

const tabWidth = 4;

function expandTabs(line: string): string {
  let column = 0;
  return [...line]
    .map((character) => {
      const shown = character === '\t' ? ' '.repeat(tabWidth - (column % tabWidth)) : character;
      column += shown.length;
      return shown;
    })
    .join('');
}
