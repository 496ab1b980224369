/** The editor: CodeMirror, loaded with the first text. In a shadow root its styles are constructed sheets, which the content policy allows. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useWords } from '../../words/use-words.ts';
import type { WordKey } from '../../words/words.ts';
import { languageFor } from './language-for.ts';

export type EditorPlace = { readonly line: number; readonly column: number };

export type CodeEditorProps = {
  readonly name: string;
  readonly label: string;
  /** Another object is another text; what is typed comes by `changed`. */
  readonly start: { readonly text: string };
  changed(text: string): void;
  save(): void;
  moved(place: EditorPlace): void;
};

export function CodeEditor(props: CodeEditorProps) {
  const { t } = useWords();
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { start, name, label } = props;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const view = openEditor(root, start.text, { name, label, t, latest: () => latest.current });
    return () => view.destroy();
  }, [start, name, label, t]);
  // The name tells the app's keys that what is pressed here is the editor's.
  return <div ref={host} className="cm-editor code-host" />;
}

type Opened = {
  readonly name: string;
  readonly label: string;
  t(key: WordKey): string;
  latest(): CodeEditorProps;
};

function openEditor(root: ShadowRoot, text: string, { name, label, t, latest }: Opened): EditorView {
  const language = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        // Every byte comes back as it was: only where all lines end so is it a line's end.
        EditorState.lineSeparator.of(/^(?:[^\r\n]|\r\n)*$/.test(text) && text.includes('\r\n') ? '\r\n' : '\n'),
        EditorState.phrases.of(phrases(t)),
        editing,
        keymap.of([
          { key: 'Mod-s', preventDefault: true, run: () => (latest().save(), true) },
          { key: 'Ctrl-Shift-Escape', run: leave },
          indentWithTab,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        language.of([]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest().changed(update.state.sliceDoc());
          if (update.docChanged || update.selectionSet) latest().moved(placeOf(update.state));
        }),
      ],
    }),
  });
  void languageFor(name).then((loaded) => {
    if (view.dom.isConnected) view.dispatch({ effects: language.reconfigure(loaded) });
  });
  latest().moved(placeOf(view.state));
  return view;
}

function placeOf({ selection, doc }: EditorState): EditorPlace {
  const line = doc.lineAt(selection.main.head);
  return { line: line.number, column: selection.main.head - line.from + 1 };
}

/** To what comes next on the page: the editor keeps the Tab key. */
function leave(view: EditorView): boolean {
  const host = (view.root as ShadowRoot).host;
  host.closest('.editor-pane')?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
  return true;
}

const phrases = (t: Opened['t']): Record<string, string> => ({
  Find: t('editor.find'),
  Replace: t('editor.replace'),
  next: t('editor.next'),
  previous: t('editor.previous'),
  all: t('editor.all'),
  'match case': t('editor.match-case'),
  'by word': t('editor.by-word'),
  regexp: t('editor.regexp'),
  replace: t('editor.replace-one'),
  'replace all': t('editor.replace-all'),
  close: t('shell.close'),
});

/** Whose colours fit one theme alone become ours, which fit both. */
const tokens: Readonly<Record<string, string>> = {
  '#708': '--syn-key',
  '#219': '--syn-num',
  '#164': '--syn-num',
  '#a11': '--syn-str',
  '#e40': '--syn-str',
  '#940': '--syn-com',
  '#404740': '--syn-com',
  '#f00': '--bad',
};

const colours = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const { color } = spec as { readonly color?: string };
    return color === undefined ? spec : { ...spec, color: `var(${tokens[color] ?? '--syn-fn'})` };
  }),
);

const editing: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  highlightSpecialChars(),
  drawSelection(),
  history(),
  indentOnInput(),
  bracketMatching(),
  search({ top: true }),
  highlightSelectionMatches(),
  syntaxHighlighting(colours),
  EditorView.lineWrapping,
  EditorView.theme({
    '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: 'var(--t-sm)' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
    '.cm-content': { caretColor: 'var(--accent)', padding: '8px 0' },
    '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-2)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--surface-2)' },
    '.cm-cursor': { borderLeftColor: 'var(--accent)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--accent-soft)',
    },
    '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
    '.cm-textfield, .cm-button': {
      background: 'var(--surface)',
      color: 'var(--text)',
      border: '1px solid var(--line-control)',
      borderRadius: '4px',
    },
    '.cm-searchMatch': { backgroundColor: 'var(--ask-soft)', outline: '1px solid var(--ask-line)' },
    '.cm-specialChar': { color: 'var(--bad)' },
  }),
];
