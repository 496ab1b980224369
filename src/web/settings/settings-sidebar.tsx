/** The sidebar of the settings: the way back on top, then the pages by group. */
import { useApp, useStore } from '../app/use-app.ts';
import { PageLink } from '../shell/page-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { sections } from './sections.ts';

const groups = ['assistant', 'hands', 'program'] as const;

export function SettingsSidebar() {
  const { t } = useWords();
  const route = useStore(useApp().navigation.route);
  const current = (route.page === 'settings' ? route.section : undefined) ?? sections[0]?.id;
  return (
    <>
      <nav className="side-list" aria-label={t('settings.pages')}>
        {groups.map((group) => {
          const pages = sections.filter((each) => each.group === group);
          return pages.length === 0 ? null : (
            <section key={group}>
              <h2>{t(`settings.group.${group}`)}</h2>
              <ul>
                {pages.map(({ id, icon, title }) => (
                  <li key={id}>
                    <PageLink to={{ page: 'settings', section: id }} isCurrent={id === current}>
                      <Icon name={icon} />
                      <span className="cut">{t(title)}</span>
                    </PageLink>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </nav>
      <p className="side-foot xs muted">{t('settings.saved')}</p>
    </>
  );
}
