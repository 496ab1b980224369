/** The language of a text by the end of its name, loaded when it is wanted. */
import type { Extension } from '@codemirror/state';
import { endingOf } from '../../viewer/kind-of-file.ts';

const legacy = async (parser: () => Promise<unknown>): Promise<Extension> => {
  const { StreamLanguage } = await import('@codemirror/language');
  return StreamLanguage.define((await parser()) as Parameters<typeof StreamLanguage.define>[0]);
};

const script = async (options: { readonly jsx: boolean; readonly typescript: boolean }): Promise<Extension> =>
  (await import('@codemirror/lang-javascript')).javascript(options);

const json = async (): Promise<Extension> => (await import('@codemirror/lang-json')).json();
const html = async (): Promise<Extension> => (await import('@codemirror/lang-html')).html();
const markdown = async (): Promise<Extension> => (await import('@codemirror/lang-markdown')).markdown();
const shell = (): Promise<Extension> => legacy(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell);
const yaml = (): Promise<Extension> => legacy(async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml);

const languages: Readonly<Record<string, () => Promise<Extension>>> = {
  js: () => script({ jsx: true, typescript: false }),
  mjs: () => script({ jsx: false, typescript: false }),
  cjs: () => script({ jsx: false, typescript: false }),
  jsx: () => script({ jsx: true, typescript: false }),
  ts: () => script({ jsx: false, typescript: true }),
  tsx: () => script({ jsx: true, typescript: true }),
  json,
  html,
  htm: html,
  svg: html,
  xml: html,
  css: async () => (await import('@codemirror/lang-css')).css(),
  md: markdown,
  markdown,
  py: async () => (await import('@codemirror/lang-python')).python(),
  sh: shell,
  bash: shell,
  yaml,
  yml: yaml,
  toml: () => legacy(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml),
};

export const languageFor = async (name: string): Promise<Extension> => languages[endingOf(name)]?.() ?? [];
