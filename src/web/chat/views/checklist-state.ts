/** What the words of tools for a list's items mean. Pure. */

export type ItemState = 'done' | 'active' | 'open' | 'cancelled';

const words: Readonly<Record<string, ItemState>> = {
  done: 'done',
  completed: 'done',
  complete: 'done',
  active: 'active',
  running: 'active',
  in_progress: 'active',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  skipped: 'cancelled',
};

/** Whatever is not known is still to do. */
export const stateOf = (status: string): ItemState => words[status.toLowerCase().replaceAll(/[\s-]/g, '_')] ?? 'open';
