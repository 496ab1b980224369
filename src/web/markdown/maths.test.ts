import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { drawFormula } from './maths.ts';

/** Every element of it, with its attributes. */
function elementsOf(node: ReactNode): readonly ReactElement<Record<string, unknown>>[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (!isValidElement<Record<string, unknown>>(node)) return [];
  return [node, ...elementsOf(node.props['children'] as ReactNode)];
}

test('a formula becomes MathML', () => {
  const all = elementsOf(drawFormula('\\frac{a}{b} + \\sum_{i=0}^{n} i', true));
  expect(all[0]?.type).toBe('math');
  expect(all[0]?.props).toMatchObject({ display: 'block' });
  expect(all.map((each) => each.type)).toContain('mfrac');
});

test.each([
  '\\href{javascript:alert(1)}{x}',
  '\\url{https://evil.test}',
  '\\includegraphics{https://evil.test/x.png}',
  '\\htmlClass{btn}{x}',
  '\\class{btn}{x}',
  '\\id{main}{x}',
  '\\style{position:fixed}{x}',
  '\\data{a=b}{x}',
  '\\html{<img src=x onerror=alert(1)>}',
  '\\def\\x{\\x\\x}\\x',
  '\\frac{',
])('%j is not drawn, or holds nothing that loads, leads or dresses up', (tex) => {
  for (const { type, props } of elementsOf(drawFormula(tex, false))) {
    expect(['a', 'img', 'script', 'annotation-xml', 'svg']).not.toContain(type);
    const { children: _, style = {}, ...rest } = props;
    expect(Object.keys(rest).filter((name) => /^(on|href|src|class|id|data)/i.test(name))).toEqual([]);
    expect(Object.keys(style as object).filter((name) => !/^(padding|textAlign)/.test(name))).toEqual([]);
  }
});

test('markup in a formula is text, and colours are left to the page', () => {
  const drawn = elementsOf(drawFormula('\\color{red} \\text{<b>x</b>}', false));
  const texts = drawn.flatMap(({ props }) => (typeof props['children'] === 'string' ? [props['children']] : []));
  expect(texts.join('')).toContain('<b>x</b>');
  expect(JSON.stringify(drawn.map(({ props }) => props['style']))).not.toContain('color');
});
