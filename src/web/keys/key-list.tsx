/** All keys, where they work. */
import './keys.css';
import { Dialog } from '../ui/dialog.tsx';
import { useApp, useStore } from '../app/use-app.ts';
import { useWords } from '../words/use-words.ts';
import type { WordKey } from '../words/words.ts';

type Key = readonly [keys: readonly string[], about: WordKey];

const groups: readonly (readonly [title: WordKey, keys: readonly Key[]])[] = [
  [
    'keys.everywhere',
    [
      [['Ctrl', 'K'], 'keys.palette'],
      [['Ctrl', 'Shift', 'O'], 'chat.new'],
      [['Ctrl', 'B'], 'keys.sidebar'],
      [['Ctrl', '.'], 'keys.run'],
      [['Ctrl', '`'], 'keys.sandbox'],
      [['Alt', 'Q'], 'keys.question'],
      [['/'], 'keys.search'],
      [['?'], 'keys.list'],
    ],
  ],
  [
    'keys.writing',
    [
      [['Enter'], 'keys.send'],
      [['Shift', 'Enter'], 'keys.line'],
      [['↑'], 'keys.edit'],
      [['Esc'], 'keys.stop'],
    ],
  ],
  [
    'keys.asked',
    [
      [['A'], 'keys.allow'],
      [['C'], 'keys.allow-chat'],
      [['D'], 'keys.deny'],
    ],
  ],
  ['keys.inside', [[['Ctrl', 'Shift', 'Esc'], 'keys.leave']]],
];

export function KeyList({ close }: { readonly close: () => void }) {
  const { t } = useWords();
  const { letterKeys } = useApp();
  const hasLetters = useStore(letterKeys);
  return (
    <Dialog title={t('keys.title')} close={close}>
      <div className="key-list">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl>
              {keys.map(([all, about]) => (
                <div key={about}>
                  <dt>
                    {all.map((each) => (
                      <kbd key={each}>{each}</kbd>
                    ))}
                  </dt>
                  <dd>{t(about)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="switch-line">
        <input type="checkbox" checked={hasLetters} onChange={(event) => letterKeys.set(event.target.checked)} />
        {t('keys.letters')}
      </label>
    </Dialog>
  );
}
