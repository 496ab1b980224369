/**
 * Formulas as MathML, loaded with the first one. They are built as elements from temml's tree, of a fixed list of elements and
 * attributes: whatever a formula says, it can load nothing, lead nowhere and dress up as nothing else.
 */
import { createElement, Fragment, type ReactNode } from 'react';
import type { Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import temml from 'temml';

// https://www.w3.org/TR/mathml-core/, without `semantics` and `maction`.
const elements = new Set(
  'math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
    ' ',
  ),
);
const attributes = new Set(
  'accent accentunder columnspan display displaystyle fence form height depth voffset largeop linethickness lspace mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric width columnalign rowspacing columnspacing'.split(
    ' ',
  ),
);
/** Of tables: how far cells stand apart. Colours are the page's own. */
const styles = new Set(['paddingLeft', 'paddingRight', 'paddingTop', 'paddingBottom', 'textAlign']);

type PluggableList = NonNullable<Options['remarkPlugins']>;

/** A size that would push the page around is none. */
const maxSizeEm: [number, number] = [20, 50];

export const withMaths: PluggableList = [remarkGfm, [remarkMath, { singleDollarTextMath: false }]];

// Its types are written for CommonJS; the module that is loaded has its functions in the default export.
const { __renderToMathMLTree: readFormula } = temml as unknown as typeof temml.default;

/** Undefined: it is no formula that is understood. */
export function drawFormula(tex: string, isDisplay: boolean): ReactNode {
  try {
    const options = { displayMode: isDisplay, throwOnError: true, trust: false, maxExpand: 500, maxSize: maxSizeEm };
    return draw(readFormula(tex, options) as unknown, 0);
  } catch {
    // Half a formula while it streams, or a command that is not known: it is shown as it was written.
    return undefined;
  }
}

type TreeNode = {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly style?: Readonly<Record<string, unknown>>;
  readonly children?: readonly unknown[];
};

function draw(node: unknown, key: number): ReactNode {
  const { type, text, attributes: given = {}, style = {}, children } = node as TreeNode;
  if (typeof text === 'string' && text !== '' && children === undefined) return text;
  const drawn = (children ?? []).map(draw);
  if (type === undefined || type === '') return createElement(Fragment, { key }, ...drawn);
  if (typeof type !== 'string' || !elements.has(type)) throw new Error(`A formula may not hold <${String(type)}>.`);
  const props = { ...pick(given, attributes), style: pick(style, styles), key };
  return createElement(type, props, ...drawn);
}

const pick = (given: Readonly<Record<string, unknown>>, allowed: ReadonlySet<string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      allowed.has(name) && (typeof value === 'string' || typeof value === 'number') ? [[name, String(value)]] : [],
    ),
  );
