/** settings.json for a page: read when it opens and whenever it changes, changed key by key. Call it once per page, pass it down. */
import { useEffect, useMemo } from 'react';
import type { JsonSchema } from '../../contract/model.ts';
import type { SettingsEdit } from '../../contract/settings-file.ts';
import type { WebSettings } from '../../contract/web-settings.ts';
import { createSettingsApi } from '../api/settings-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { useWords } from '../words/use-words.ts';
import { createSettingsStore, type KeyPath, keyOf, valueAt } from './create-settings-store.ts';

export type KeyFacts = {
  readonly description: string | undefined;
  readonly usual: unknown;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** Where only some values are possible. */
  readonly options: readonly string[] | undefined;
};

export type PageSettings = {
  /** Undefined until it was read. */
  readonly file: WebSettings | undefined;
  /** Why it could not be read. */
  readonly failure: string | undefined;
  /** What the page shows for the key: just chosen, else written, else the default. */
  value(path: KeyPath): unknown;
  /** The same of a list of texts. */
  list(path: KeyPath): readonly string[];
  /** It stands in the file, so that there is something to reset. */
  isWritten(path: KeyPath): boolean;
  /** Changed here and not yet written. */
  isPending(path: KeyPath): boolean;
  /** Why the last change of it was not taken: belongs beside its field. */
  problem(path: KeyPath): string | undefined;
  /** The same at this moment: for whoever has just waited for a change. */
  problemNow(path: KeyPath): string | undefined;
  facts(path: KeyPath): KeyFacts;
  /** `value` null: its default again. Resolves with whether it was taken. */
  set(path: KeyPath, value: unknown): Promise<boolean>;
  /** Several keys: all or none. */
  change(edits: readonly SettingsEdit[]): Promise<boolean>;
  retry(): void;
};

export function useSettings(): PageSettings {
  const { request, live } = useApp();
  const { t } = useWords();
  const store = useMemo(
    () =>
      createSettingsStore(createSettingsApi(request), {
        offline: t('chat.failed-offline'),
        changed: t('settings.changed-meanwhile'),
      }),
    [request, t],
  );
  const state = useStore(store);
  const { settingsChanges } = useStore(live.state);
  const isLive = useStore(live.connection).kind === 'live';
  useEffect(() => {
    if (isLive || store.get().file === undefined) void store.read();
  }, [store, settingsChanges, isLive]);
  return useMemo(() => {
    const value = (path: KeyPath): unknown => {
      const chosen = state.pending.get(keyOf(path));
      // Null takes the key out: its default is shown.
      if (chosen !== undefined) return chosen ?? factsOf(state.schema, path).usual;
      return valueAt(state.file?.written, path) ?? valueAt(state.file?.wanted, path);
    };
    return {
      file: state.file,
      failure: state.failure,
      value,
      list: (path) => (value(path) ?? []) as readonly string[],
      isWritten: (path) => valueAt(state.file?.written, path) !== undefined,
      isPending: (path) => state.pending.has(keyOf(path)),
      problem: (path) => state.problems.get(keyOf(path)),
      problemNow: (path) => store.get().problems.get(keyOf(path)),
      facts: (path) => factsOf(state.schema, path),
      set: (path, value) => store.change([{ path, value }]),
      change: store.change,
      retry: () => void store.read(),
    };
  }, [state, store]);
}

function factsOf(schema: JsonSchema | undefined, path: KeyPath): KeyFacts {
  const found = path.reduce<JsonSchema | undefined>(
    (inner, name) => valueAt(inner, ['properties', name]) as JsonSchema | undefined,
    schema,
  );
  const number = (name: string): number | undefined => (typeof found?.[name] === 'number' ? found[name] : undefined);
  const description = found?.['description'];
  const options = found?.['enum'];
  return {
    description: typeof description === 'string' ? description : undefined,
    usual: found?.['default'],
    minimum: number('minimum'),
    maximum: number('maximum'),
    options: Array.isArray(options) ? options.map(String) : undefined,
  };
}
