/** Draws the nodes of a screen: layout and what is only looked at. Inputs and buttons have files of their own. */
import { useEffect, useId, useState, type ReactNode } from 'react';
import { CodeBlock } from '../markdown/code-block.tsx';
import { Icon } from '../ui/icon.tsx';
import { iconPaths, type IconName } from '../ui/icon-paths.ts';
import { showDuration } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { ButtonNode } from './button-node.tsx';
import { InputView } from './input-view.tsx';
import { isInput, type ScreenNode } from './screen-node.ts';
import { SafeImage, SafeText } from './safe-content.tsx';
import { useForm } from './use-screen-form.ts';

export function NodesView({ nodes }: { readonly nodes: readonly ScreenNode[] }) {
  // Nodes have no names of their own, and their order does not change.
  return nodes.map((node, at) => <NodeView key={at} node={node} />);
}

function NodeView({ node }: { readonly node: ScreenNode }) {
  const form = useForm();
  const wasHidden = 'isHidden' in node && node.isHidden === true;
  const isToggled = 'id' in node && node.id !== undefined && form.isToggled(node.id);
  if (wasHidden !== isToggled) return null;
  if (isInput(node)) return <InputView input={node} />;
  return <ContentView node={node} />;
}

type Content = Exclude<ScreenNode, Parameters<typeof InputView>[0]['input']>;

function ContentView({ node }: { readonly node: Content }) {
  switch (node.type) {
    case 'column':
    case 'box':
      return <div className="kai-column">{<NodesView nodes={node.children} />}</div>;
    case 'row':
      return <div className="kai-row">{<NodesView nodes={node.children} />}</div>;
    case 'card':
      return <div className="kai-card">{<NodesView nodes={node.children} />}</div>;
    case 'divider':
      return <hr />;
    case 'text':
      return <TextView text={node.text} style={node.style} />;
    case 'button':
      return <ButtonNode label={node.label} action={node.action} />;
    case 'tabs':
      return <TabsView tabs={node.tabs} />;
    case 'accordion':
      return (
        <details className="kai-accordion" open={node.isOpen}>
          <summary>
            <Icon name="right" isSmall className="fold" />
            {node.title}
          </summary>
          <div className="kai-column">
            <NodesView nodes={node.children} />
          </div>
        </details>
      );
    case 'list':
      return <ListView isOrdered={node.isOrdered} items={node.items} />;
    case 'table':
      return <TableView headers={node.headers} rows={node.rows} />;
    default:
      return <LeafView node={node} />;
  }
}

function TextView({ text, style }: { readonly text: string; readonly style: string }) {
  if (style === 'title') return <h3 className="kai-title">{text}</h3>;
  if (style === 'heading') return <h4 className="kai-heading">{text}</h4>;
  return (
    <div className={style === 'caption' ? 'xs muted' : undefined}>
      <SafeText text={text} />
    </div>
  );
}

type Leaf = Extract<
  Content,
  { type: 'image' | 'icon' | 'code' | 'progress' | 'countdown' | 'alert' | 'quote' | 'badge' | 'stat' | 'avatar' }
>;

function LeafView({ node }: { readonly node: Leaf }) {
  switch (node.type) {
    case 'image':
      return <SafeImage address={node.url} alt={node.alt} />;
    case 'icon':
      return <IconView name={node.name} label={node.label} />;
    case 'code':
      return <CodeBlock text={node.code} language={node.language} />;
    case 'progress':
      return <ProgressView label={node.label} value={node.value} />;
    case 'countdown':
      return <Countdown label={node.label} seconds={node.seconds} />;
    case 'alert':
      return <AlertView title={node.title} text={node.text} severity={node.severity} />;
    case 'quote':
      return (
        <blockquote className="kai-quote">
          <SafeText text={node.text} />
          {node.source === '' ? null : <footer className="xs muted">{node.source}</footer>}
        </blockquote>
      );
    case 'badge':
      return <span className="badge plain">{node.text}</span>;
    case 'stat':
      return (
        <div className="kai-stat">
          <span className="xs muted">{node.label}</span>
          <b className="num">{node.value}</b>
          {node.text === '' ? null : <span className="xs muted">{node.text}</span>}
        </div>
      );
    case 'avatar':
      return (
        <span className="kai-avatar" role="img" aria-label={node.name}>
          {[...node.name.trim()][0]?.toUpperCase() ?? '·'}
        </span>
      );
  }
}

