/** What a person has allowed for longer than once: where it holds, who gave it, when it ends, how often it served; revoked at once. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Grant } from '../../../contract/permission.ts';
import { RequestFailure } from '../../api/request.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';

export function GrantsSection() {
  const { t } = useWords();
  const { request, live } = useApp();
  // A question that was answered may have left one.
  const { questions } = useStore(live.state);
  const [grants, setGrants] = useState<readonly Grant[]>();
  const [problem, setProblem] = useState('');
  const title = useRef<HTMLHeadingElement>(null);
  const read = useCallback(
    () =>
      request<readonly Grant[]>('GET', '/api/grants').then(setGrants, (error: unknown) =>
        setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.failed-offline')),
      ),
    [request, t],
  );
  useEffect(() => void read(), [read, questions]);
  const revoke = async (id: string): Promise<void> => {
    setProblem('');
    // Its button goes with it.
    title.current?.focus();
    setGrants((before) => before?.filter((grant) => grant.id !== id));
    try {
      await request('DELETE', `/api/grants/${encodeURIComponent(id)}`);
    } catch (error) {
      // It may have ended meanwhile: what there is now is read anew.
      const isGone = error instanceof RequestFailure && error.code === 'not_found';
      if (!isGone)
        setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.failed-offline'));
      await read();
    }
  };
  return (
    <section className="sect" aria-labelledby="grants-title">
      <header>
        <h2 id="grants-title" ref={title} tabIndex={-1}>
          {t('grants.title')}
        </h2>
        <p>{t('grants.text')}</p>
      </header>
      {problem === '' ? null : (
        <Notice icon="warn" look="bad" role="alert">
          {problem}
        </Notice>
      )}
      {grants === undefined ? problem === '' ? <Bones label={t('page.loading')} count={3} /> : null : null}
      {grants?.length === 0 ? <p className="card muted">{t('grants.none')}</p> : null}
      {grants === undefined || grants.length === 0 ? null : <Table grants={grants} revoke={revoke} />}
    </section>
  );
}

function Table({
  grants,
  revoke,
}: {
  readonly grants: readonly Grant[];
  readonly revoke: (id: string) => Promise<void>;
}) {
  const { t } = useWords();
  return (
    <div className="table-box">
      <table className="table cards">
        <caption className="sr">{t('grants.title')}</caption>
        <thead>
          <tr>
            {(['allows', 'scope', 'given', 'ends', 'used'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`grants.column.${column}`)}
              </th>
            ))}
            <th scope="col">
              <span className="sr">{t('grants.revoke')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} revoke={() => void revoke(grant.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function GrantRow({ grant, revoke }: { readonly grant: Grant; readonly revoke: () => void }) {
  const { t, counted, language } = useWords();
  const { conversationId, expiresAt, usedAt, uses = 0 } = grant;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  const at = (time: string): string =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
  return (
    <tr>
      <td>
        <code>{grant.pattern}</code>
        <small>{grant.tool}</small>
      </td>
      <td data-l={t('grants.column.scope')}>
        {conversationId === undefined ? (
          t('grants.always')
        ) : (
          <PageLink to={{ page: 'chat', conversationId }} className="">
            {t('grants.conversation')}
          </PageLink>
        )}
      </td>
      <td data-l={t('grants.column.given')} className="num">
        {at(grant.createdAt)}
        <small>{grant.origin}</small>
      </td>
      <td data-l={t('grants.column.ends')} className="num">
        {expiresAt === undefined
          ? t(conversationId === undefined ? 'grants.never' : 'grants.with-conversation')
          : t(isOver ? 'grants.ended' : 'grants.ends', { at: at(expiresAt) })}
      </td>
      <td data-l={t('grants.column.used')} className="num">
        {counted('grants.uses', uses)}
        {usedAt === undefined ? null : <small>{t('grants.last', { at: at(usedAt) })}</small>}
      </td>
      <td>
        <Button look="danger" isSmall onClick={revoke}>
          {t('grants.revoke')}
          <span className="sr"> {grant.pattern}</span>
        </Button>
      </td>
    </tr>
  );
}
