/** Which model answers next: the one in use, or another that is connected. Searchable, by service. */
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { ModelChoice } from '../../contract/handrail.ts';
import type { ModelInfo } from '../../contract/model.ts';
import type { WebState } from '../../contract/web-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Icon } from '../ui/icon.tsx';
import { showTokens } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { groupModels } from './group-models.ts';

type Picked = { readonly chosen: string | undefined; readonly choose: (model: string | undefined) => void };

/** `chosen` undefined: the one in use. */
export function ModelPicker({ chosen, choose }: Picked) {
  const { t } = useWords();
  const id = useId();
  const { serverState } = useApp();
  const state = useStore(serverState);
  const popover = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  if (state === undefined) return null;
  const inUse = state.model?.id;
  if (inUse === undefined && state.modelChoices.length === 0)
    return <span className="model none">{t('model.none')}</span>;
  const name = chosen ?? inUse ?? t('model.choose');
  return (
    <>
      <button
        ref={button}
        type="button"
        className="model"
        title={`${t('model.title')}: ${name}`}
        aria-label={`${t('model.label')}: ${name}`}
        aria-haspopup="listbox"
        popoverTarget={id}
      >
        <Icon name="cpu" />
        <span className="cut">{nameOf(name)}</span>
        <Icon name="down" isSmall />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="menu-list model-list"
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') placeAbove(popover.current, button.current);
        }}
      >
        {isOpen ? (
          <ModelList
            {...{ state, chosen: chosen ?? inUse }}
            choose={(model) => {
              popover.current?.hidePopover();
              choose(model === inUse ? undefined : model);
            }}
          />
        ) : null}
      </div>
    </>
  );
}

function ModelList({
  state,
  chosen,
  choose,
}: {
  readonly state: WebState;
  readonly chosen: string | undefined;
  readonly choose: (model: string) => void;
}) {
  const { t } = useWords();
  const listId = useId();
  const [text, setText] = useState('');
  const groups = groupModels(state, text);
  const { current, row, press, goToFirst } = useRows(groups, chosen, choose);
  return (
    <>
      <SearchField
        listId={listId}
        currentId={current?.id}
        text={text}
        setText={(next) => {
          setText(next);
          goToFirst();
        }}
        press={press}
      />
      <div id={listId} role="listbox" aria-label={t('model.label')}>
        {groups.map((group) => (
          <ul key={group.service} role="group" aria-label={group.service}>
            <li className="model-group" role="presentation">
              {group.service}
            </li>
            {group.models.map((each) => (
              <ModelRow
                key={each.id}
                id={`${listId}-${each.id}`}
                model={each}
                isChosen={each.id === chosen}
                row={each === current ? row : undefined}
                choose={choose}
              />
            ))}
          </ul>
        ))}
      </div>
      {groups.length === 0 ? <p className="side-empty">{t('model.nothing')}</p> : null}
    </>
  );
}

/** Which row the arrows have reached. */
function useRows(groups: ReturnType<typeof groupModels>, chosen: string | undefined, choose: (model: string) => void) {
  const usable = groups.flatMap((group) => group.models).filter((each) => each.problem === undefined);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      usable.findIndex((each) => each.id === chosen),
    ),
  );
  const current = usable[Math.min(at, usable.length - 1)];
  const row = useRef<HTMLLIElement>(null);
  const press = (event: KeyboardEvent): void => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: usable.length - 1 }[event.key];
    if (event.key === 'Enter' && current !== undefined) choose(current.id);
    else if (to === undefined) return;
    else {
      setAt((to + usable.length) % Math.max(1, usable.length));
      requestAnimationFrame(() => row.current?.scrollIntoView({ block: 'nearest' }));
    }
    event.preventDefault();
  };
  return { current, row, press, goToFirst: () => setAt(0) };
}

function SearchField({
  listId,
  currentId,
  text,
  setText,
  press,
}: {
  readonly listId: string;
  /** Undefined: nothing was found. */
  readonly currentId: string | undefined;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly press: (event: KeyboardEvent) => void;
}) {
  const { t } = useWords();
  return (
    <label className="field">
      <Icon name="search" />
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={currentId === undefined ? undefined : `${listId}-${currentId}`}
        aria-label={t('model.search')}
        placeholder={t('model.search')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
    </label>
  );
}

function ModelRow({
  id,
  model,
  isChosen,
  row,
  choose,
}: {
  readonly id: string;
  readonly model: ModelChoice;
  readonly isChosen: boolean;
  /** Of the one that Enter takes. */
  readonly row: RefObject<HTMLLIElement | null> | undefined;
  readonly choose: (model: string) => void;
}) {
  const { t } = useWords();
  const isOff = model.problem !== undefined;
  return (
    <li
      ref={row}
      id={id}
      role="option"
      className={row === undefined ? 'model-row' : 'model-row is-at'}
      aria-selected={isChosen}
      aria-disabled={isOff || undefined}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => (isOff ? undefined : choose(model.id))}
    >
      <span className="mark">{isChosen ? <Icon name="check" isSmall /> : null}</span>
      <span className="grow">
        <span className="cut">{nameOf(model.id)}</span>
        {isOff ? <span className="xs">{t('model.problem', { reason: model.problem ?? '' })}</span> : null}
      </span>
      {model.info === undefined || isOff ? null : <ModelFacts info={model.info} />}
    </li>
  );
}

function ModelFacts({ info }: { readonly info: ModelInfo }) {
  const { t } = useWords();
  const facts = [
    ...(info.contextWindow > 0 ? [t('model.window', { tokens: showTokens(info.contextWindow) })] : []),
    ...(info.price === undefined ? [] : [t('model.price', { input: info.price.input, output: info.price.output })]),
  ];
  return <span className="xs muted num">{facts.join(' · ')}</span>;
}

/** Above its button, since that stands at the foot of the page. */
function placeAbove(list: HTMLElement | null, button: HTMLElement | null): void {
  const edge = button?.getBoundingClientRect();
  if (list === null || edge === undefined) return;
  const left = Math.max(8, Math.min(edge.left, window.innerWidth - list.offsetWidth - 8));
  list.style.left = `${left}px`;
  list.style.bottom = `${window.innerHeight - edge.top + 6}px`;
  list.style.maxHeight = `${edge.top - 24}px`;
}

/** `service/model`: the model alone, where there is room for no more. */
const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1);
