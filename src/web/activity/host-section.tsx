/** The hosts that commands have contacted or tried to, with how often, how much, and why not. */
import { useCallback, useEffect, useState } from 'react';
import type { WebHost } from '../../contract/web-activity.ts';
import type { ActivityApi } from '../api/activity-api.ts';
import { exactLine } from '../chat/exact-text.ts';
import { Bones } from '../ui/bones.tsx';
import { Button } from '../ui/button.tsx';
import { showBytes } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { usePolling } from './use-polling.ts';

const firstHosts = 12;

export function HostSection({
  api,
  days,
  choose,
}: {
  readonly api: ActivityApi;
  readonly days: number;
  /** Filters the ledger by its name. */
  readonly choose: (host: string) => void;
}) {
  const { t, counted } = useWords();
  const [hosts, setHosts] = useState<readonly WebHost[]>();
  const [isWhole, setWhole] = useState(false);
  const look = useCallback(async () => setHosts(await api.hosts(days)), [api, days]);
  usePolling(look);
  useEffect(() => {
    look().catch(() => undefined);
  }, [look]);
  const shown = isWhole ? hosts : hosts?.slice(0, firstHosts);
  return (
    <section className="sect activity-hosts" aria-labelledby="hosts-title">
      <header>
        <h2 id="hosts-title">{t('activity.hosts')}</h2>
        <p className="num">{hosts === undefined ? '\u00a0' : counted('activity.host-count', hosts.length)}</p>
      </header>
      {hosts === undefined ? <Bones label={t('activity.loading')} count={3} /> : null}
      {hosts?.length === 0 ? <p className="hint">{t('activity.no-hosts')}</p> : null}
      {shown === undefined || shown.length === 0 ? null : (
        <ul className="list sm">
          {shown.map((host) => (
            <HostLine key={host.host} host={host} choose={choose} />
          ))}
        </ul>
      )}
      {hosts === undefined || hosts.length <= firstHosts || isWhole ? null : (
        <Button isSmall onClick={() => setWhole(true)}>
          {counted('activity.all-hosts', hosts.length)}
        </Button>
      )}
    </section>
  );
}

function HostLine({ host, choose }: { readonly host: WebHost; readonly choose: (host: string) => void }) {
  const { t } = useWords();
  const name = exactLine(host.host);
  const amount = `${host.allowed} · ${showBytes(host.bytesSent + host.bytesReceived)}`;
  return (
    <li>
      <span className="grow">
        <button
          type="button"
          className="quiet mono xs cut line"
          title={t('activity.filter-host', { host: name })}
          onClick={() => choose(host.host)}
        >
          {name}
        </button>
        <span className="cut line xs muted" title={host.reason}>
          {exactLine(host.reason ?? '')}
        </span>
      </span>
      <span className="host-amounts num xs">
        {host.allowed > 0 ? <span className="muted">{amount}</span> : null}
        {host.refused > 0 ? <span className="bad">{t('activity.refused', { count: host.refused })}</span> : null}
        {host.failed > 0 ? <span className="muted">{t('activity.not-there', { count: host.failed })}</span> : null}
      </span>
    </li>
  );
}
