/** Files dropped anywhere on the chat are attached; while they are held over it, it says so. */
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { Attachments } from './use-attachments.ts';

export function DropZone({ attachments: { add } }: { readonly attachments: Pick<Attachments, 'add'> }) {
  const { t } = useWords();
  const [isOver, setOver] = useState(false);
  const depth = useRef(0);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const reset = (): void => {
      depth.current = 0;
      setOver(false);
    };
    const handlers = {
      dragenter(event: DragEvent) {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      },
      dragleave(event: DragEvent) {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) reset();
      },
      dragover(event: DragEvent) {
        // Else the browser would open the file in the place of the app.
        if (hasFiles(event)) event.preventDefault();
      },
      drop(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        reset();
        add([...(event.dataTransfer?.files ?? [])]);
      },
    };
    const all = Object.entries(handlers) as [keyof typeof handlers, (event: DragEvent) => void][];
    for (const [name, handler] of all) document.addEventListener(name, handler);
    return () => {
      for (const [name, handler] of all) document.removeEventListener(name, handler);
    };
  }, [add]);
  return isOver ? (
    <div className="drop-zone">
      <Icon name="upload" />
      {t('attach.drop')}
    </div>
  ) : null;
}
