/** The sandbox in the place of the chat: its terminal, its files, its packages. The address and the bar stay as they are. */
import { lazy, Suspense, useEffect, useId, useState, type ComponentType, type KeyboardEvent } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { Bones } from '../ui/bones.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import { useWords } from '../words/use-words.ts';

/** `conversationId` omitted: no chat is open. */
export type SandboxPartProps = { readonly conversationId: string | undefined };

type PartName = 'terminal' | 'files' | 'packages';

type Part = { readonly name: PartName; readonly icon: IconName; readonly View: ComponentType<SandboxPartProps> };

const parts: readonly Part[] = [
  {
    name: 'terminal',
    icon: 'term',
    View: lazy(async () => ({ default: (await import('./terminal/terminal-part.tsx')).TerminalPart })),
  },
  {
    name: 'files',
    icon: 'folder',
    View: lazy(async () => ({ default: (await import('./files/files-part.tsx')).FilesPart })),
  },
  {
    name: 'packages',
    icon: 'box',
    View: lazy(async () => ({ default: (await import('./packages/packages-part.tsx')).PackagesPart })),
  },
];

export function SandboxView({ conversationId }: SandboxPartProps) {
  const { t } = useWords();
  const id = useId();
  const fileToShow = useStore(useApp().navigation.fileToShow);
  const [name, setName] = useState<PartName>('terminal');
  useEffect(() => {
    if (fileToShow !== undefined) setName('files');
  }, [fileToShow]);
  const { View } = parts.find((each) => each.name === name) ?? (parts[0] as Part);
  return (
    <section className="sandbox" aria-label={t('sandbox.title')}>
      <div className="tabs" role="tablist" aria-label={t('sandbox.parts')} onKeyDown={moveBetweenTabs}>
        {parts.map((part) => (
          <button
            key={part.name}
            type="button"
            role="tab"
            className="tab"
            id={`${id}-${part.name}`}
            aria-selected={part.name === name}
            aria-controls={`${id}-part`}
            tabIndex={part.name === name ? 0 : -1}
            onClick={() => setName(part.name)}
          >
            <Icon name={part.icon} />
            {t(`sandbox.${part.name}`)}
          </button>
        ))}
      </div>
      <div className="pane" role="tabpanel" id={`${id}-part`} aria-labelledby={`${id}-${name}`}>
        <Suspense fallback={<Bones label={t('page.loading')} />}>
          <View conversationId={conversationId} />
        </Suspense>
      </div>
    </section>
  );
}

/** WAI-ARIA's pattern for tabs: arrows, Home and End choose. */
function moveBetweenTabs(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const next = all.at(to === all.length ? 0 : to);
  next?.focus();
  next?.click();
}
