/** A real code service over a real sandbox, with a workspace and a state folder of their own that are gone afterwards. */
import type { ResolvedCommand } from '../../src/contract/access.ts';
import type { Code, CodeRequest } from '../../src/contract/code.ts';
import type { ServiceOwner, ShellResult } from '../../src/contract/services.ts';
import { type CodeOptions, createCode } from '../../src/services/code/create-code.ts';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from './shell-world.ts';

export type CodeWorld = {
  readonly world: ShellWorld;
  readonly owner: ServiceOwner<Code>;
  /** As a call that was granted exactly this program. */
  run(code: string, more?: Partial<CodeRequest>, signal?: AbortSignal): Promise<ShellResult>;
  close(): Promise<void>;
};

export function openCodeWorld(options: ShellWorldOptions & { readonly code?: Partial<CodeOptions> } = {}): CodeWorld {
  const world = openShellWorld(options);
  const nothing = () => Promise.resolve([]);
  const owner = createCode({
    sandbox: world.sandbox,
    artifacts: { keep: () => Promise.resolve(undefined), read: () => Promise.reject(new Error('not asked for')) },
    limits: () => options.limits ?? { timeoutSeconds: 30, maxTimeoutSeconds: 120 },
    hasOwnSystem: () => false,
    environment: process.env,
    trusted: { begin: () => Promise.resolve({ check: nothing, end: nothing, endWhen: () => undefined }) },
    ...options.code,
  });
  return {
    world,
    owner,
    run(code, more = {}, signal = new AbortController().signal) {
      const request: CodeRequest = { code, language: 'python', ...more };
      const granted: ResolvedCommand = {
        ...{ kind: 'command', command: code, language: request.language, cwd: world.workspace, isDangerous: false },
        ...{ isSandboxed: options.rung !== 'host', heads: ['?'], findings: [] },
      };
      const conversation = { id: 'c', workspace: world.workspace, isThrowaway: true };
      return owner.forCall({ callId: 'call', conversation, granted: [granted], signal }).run(request);
    },
    async close() {
      await owner.close();
      await world.close();
    },
  };
}
