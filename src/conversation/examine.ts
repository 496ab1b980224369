/** What `handrail doctor` says, made from facts that others gather. */
import { rungText } from '../base/rung-text.ts';
import type { Confirmations, Finding, ModelChoice } from '../contract/handrail.ts';
import type { ModelInfo } from '../contract/model.ts';
import type { SandboxReport } from '../contract/services.ts';
import type { Storage } from '../contract/storage.ts';

export type ExamineSources = {
  /** The state folders, for people. */
  readonly places: readonly string[];
  readonly settings: {
    readonly problems: readonly string[];
    /** Why the defaults stand in for the settings. Omitted: they do not. */
    readonly failure?: string;
    readonly confirmations: Pick<Confirmations, 'pending'>;
  };
  sandbox(): Promise<SandboxReport>;
  modelChoices(): Promise<readonly ModelChoice[]>;
  /** Rejects when it cannot be opened. */
  database(): Promise<Pick<Storage, 'place' | 'upkeep'>>;
  /** Where secrets are kept, in words. */
  secrets(): Promise<string>;
};

const oldestNode = [24, 15] as const;

/** Never rejects: what cannot be looked at is a finding of its own. */
export async function examine(sources: ExamineSources): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    guarded('node', async () => [nodeFinding(process.version)]),
    guarded('user', async () => (process.geteuid?.() === 0 ? [rootFinding] : [])),
    guarded('sandbox', async () => {
      const report = await sources.sandbox();
      return [...sandboxFindings(report), ...limitFindings(report)];
    }),
    guarded('models', async () => modelFindings(await sources.modelChoices())),
    guarded('database', async () => databaseFindings(await sources.database())),
    guarded('secrets', async () => [good('secrets', await sources.secrets())]),
    guarded('settings', async () => [good('state', sources.places.join(', ')), ...settingsFindings(sources.settings)]),
  ]);
  return findings.flat();
}

async function guarded(area: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [{ area, state: 'bad', text: error instanceof Error ? error.message : String(error) }];
  }
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (isNewEnough) return good('node', `Node ${version}`);
  return {
    area: 'node',
    state: 'bad',
    text: `Node ${version} is older than ${oldestNode.join('.')}`,
    fix: 'npm ci --include=optional (in the folder of Handrail)',
  };
}

function databaseFindings({ place, upkeep }: Pick<Storage, 'place' | 'upkeep'>): readonly Finding[] {
  const { backupFolder, copies, setAside } = upkeep() ?? { backupFolder: '', copies: [], setAside: [] };
  const kept = copies.length === 0 ? 'none yet' : `${copies.length}, the newest ${copies.at(-1)}`;
  return [
    good('database', place),
    ...(backupFolder === ''
      ? []
      : [good('database', `copies from before changes of its tables, in ${backupFolder}: ${kept}`)]),
    ...setAside.map((path): Finding => {
      const text = `a database that could not be read was set aside: ${path}; what it holds is not in the one in use`;
      return {
        area: 'database',
        state: 'warning',
        text,
        fix: 'docs/backups.md says how to get it back; remove it when you need it no more',
      };
    }),
  ];
}

function settingsFindings({ problems, failure, confirmations }: ExamineSources['settings']): readonly Finding[] {
  const warning = (text: string): Finding => ({ area: 'settings', state: 'warning', text });
  const text = `${failure} Until then nothing is run; what stands here is what the defaults would give.`;
  return [
    ...(failure === undefined ? [] : [{ area: 'settings', state: 'bad', text } as const]),
    ...problems.map(warning),
    ...confirmations.pending().map((pending) => ({ ...warning(pending), fix: 'handrail confirm' })),
  ];
}

const rootFinding: Finding = {
  area: 'user',
  state: 'warning',
  text: 'You are root. Commands on a folder of root run as root in a user namespace, with less between them and the kernel than for an ordinary user.',
  fix: 'Start Handrail as an ordinary user, in a folder of that user.',
};

function sandboxFindings(report: SandboxReport): readonly Finding[] {
  const warnings = report.warnings.map((text) => ({ area: 'sandbox', state: 'warning', text }) as const);
  if (report.rung === undefined) {
    const fix = report.fix === undefined ? {} : { fix: report.fix };
    return [
      {
        area: 'sandbox',
        state: 'bad',
        text: `commands are refused: ${report.reason ?? 'the sandbox cannot be had'}`,
        ...fix,
      },
      ...warnings,
      ...(report.others ?? []).map((other) => good('sandbox', `this machine could also give: ${other}`)),
    ];
  }
  const bubblewrap =
    report.bubblewrap === undefined ? '' : ` (bubblewrap ${report.bubblewrap.version}, ${report.bubblewrap.path})`;
  if (report.rung === 'host') {
    return [
      {
        area: 'sandbox',
        state: 'warning',
        text: 'no sandbox: commands run on this machine itself, because the settings say so',
        fix: 'set sandbox.rung to "namespaces"',
      },
      ...warnings,
    ];
  }
  const others = (report.others ?? []).map((text) => good('sandbox', `this machine could also give: ${text}`));
  if (report.rung === 'proot') {
    const text = `${rungText('proot')}, version ${report.program?.version ?? 'unknown'}`;
    return [{ area: 'sandbox', state: 'warning', text }, ...warnings, ...others];
  }
  const root = report.root === undefined ? '' : `; system: ${report.root}`;
  return [good('sandbox', `${report.rung}${bubblewrap}${root}`), ...warnings, ...others];
}

function limitFindings({ rung, limits = [] }: SandboxReport): readonly Finding[] {
  if (rung === undefined) return [];
  return limits.map(({ limit, heldBy, isHeld, fix }) =>
    isHeld
      ? good('limits', `${limit}: ${heldBy}`)
      : { area: 'limits', state: 'warning', text: `${limit}: ${heldBy}`, ...(fix === undefined ? {} : { fix }) },
  );
}

function modelFindings(choices: readonly ModelChoice[]): readonly Finding[] {
  if (choices.length === 0) {
    return [
      {
        area: 'models',
        state: 'warning',
        text: 'none is connected',
        fix: 'handrail secrets set ANTHROPIC_API_KEY (or OPENAI_API_KEY, GEMINI_API_KEY), or start Ollama',
      },
    ];
  }
  return choices.map(({ id, source, info, problem }) => {
    const name = `${id} (${source})`;
    if (problem !== undefined) return { area: 'models', state: 'warning', text: `${name}: ${problem}` };
    return good('models', info === undefined ? name : `${name}: ${aboutModel(info)}`);
  });
}

function aboutModel({ contextWindow, price, hasNativeCalls, isSmall }: ModelInfo): string {
  const kinds = [...(isSmall ? ['small'] : []), ...(hasNativeCalls ? [] : ['calls tools by text markers'])];
  return [`window ${contextWindow} tokens`, price ? priceText(price) : 'price unknown', ...kinds].join('; ');
}

function priceText({ input, output, cachedInput, cacheWrite }: NonNullable<ModelInfo['price']>): string {
  const cached = cachedInput === undefined ? '' : `, $${cachedInput} cached`;
  const written = cacheWrite === undefined ? '' : `, $${cacheWrite} to cache`;
  return `per million tokens $${input} in${cached}${written}, $${output} out`;
}

const good = (area: string, text: string): Finding => ({ area, state: 'good', text });
