/** How this browser shows the app. Nothing of it leaves the browser. */
import { useState } from 'react';
import { useApp, useStore } from '../../app/use-app.ts';
import { NotifySetting } from '../../notify/notify-setting.tsx';
import { useWords } from '../../words/use-words.ts';
import { Segments } from '../sandbox/segments.tsx';
import { keepTheme, keptTheme, languages, themes, type Theme } from './kept-look.ts';
import './appearance.css';

export function AppearancePage() {
  const { t } = useWords();
  return (
    <>
      <p className="lede">{t('look.text')}</p>
      <section className="sect" aria-label={t('look.colours')}>
        <div className="card stack">
          <ThemeChoice />
          <LanguageChoice />
          <p className="hint">{t('look.motion')}</p>
        </div>
      </section>
      <section className="sect" aria-labelledby="look-keys">
        <header>
          <h2 id="look-keys">{t('look.keys')}</h2>
        </header>
        <div className="card">
          <LetterKeys />
        </div>
      </section>
      <section className="sect" aria-labelledby="look-notices">
        <header>
          <h2 id="look-notices">{t('look.notices')}</h2>
          <p>{t('look.notices-text')}</p>
        </header>
        <div className="card">
          <NotifySetting />
        </div>
      </section>
    </>
  );
}

function ThemeChoice() {
  const { t } = useWords();
  const [theme, setTheme] = useState(() => keptTheme(localStorage));
  return (
    <Segments
      label={t('look.colours')}
      value={theme}
      options={themes.map((value) => ({ value, label: t(`look.theme-${value}`) }))}
      hint={t('look.colours-text')}
      problem={undefined}
      choose={(value) => {
        setTheme(value as Theme);
        keepTheme(localStorage, document.documentElement, value as Theme);
      }}
    />
  );
}

/** All words come with the page: another language is another page. */
function LanguageChoice() {
  const { t } = useWords();
  const kept = localStorage.getItem('handrail.language');
  return (
    <Segments
      label={t('look.language')}
      value={kept ?? 'system'}
      options={[{ value: 'system', label: t('look.language-system') }, ...languages]}
      hint={t('look.language-text')}
      problem={undefined}
      choose={(value) => {
        if (value === 'system') localStorage.removeItem('handrail.language');
        else localStorage.setItem('handrail.language', value);
        window.location.reload();
      }}
    />
  );
}

function LetterKeys() {
  const { t } = useWords();
  const { letterKeys } = useApp();
  const hasLetters = useStore(letterKeys);
  return (
    <label className="look-switch">
      <span className="grow">
        <span>{t('look.letters')}</span>
        <span className="hint">{t('look.letters-text')}</span>
      </span>
      <input
        className="switch"
        type="checkbox"
        role="switch"
        checked={hasLetters}
        onChange={(event) => letterKeys.set(event.target.checked)}
      />
    </label>
  );
}
