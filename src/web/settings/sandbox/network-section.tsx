/** How far commands reach: not at all, to a list of hosts, or to every public one. */
import { useEffect, useId, useState } from 'react';
import { useWords } from '../../words/use-words.ts';
import type { KeyPath } from '../create-settings-store.ts';
import type { PageSettings } from '../use-settings.ts';
import { allowPath, denyPath, networkPath } from './sandbox-paths.ts';
import { Segments } from './segments.tsx';

const modes = ['off', 'allow-list', 'on'] as const;

export function NetworkSection({ settings }: { readonly settings: PageSettings }) {
  const { t } = useWords();
  const mode = modes.find((each) => each === settings.value(networkPath)) ?? 'allow-list';
  return (
    <section className="sect" aria-labelledby="network-title">
      <header>
        <h2 id="network-title">{t('sandbox-page.network')}</h2>
      </header>
      <div className="card stack">
        <Segments
          label={t('sandbox-page.mode')}
          value={mode}
          options={modes.map((value) => ({ value, label: t(`sandbox-page.mode.${value}`) }))}
          hint={t(`sandbox-page.mode-hint.${mode}`)}
          problem={settings.problem(networkPath)}
          choose={(value) => void settings.set(networkPath, value)}
        />
        <div className="host-lists">
          <HostList settings={settings} path={allowPath} name="allow" />
          <HostList settings={settings} path={denyPath} name="deny" />
        </div>
      </div>
    </section>
  );
}

/** One host on each line; kept when the field is left. */
function HostList({
  settings,
  path,
  name,
}: {
  readonly settings: PageSettings;
  readonly path: KeyPath;
  readonly name: 'allow' | 'deny';
}) {
  const { t } = useWords();
  const id = useId();
  const value = settings.value(path);
  const hosts = Array.isArray(value) ? value.map(String) : [];
  const kept = hosts.join('\n');
  const [text, setText] = useState(kept);
  useEffect(() => setText(kept), [kept]);
  const problem = settings.problem(path);
  const save = (): void => {
    const wanted = text
      .split(/[\n,\s]+/)
      .map((each) => each.trim())
      .filter((each) => each !== '');
    if (wanted.join('\n') !== kept) void settings.set(path, wanted.length === 0 ? null : wanted);
  };
  return (
    <label className="lab">
      {t(`sandbox-page.${name}`)}
      <span className={problem === undefined ? 'field area' : 'field area invalid'}>
        <textarea
          className="mono"
          rows={4}
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={t('sandbox-page.hosts-example')}
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== undefined || undefined}
          onChange={(event) => setText(event.target.value)}
          onBlur={save}
        />
      </span>
      <span className={problem === undefined ? 'hint' : 'hint bad'} id={`${id}-hint`}>
        {problem ?? t(`sandbox-page.${name}-hint`)}
      </span>
    </label>
  );
}
