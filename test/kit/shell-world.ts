/** A real shell service over a real sandbox, with a workspace and a state folder of its own that are gone afterwards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isIsolating } from '../../src/base/rung-isolation.ts';
import type { ResolvedAccess } from '../../src/contract/access.ts';
import type { ArtifactReference } from '../../src/contract/output.ts';
import type { Artifacts, Rung, Shell, ShellRequest, ShellResult } from '../../src/contract/services.ts';
import type { LimitSettings } from '../../src/contract/settings.ts';
import { createLimits, type Limits } from '../../src/services/limits/create-limits.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/services/sandbox/create-sandbox.ts';
import { defaultSettings } from '../../src/services/settings/default-settings.ts';
import { createShell, type ShellOptions, type ShellOwner } from '../../src/services/shell/create-shell.ts';

export type ShellWorldOptions = {
  readonly rung?: Rung;
  /** Default: a fresh folder. */
  readonly workspace?: string;
  readonly limits?: { readonly timeoutSeconds: number; readonly maxTimeoutSeconds: number };
  readonly environment?: NodeJS.ProcessEnv;
  /** What commands may use of the machine; what is left out is as in the settings of somebody who has written none. */
  readonly machineLimits?: Partial<LimitSettings>;
  readonly sandbox?: Partial<SandboxOptions>;
  readonly shell?: Partial<ShellOptions>;
};

export type RunMore = {
  readonly signal?: AbortSignal;
  readonly onOutput?: Parameters<Shell['run']>[1];
  /** The conversation whose shell it runs in. Omitted: none, it runs apart. */
  readonly conversation?: string;
  readonly callsTogether?: number;
};

export type ShellWorld = {
  readonly base: string;
  readonly workspace: string;
  readonly stateFolder: string;
  readonly sandbox: Sandbox;
  readonly owner: ShellOwner;
  readonly kept: readonly Buffer[];
  /** As a call that was granted exactly this command. */
  run(command: string, request?: Partial<ShellRequest>, more?: RunMore): Promise<ShellResult>;
  close(): Promise<void>;
};

export function openShellWorld(options: ShellWorldOptions = {}): ShellWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-shell-')));
  const workspace = options.workspace ?? join(base, 'workspace');
  const stateFolder = options.sandbox?.stateFolder ?? join(base, 'state');
  mkdirSync(workspace, { recursive: true });
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const rung = options.rung ?? 'namespaces';
  const environment = options.environment ?? process.env;
  const sandbox = createSandbox({
    stateFolder,
    homeFolder: join(stateFolder, 'home'),
    userHome: homedir(),
    rung: () => rung,
    environment,
    ...(options.machineLimits === undefined ? {} : { limits: limitsOf(options.machineLimits, environment) }),
    ...options.sandbox,
  });
  const { artifacts, kept } = keepInMemory();
  const owner = createShell({
    sandbox,
    artifacts,
    limits: () => options.limits ?? { timeoutSeconds: 30, maxTimeoutSeconds: 120 },
    environment,
    shellsFolder: join(stateFolder, 'shells'),
    ...options.shell,
  });
  return {
    base,
    workspace,
    stateFolder,
    sandbox,
    owner,
    kept,
    run(command, request = {}, more = {}) {
      const granted: ResolvedAccess = {
        kind: 'command',
        command,
        cwd: workspace,
        isDangerous: false,
        isSandboxed: isIsolating(rung),
        heads: [],
        findings: [],
      };
      const isThrowaway = more.conversation === undefined;
      const shell = owner.forCall({
        callId: 'call',
        conversation: { id: more.conversation ?? 'conversation', workspace, isThrowaway },
        granted: [granted],
        signal: more.signal ?? new AbortController().signal,
        ...(more.callsTogether === undefined ? {} : { callsTogether: more.callsTogether }),
      });
      return shell.run({ command, ...request }, more.onOutput);
    },
    async close() {
      await owner.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function limitsOf(changed: Partial<LimitSettings>, environment: NodeJS.ProcessEnv): Limits {
  return createLimits({ settings: () => ({ ...defaultSettings.sandbox.limits, ...changed }), environment });
}

function keepInMemory(): { artifacts: Artifacts; kept: Buffer[] } {
  const kept: Buffer[] = [];
  const artifacts: Artifacts = {
    keep(content) {
      kept.push(Buffer.from(content));
      const reference: ArtifactReference = { id: `artifact-${kept.length}`, path: '/dev/null', bytes: content.length };
      return Promise.resolve(reference);
    },
    read: () => Promise.resolve({ text: '', totalChars: 0 }),
  };
  return { artifacts, kept };
}
