/** A conversation as a file: the browser's own download of what the server writes. */
import type { MenuItem } from '../ui/menu.tsx';
import type { Words } from '../words/words.ts';

/** For the menus of one conversation. */
export const exportItems = (conversationId: string, { t }: Words): readonly MenuItem[] => [
  { icon: 'load', label: t('export.markdown'), choose: () => save(conversationId, 'markdown') },
  { icon: 'code', label: t('export.json'), choose: () => save(conversationId, 'json') },
];

function save(conversationId: string, format: 'markdown' | 'json'): void {
  const link = document.createElement('a');
  link.href = `/api/conversations/${encodeURIComponent(conversationId)}/export?format=${format}`;
  // The name comes with the answer.
  link.download = '';
  link.click();
}
