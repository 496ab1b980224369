/** Something that is so or not, kept by this browser. */
import { createStore, type Store } from './create-store.ts';

export function createKeptFlag(storage: Storage, name: string, initial: boolean): Store<boolean> {
  const kept = storage.getItem(name);
  const store = createStore(kept === null ? initial : kept === 'on');
  store.subscribe(() => storage.setItem(name, store.get() ? 'on' : 'off'));
  return store;
}
