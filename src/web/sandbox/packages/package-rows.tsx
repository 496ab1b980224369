/** Rows of packages, of which only those in sight are in the document: a system has many hundreds. */
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { UserlandPackage } from '../../../contract/userland.ts';
import type { WebSandboxWork } from '../../../contract/web-sandbox.ts';
import { exactLine } from '../../chat/exact-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dot } from '../../ui/indicator.tsx';
import { useWords } from '../../words/use-words.ts';

type Change = (kind: 'install-packages' | 'remove-packages', name: string) => void;

const rowPx = 56;

export function PackageRows({
  label,
  packages,
  installed,
  work,
  place,
  change,
}: {
  readonly label: string;
  readonly packages: readonly UserlandPackage[];
  readonly installed: ReadonlySet<string>;
  readonly work: WebSandboxWork | undefined;
  readonly place: RefObject<HTMLDivElement | null>;
  readonly change: Change;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    const box = place.current;
    if (box !== null) setScrollMargin(top - box.getBoundingClientRect().top + box.scrollTop);
  }, [place, packages]);
  const rows = useVirtualizer({
    count: packages.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowPx,
    getItemKey: (at) => packages[at]?.name ?? at,
    overscan: 12,
    scrollMargin,
  });
  const isBusy = work !== undefined && work.end === undefined;
  return (
    <ul ref={list} className="list package-rows" aria-label={label} style={{ height: rows.getTotalSize() + 2 }}>
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const each = packages[index];
        return each === undefined ? null : (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={packages.length}
            aria-posinset={index + 1}
            style={{ translate: `0 ${start - scrollMargin}px` }}
          >
            <Row
              each={each}
              isInstalled={installed.has(each.name)}
              isChanging={isBusy && isOf(work, each.name)}
              isBusy={isBusy}
              change={change}
            />
          </li>
        );
      })}
    </ul>
  );
}

const isOf = ({ action }: WebSandboxWork, name: string): boolean => 'names' in action && action.names.includes(name);

function Row({
  each: { name, version, description },
  isInstalled,
  isChanging,
  isBusy,
  change,
}: {
  readonly each: UserlandPackage;
  readonly isInstalled: boolean;
  readonly isChanging: boolean;
  readonly isBusy: boolean;
  readonly change: Change;
}) {
  const { t } = useWords();
  return (
    <>
      <span className="grow">
        <span className="cut line">
          <b>{exactLine(name)}</b> <span className="mono xs muted">{exactLine(version)}</span>
        </span>
        <span className="cut line xs muted" title={description}>
          {exactLine(description)}
        </span>
      </span>
      {/* Not disabled: whoever pressed it stays on it. */}
      <Button
        isSmall
        className={isChanging ? 'changing' : ''}
        aria-disabled={isBusy || undefined}
        onClick={() => {
          if (!isBusy) change(isInstalled ? 'remove-packages' : 'install-packages', name);
        }}
      >
        {isChanging ? <Dot /> : null}
        {t(`packages.${isInstalled ? 'remove' : 'install'}${isChanging ? '-now' : ''}`)}
        <span className="sr"> {exactLine(name)}</span>
      </Button>
    </>
  );
}