const isOurs = (name: string): name is IconName => Object.hasOwn(iconPaths, name);

function IconView({ name, label }: { readonly name: string; readonly label: string }) {
  // An icon that we do not have is its name, or nothing where it has words beside it.
  if (!isOurs(name)) return <span className="xs muted">{label === '' ? name : label}</span>;
  return (
    <span>
      <Icon name={name} />
      {label === '' ? null : <span className="sr">{label}</span>}
    </span>
  );
}

function ProgressView({ label, value }: { readonly label: string; readonly value: number | undefined }) {
  const { t } = useWords();
  return (
    <label className="lab">
      <span className="row">
        {label}
        <span className="end num muted">{value === undefined ? '' : `${Math.round(value * 100)} %`}</span>
      </span>
      <progress aria-label={label === '' ? t('kai.progress') : label} value={value} max={1} />
    </label>
  );
}

/** It only counts: nothing is ever sent without a press. */
function Countdown({ label, seconds }: { readonly label: string; readonly seconds: number }) {
  const { isFrozen } = useForm();
  const [endMs] = useState(() => Date.now() + seconds * 1_000);
  const [leftMs, setLeftMs] = useState(seconds * 1_000);
  useEffect(() => {
    if (isFrozen) return;
    const timer = window.setInterval(() => setLeftMs(Math.max(0, endMs - Date.now())), 500);
    return () => window.clearInterval(timer);
  }, [endMs, isFrozen]);
  return (
    <p role="timer">
      {label} <b className="num">{showDuration(leftMs)}</b>
    </p>
  );
}

const alertIcons = { info: 'info', success: 'check', warning: 'warn', error: 'warn' } as const;

function AlertView({
  title,
  text,
  severity,
}: {
  readonly title: string;
  readonly text: string;
  readonly severity: keyof typeof alertIcons;
}) {
  const look = severity === 'error' ? 'notice bad' : severity === 'warning' ? 'notice ask' : 'notice';
  return (
    <div className={look}>
      <Icon name={alertIcons[severity]} />
      <div>
        {title === '' ? null : <b>{title}</b>}
        <SafeText text={text} />
      </div>
    </div>
  );
}

function TabsView({ tabs }: { readonly tabs: Extract<ScreenNode, { type: 'tabs' }>['tabs'] }) {
  const id = useId();
  const [open, setOpen] = useState(0);
  const current = tabs[open] ?? tabs[0];
  if (current === undefined) return null;
  return (
    <div className="kai-column">
      <div className="seg fill" role="tablist">
        {tabs.map(({ label }, at) => (
          <button
            key={at}
            type="button"
            role="tab"
            aria-selected={at === open}
            aria-controls={id}
            onClick={() => setOpen(at)}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="kai-column" role="tabpanel" id={id} aria-label={current.label}>
        <NodesView nodes={current.children} />
      </div>
    </div>
  );
}

function ListView({
  isOrdered,
  items,
}: {
  readonly isOrdered: boolean;
  readonly items: readonly (readonly ScreenNode[])[];
}) {
  const rows: readonly ReactNode[] = items.map((nodes, at) => (
    <li key={at}>
      <NodesView nodes={nodes} />
    </li>
  ));
  return isOrdered ? <ol className="kai-list">{rows}</ol> : <ul className="kai-list">{rows}</ul>;
}

function TableView({
  headers,
  rows,
}: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  const { t } = useWords();
  return (
    <div className="scroll-x table-box" tabIndex={0} role="region" aria-label={t('table.label')}>
      <table className="table plain">
        {headers.length === 0 ? null : (
          <thead>
            <tr>
              {headers.map((header, at) => (
                <th key={at}>{header}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} data-l={headers[column]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
