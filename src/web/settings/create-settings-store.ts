/**
 * settings.json as a page edits it: a change is shown at once, written in its turn, and taken back with its reason when the server
 * says no. An edit made meanwhile elsewhere is kept: only what this page changed is written, and never over another value than the
 * one that was shown.
 */
import type { JsonSchema } from '../../contract/model.ts';
import type { SettingsEdit } from '../../contract/settings-file.ts';
import type { WebSettings } from '../../contract/web-settings.ts';
import { RequestFailure } from '../api/request.ts';
import type { SettingsApi } from '../api/settings-api.ts';
import { createStore, type Store } from '../live/create-store.ts';

/** `limits.rounds` as `['limits', 'rounds']`; names with dots are one part. */
export type KeyPath = readonly string[];

export type SettingsState = {
  /** Undefined until it was read. */
  readonly file: WebSettings | undefined;
  readonly schema: JsonSchema | undefined;
  /** Why it could not be read; empty words where the server cannot be reached. */
  readonly failure: string | undefined;
  /** Shown and not yet written, by the path as JSON. */
  readonly pending: ReadonlyMap<string, unknown>;
  /** Why the last change of a key was not taken. */
  readonly problems: ReadonlyMap<string, string>;
};

export type SettingsStore = Pick<Store<SettingsState>, 'get' | 'subscribe'> & {
  read(): Promise<void>;
  /** All or none. `value` null: its default. Resolves with false when it was not taken: `problems` says why, at the first path. */
  change(edits: readonly SettingsEdit[]): Promise<boolean>;
};

export const keyOf = (path: KeyPath): string => JSON.stringify(path);

/** `offline`: words for a server that does not answer; `changed`: for a value that somebody else changed meanwhile. */
export type StoreWords = { readonly offline: string; readonly changed: string };

export function createSettingsStore(api: SettingsApi, words: StoreWords): SettingsStore {
  const store = createStore<SettingsState>({
    ...{ file: undefined, schema: undefined, failure: undefined },
    ...{ pending: new Map(), problems: new Map() },
  });
  let writing: Promise<unknown> = Promise.resolve();

  async function read(): Promise<void> {
    try {
      const { schema: known } = store.get();
      const [file, schema] = await Promise.all([api.read(), known ?? api.schema()]);
      store.change((state) => ({ ...state, file, schema, failure: undefined }));
    } catch (error) {
      store.change((state) => ({ ...state, failure: reasonOf(error) }));
    }
  }

  const reasonOf = (error: unknown): string =>
    error instanceof RequestFailure && error.message !== '' ? error.message : words.offline;

  async function write(edits: readonly SettingsEdit[]): Promise<void> {
    const shown = store.get().file ?? (await api.read());
    try {
      const file = await api.change({ edits, hash: shown.hash });
      store.change((state) => ({ ...state, file }));
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.code !== 'conflict') throw error;
      const now = await api.read();
      store.change((state) => ({ ...state, file: now }));
      const isSame = edits.every(({ path }) => isEqual(valueAt(now.written, path), valueAt(shown.written, path)));
      if (!isSame) throw new RequestFailure('conflict', words.changed);
      const file = await api.change({ edits, hash: now.hash });
      store.change((state) => ({ ...state, file }));
    }
  }

  return {
    ...{ get: store.get, subscribe: store.subscribe, read },
    async change(edits) {
      const keys = edits.map(({ path }) => keyOf(path));
      store.change((state) => ({
        ...state,
        pending: new Map([...state.pending, ...edits.map(({ path, value }) => [keyOf(path), value] as const)]),
        problems: new Map([...state.problems].filter(([key]) => !keys.includes(key))),
      }));
      const written = writing.then(() => write(edits));
      writing = written.catch(() => undefined);
      const problem = await written.then(
        () => undefined,
        (error: unknown) => reasonOf(error),
      );
      store.change((state) => ({
        ...state,
        // One that was changed again meanwhile is still on its way.
        pending: new Map(
          [...state.pending].filter(
            ([key, value]) => !edits.some((edit) => keyOf(edit.path) === key && edit.value === value),
          ),
        ),
        problems: problem === undefined ? state.problems : new Map(state.problems).set(keys[0] ?? '', problem),
      }));
      return problem === undefined;
    },
  };
}

export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
