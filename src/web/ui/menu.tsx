/** A button that opens a list of actions beside it. Arrows move, Escape and a click elsewhere close: the browser's own popover. */
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

export type MenuItem = {
  readonly icon: IconName;
  readonly label: string;
  readonly isDanger?: boolean;
  /** One of several of which one holds. Omitted: an action. */
  readonly isChosen?: boolean;
  choose(): void;
};

export function Menu({
  label,
  items,
  trigger,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** What the button shows. Omitted: three dots. */
  readonly trigger?: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  const place = (): void => {
    const edge = button.current?.getBoundingClientRect();
    if (edge === undefined || list.current === null) return;
    // Above the button where there is no room below it.
    const height = list.current.offsetHeight;
    const top = edge.bottom + height + 4 > window.innerHeight ? edge.top - height - 4 : edge.bottom + 4;
    list.current.style.top = `${Math.max(4, top)}px`;
    list.current.style.left = `${Math.max(4, Math.min(edge.left, window.innerWidth - list.current.offsetWidth - 4))}px`;
    list.current.querySelector('button')?.focus();
  };
  return (
    <span ref={button} className="menu">
      {trigger === undefined ? (
        <IconButton icon="dots" label={label} isSmall popoverTarget={id} aria-haspopup="menu" />
      ) : (
        <button type="button" className="pick" popoverTarget={id} aria-haspopup="menu" aria-label={label}>
          {trigger}
          <Icon name="down" isSmall />
        </button>
      )}
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu-list"
        onToggle={(event) => event.newState === 'open' && place()}
        onKeyDown={moveFocus}
      >
        {items.map((item) => (
          <Item key={item.label} item={item} close={() => list.current?.hidePopover()} />
        ))}
      </div>
    </span>
  );
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  return (
    <button
      type="button"
      role={item.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={item.isChosen}
      className={item.isDanger === true ? 'menu-item bad' : 'menu-item'}
      onClick={() => {
        close();
        item.choose();
      }}
    >
      <Icon name={item.icon} />
      {item.label}
      {item.isChosen === true ? <Icon name="check" className="menu-mark" /> : null}
    </button>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all.at(to === all.length ? 0 : to)?.focus();
}
