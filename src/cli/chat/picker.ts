/** A list to choose from: typing filters, arrows move, Enter chooses, Escape closes. */
import type { ChatState, Picker, PickerItem } from './chat-state.ts';
import type { KeyPress } from './key-press.ts';
import type { Store } from './store.ts';

export function shownItems(picker: Picker): readonly PickerItem[] {
  const words = picker.filter.toLowerCase().split(/\s+/);
  return picker.items.filter((item) =>
    words.every((word) => `${item.label} ${item.detail}`.toLowerCase().includes(word)),
  );
}

export function openPicker(store: Store<ChatState>, picker: Omit<Picker, 'filter' | 'selected'>): void {
  store.change((state) => ({ ...state, picker: { ...picker, filter: '', selected: 0 } }));
}

export function pressInPicker(store: Store<ChatState>, picker: Picker, key: KeyPress): void {
  const items = shownItems(picker);
  const set = (change: Partial<Picker>): void =>
    store.change((state) => ({ ...state, picker: { ...picker, ...change } }));
  const close = (): void => store.change((state) => ({ ...state, picker: undefined }));
  const move = (by: number): void => set({ selected: Math.max(0, Math.min(items.length - 1, picker.selected + by)) });
  switch (key.name) {
    case 'escape':
      return close();
    case 'enter': {
      const item = items[picker.selected];
      if (item === undefined) return;
      close();
      return picker.choose(item);
    }
    case 'up':
      return move(-1);
    case 'down':
    case 'tab':
      return move(1);
    case 'page-up':
      return move(-8);
    case 'page-down':
      return move(8);
    case 'home':
      return move(-items.length);
    case 'end':
      return move(items.length);
    case 'backspace':
      return set({ filter: [...picker.filter].slice(0, -1).join(''), selected: 0 });
    case 'text':
      return set({ filter: picker.filter + key.text, selected: 0 });
    case 'control':
      if (key.text === 'p') return move(-1);
      if (key.text === 'n') return move(1);
      if (key.text === 'u') set({ filter: '', selected: 0 });
      return;
    default:
  }
}
