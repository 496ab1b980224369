/** Colours as this browser keeps them; public/theme.js sets them before the first paint. */

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Each by its own name, so that whoever cannot read the page finds theirs. */
export const languages = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
] as const;

const name = 'handrail.theme';

export function keptTheme(storage: Pick<Storage, 'getItem'>): Theme {
  const kept = storage.getItem(name);
  return themes.find((theme) => theme === kept) ?? 'system';
}

export function keepTheme(storage: Storage, root: HTMLElement, theme: Theme): void {
  if (theme === 'system') {
    storage.removeItem(name);
    delete root.dataset['theme'];
  } else {
    storage.setItem(name, theme);
    root.dataset['theme'] = theme;
  }
}
