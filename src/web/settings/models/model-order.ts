/** The order in which models are asked: the default first, then those to fall back on. */
import type { SettingsEdit } from '../../../contract/settings-file.ts';
import type { ModelServiceSettings } from '../../../contract/settings.ts';
import type { PageSettings } from '../use-settings.ts';

export function orderOf(settings: PageSettings): readonly string[] {
  const first = settings.value(['model']);
  const rest = settings.list(['fallback']);
  return typeof first === 'string' ? [first, ...rest.filter((each) => each !== first)] : rest;
}

export const servicesOf = (settings: PageSettings): readonly ModelServiceSettings[] =>
  (settings.value(['models']) ?? []) as readonly ModelServiceSettings[];

export function orderEdits(order: readonly string[]): readonly SettingsEdit[] {
  const [first, ...rest] = order;
  return [
    { path: ['model'], value: first ?? null },
    { path: ['fallback'], value: rest.length === 0 ? null : rest },
  ];
}

/** Behind the others; the first of all is the default. */
export const withModel = (order: readonly string[], id: string): readonly SettingsEdit[] =>
  order.includes(id) ? [] : orderEdits([...order, id]);

/** `by`: -1 up, 1 down. The same where there is no place. */
export function moved(order: readonly string[], id: string, by: -1 | 1): readonly string[] {
  const [at, to] = [order.indexOf(id), order.indexOf(id) + by];
  const other = order[to];
  if (at < 0 || other === undefined) return order;
  return order.map((each, place) => (place === at ? other : place === to ? id : each));
}
