/** Texts by key, with their gaps filled and the right form for a number. */
import type { english } from './english.ts';

/** A table in another language holds the same keys: the compiler counts them. */
export type Table = Readonly<Record<keyof typeof english, string>>;

/** What a file of one part holds in another language. */
export type Translated<Part> = Readonly<Record<keyof Part, string>>;

export type WordKey = keyof Table;

/** `steps` for `steps.one` and `steps.many`. */
export type CountedKey = WordKey extends infer Key ? (Key extends `${infer Stem}.one` ? Stem : never) : never;

export type Gaps = Readonly<Record<string, string | number>>;

export type Words = {
  /** For Intl and the page's `lang`. */
  readonly language: string;
  t(key: WordKey, gaps?: Gaps): string;
  /** `{count}` in the text is the number, with the language's own separators. */
  counted(key: CountedKey, count: number, gaps?: Gaps): string;
};

export function createWords(language: string, table: Table): Words {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const t = (key: WordKey, gaps: Gaps = {}): string =>
    table[key].replace(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
  return {
    language,
    t,
    counted(key, count, gaps = {}) {
      const form: WordKey = rules.select(count) === 'one' ? `${key}.one` : `${key}.many`;
      return t(form, { ...gaps, count: numbers.format(count) });
    },
  };
}
