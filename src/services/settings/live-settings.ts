/**
 * The settings as they are now. Whoever begins something asks `now()`, which looks whether settings.json or what was confirmed of it
 * has changed since: a page, a command of another process and an editor are all the same to it. A damaged file changes nothing: what
 * held before holds on, and the problem is told.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Confirmations, HandrailOptions } from '../../contract/handrail.ts';
import type { Settings } from '../../contract/settings.ts';
import type { SettingsFileAccess, SettingsState } from '../../contract/settings-file.ts';
import { once } from '../../base/once.ts';
import { confirmedName, type ConfirmedSettings, loadConfirmedSettings } from './confirm-settings.ts';
import { isSameValue } from './weigh-change.ts';

export type LiveSettings<Made> = {
  /** What was made of the settings as the file says them at this moment. */
  now(): Promise<Made>;
  /** The same, as it was when somebody last asked `now()`. */
  current(): Made;
  settings(): Settings;
  /** For `doctor`. */
  state(): Pick<ConfirmedSettings, 'problems' | 'failure'>;
  readonly confirmations: Confirmations;
  readonly settingsFile: SettingsFileAccess;
  /** Rejects with SetupFailure or MisuseFailure. */
  switchTool(id: string, isOn: boolean): Promise<void>;
};

type Place = { readonly settingsFile: string; readonly data: string };

/** `make` throws SetupFailure for settings that the program cannot work with. Rejects with it when those of now cannot be used. */
export async function openLiveSettings<Made>(
  place: Place,
  options: Pick<HandrailOptions, 'onlyLooks'>,
  make: (settings: Settings) => Made,
): Promise<LiveSettings<Made>> {
  let seen = lookAt(place);
  let confirmed = await loadConfirmedSettings(place, options.onlyLooks);
  let made = make(confirmed.settings);
  let problem = confirmed.failure;
  let version = 0;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    const found = lookAt(place);
    if (found.mark === seen.mark && seen.isSettled) return;
    try {
      const next = await loadConfirmedSettings(place, options.onlyLooks);
      if (!isSameValue(next.settings, confirmed.settings)) made = make(next.settings);
      confirmed = next;
      problem = next.failure;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (found.mark !== seen.mark) version += 1;
    seen = found;
  }

  /** One after the other: whoever asks after a change must see it. */
  const now = async (): Promise<Made> => {
    looking = looking.then(look);
    await looking;
    return made;
  };
  const asked = { now, settings: () => confirmed.settings, check: make };
  const state = (): SettingsState => ({ version, ...(problem === undefined ? {} : { problem }) });
  return {
    now,
    current: () => made,
    settings: () => confirmed.settings,
    state: () => ({ problems: confirmed.problems, ...(problem === undefined ? {} : { failure: problem }) }),
    confirmations: {
      pending: () => confirmed.confirmations.pending(),
      hash: () => confirmed.confirmations.hash(),
      trust: () => confirmed.confirmations.trust(),
      confirm: (shown) => confirmed.confirmations.confirm(shown),
    },
    ...accessTo(place, asked, state),
  };
}

type Asked = { now(): Promise<unknown>; settings(): Settings; check(settings: Settings): unknown };

/** Loaded with the first use: a start that only reads the settings needs none of it. */
function accessTo(
  place: Place,
  { now, settings, check }: Asked,
  state: () => SettingsState,
): Pick<LiveSettings<unknown>, 'settingsFile' | 'switchTool'> {
  const file = once(async () => {
    const { openSettingsFile } = await import('./settings-file.ts');
    return openSettingsFile({ ...place, inForce: settings, check });
  });
  return {
    settingsFile: {
      async look() {
        await now();
        return state();
      },
      async read() {
        await now();
        return (await file()).read();
      },
      async change(edits, hash) {
        const changed = await (await file()).change(edits, hash);
        await now();
        return { ...changed, inForce: settings() };
      },
      schema: async () => (await file()).schema(),
    },
    switchTool: async (id, isOn) => (await file()).edit([{ path: [`tool_enabled_${id}`], value: isOn }]),
  };
}

/** A file may be written twice within one tick of its clock: one that is younger than this when it is read is read again. */
const settledMs = 100;

function lookAt({ settingsFile, data }: Place): { readonly mark: string; readonly isSettled: boolean } {
  const found = [settingsFile, join(data, confirmedName)].map((file) =>
    statSync(file, { bigint: true, throwIfNoEntry: false }),
  );
  const marks = found.map((info) => (info === undefined ? '' : `${info.ino} ${info.size} ${info.ctimeNs}`));
  const youngestMs = Math.max(0, ...found.map((info) => Number(info?.ctimeMs ?? 0)));
  return { mark: marks.join(), isSettled: Date.now() - youngestMs > settledMs };
}
