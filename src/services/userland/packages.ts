/** The packages of a userland, through its own manager. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Userland, UserlandPackage, UserlandWatch } from '../../contract/userland.ts';
import type { UserlandRecord } from '../sandbox/userland-place.ts';
import { inStep, type InstallContext, noWatch } from './install-steps.ts';
import { checkPackageNames, checkQuery, type PackageCommands, packageCommands, sortByFit } from './package-commands.ts';

export type PackagesOptions = {
  context(watch: UserlandWatch): InstallContext;
  /** Throws ToolFailure('unavailable') where there is no userland. */
  requireRecord(): UserlandRecord;
  /** While nobody else changes the userland. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

const defaultLimit = 50;
const maxListBytes = 16 * 1024 * 1024;

export function createPackages({ context, requireRecord, alone }: PackagesOptions): Userland['packages'] {
  async function ask(pick: (commands: PackageCommands) => string, args: readonly string[]): Promise<string> {
    const { store, run, signal } = context(noWatch);
    const result = await run({
      tree: store.tree,
      workspace: store.systemFolder(),
      script: pick(commandsOf(requireRecord())),
      args,
      signal,
      maxOutputBytes: maxListBytes,
    });
    if (result.exitCode === 0) return result.output;
    throw new ToolFailure('failed', `The package manager said: ${result.tail || `exit code ${result.exitCode}`}`);
  }

  function change(
    names: readonly string[],
    pick: (commands: PackageCommands) => string,
    watch: UserlandWatch,
  ): Promise<void> {
    return alone(async () => {
      const record = requireRecord();
      checkPackageNames(names);
      const { store, run, signal, onOutput } = context(watch);
      await inStep('packages', async () => {
        const result = await run({
          tree: store.tree,
          workspace: store.systemFolder(),
          script: pick(commandsOf(record)),
          args: names,
          signal,
          ...(onOutput === undefined ? {} : { onOutput }),
        });
        if (result.exitCode !== 0) {
          throw new ToolFailure('failed', `the package manager said: ${result.tail || `exit code ${result.exitCode}`}`);
        }
      });
    });
  }

  return {
    async list() {
      return commandsOf(requireRecord()).readPackages(await ask((commands) => commands.list, []));
    },
    async search(query, { limit = defaultLimit } = {}): Promise<readonly UserlandPackage[]> {
      const commands = commandsOf(requireRecord());
      checkQuery(query);
      return sortByFit(commands.readPackages(await ask(() => commands.search, [query])), query).slice(0, limit);
    },
    install: (names, watch = noWatch) => change(names, (commands) => commands.install, watch),
    remove: (names, watch = noWatch) => change(names, (commands) => commands.remove, watch),
  };
}

const commandsOf = (record: UserlandRecord): PackageCommands =>
  packageCommands[record.distribution === 'alpine' ? 'apk' : 'apt-get'];
