/** Tells the pages when settings.json was changed, by whoever it was. */
import type { Handrail } from '../contract/handrail.ts';
import type { Notices } from './notices.ts';

export type SettingsWatch = {
  /** At once, after a change of our own. */
  look(): Promise<void>;
  close(): void;
};

export function createSettingsWatch(
  settingsFile: Pick<Handrail['settingsFile'], 'look'>,
  notices: Pick<Notices, 'publish' | 'followers'>,
  { pollMs = 1_000 } = {},
): SettingsWatch {
  let told: number | undefined;

  async function look(): Promise<void> {
    const { version } = await settingsFile.look();
    const isNews = told !== undefined && told !== version;
    told = version;
    if (isNews) notices.publish({ type: 'settings' });
  }

  const timer = setInterval(() => {
    // A page that comes reads them anyway.
    if (notices.followers() > 0) void look();
  }, pollMs);
  void look();
  return { look, close: () => clearInterval(timer) };
}
