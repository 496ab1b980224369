/**
 * Settings that weaken the sandbox (its rung, its network) count only after the user said yes in a face: whoever managed to
 * write settings.json must not have opened the sandbox by that alone. What the first command runs with is the user's own
 * choice; what was in force last is kept beside the database, where no command can write.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confirmations } from '../../contract/handrail.ts';
import { SetupFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import { defaultSettings } from './default-settings.ts';
import { type LoadedSettings, loadSettings } from './load-settings.ts';

/** Strongest first. */
const rungs: readonly Settings['sandbox']['rung'][] = [
  'namespaces',
  'namespaces-shared-network',
  'container',
  'proot',
  'host',
];
const networks: readonly Settings['sandbox']['network']['mode'][] = ['off', 'allow-list', 'on'];

type Guarded = { readonly rung: Settings['sandbox']['rung']; readonly network: Settings['sandbox']['network']['mode'] };

export type ConfirmedSettings = LoadedSettings & {
  readonly confirmations: Confirmations;
  /** Why the defaults stand in for settings that cannot be used. */
  readonly failure?: string;
};

type Place = { readonly settingsFile: string; readonly data: string };

/** Rejects with SetupFailure as loadSettings does, unless `onlyLooks`: then the defaults stand in, and the problem is told. */
export async function loadConfirmedSettings(place: Place, onlyLooks = false): Promise<ConfirmedSettings> {
  const loaded: LoadedSettings & { failure?: string } = await loadSettings(place.settingsFile).catch(
    (error: unknown) => {
      if (!onlyLooks || !(error instanceof SetupFailure)) throw error;
      return { settings: defaultSettings, problems: [], failure: error.message };
    },
  );
  const { settings } = loaded;
  const file = join(place.data, 'confirmed.json');
  const wanted: Guarded = { rung: settings.sandbox.rung, network: settings.sandbox.network.mode };
  const known = readConfirmed(file);
  // Before the first command there is nothing that a change could weaken: `trust` is told of it.
  const inForce = known === undefined ? wanted : strongerOf(known, wanted);
  if (known !== undefined && !onlyLooks && !isSame(known, inForce)) keepQuietly(file, inForce);
  let pending = describe(inForce, wanted);
  const network = { ...settings.sandbox.network, mode: inForce.network };
  return {
    ...loaded,
    settings:
      pending.length === 0 ? settings : { ...settings, sandbox: { ...settings.sandbox, rung: inForce.rung, network } },
    confirmations: {
      pending: () => pending,
      trust: () => readConfirmed(file) ?? keepQuietly(file, inForce),
      confirm() {
        keep(file, wanted);
        pending = [];
      },
    },
  };
}

function strongerOf(last: Guarded, wanted: Guarded): Guarded {
  return {
    rung: rungs.indexOf(wanted.rung) > rungs.indexOf(last.rung) ? last.rung : wanted.rung,
    network: networks.indexOf(wanted.network) > networks.indexOf(last.network) ? last.network : wanted.network,
  };
}

function describe(inForce: Guarded, wanted: Guarded): readonly string[] {
  const sentence = (key: string, asked: string, kept: string): string =>
    `settings.json asks for ${key} "${asked}", which is weaker than "${kept}" and is not in force until you confirm it: handrail confirm`;
  return [
    ...(inForce.rung === wanted.rung ? [] : [sentence('sandbox.rung', wanted.rung, inForce.rung)]),
    ...(inForce.network === wanted.network ? [] : [sentence('sandbox.network.mode', wanted.network, inForce.network)]),
  ];
}

/** Undefined when nothing was kept yet. What cannot be read confirms nothing but the strongest. */
function readConfirmed(file: string): Guarded | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    text = '';
  }
  const rung = rungs.find((name) => text.includes(`"rung":"${name}"`)) ?? 'namespaces';
  const network = networks.find((name) => text.includes(`"network":"${name}"`)) ?? 'off';
  return { rung, network };
}

const isSame = (known: Guarded | undefined, values: Guarded): boolean =>
  known?.rung === values.rung && known.network === values.network;

function keepQuietly(file: string, values: Guarded): void {
  try {
    keep(file, values);
  } catch {
    // A full or read-only disk keeps nobody from working: what is in force is then decided again at the next start.
  }
}

function keep(file: string, values: Guarded): void {
  try {
    writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(values)}\n`, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SetupFailure(`${file} cannot be written (${code}): free some space there, then confirm again.`);
  }
}
