/** Colours for code, loaded with the first code block. */
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { common, createLowlight } from 'lowlight';
import type { ReactNode } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';

const lowlight = createLowlight(common);

/** Undefined: the language is not known here. */
export function highlight(text: string, language: string): ReactNode {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return undefined;
  return toJsxRuntime(lowlight.highlight(name, text), { Fragment, jsx, jsxs, key: 'colours' } as never);
}
