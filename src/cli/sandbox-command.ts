/** `handrail sandbox`: installs a Linux userland, keeps its packages, opens a shell. Progress on stderr, results on stdout. */
import { realpathSync } from 'node:fs';
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure, ToolFailure } from '../contract/failure.ts';
import type { Handrail } from '../contract/handrail.ts';
import {
  type Userland,
  userlandDistributions,
  type UserlandPackage,
  type UserlandStatus,
  type UserlandWatch,
} from '../contract/userland.ts';
import type { CommandLine } from './face.ts';
import { printAll } from './print-all.ts';
import { createProgressLines } from './progress-lines.ts';
import { createStopSignal } from './stop-signal.ts';

export type SandboxOptions = {
  readonly json?: boolean;
  /** The folder whose owner's userland is meant. Omitted: the current directory. */
  readonly workspace?: string;
};

type InstallOptions = SandboxOptions & {
  readonly version?: string;
  readonly bare?: boolean;
  readonly replace?: boolean;
};

export function installCommand(face: CommandLine, name: string | undefined, options: InstallOptions): Promise<number> {
  const distribution = userlandDistributions.find((each) => each === name?.toLowerCase());
  if (name !== undefined && distribution === undefined) {
    throw new MisuseFailure(`"${name.slice(0, 40)}" cannot be installed: it is ${userlandDistributions.join(' or ')}.`);
  }
  return withUserland(face, options, async (userland, watch, handrail) => {
    const request = {
      ...(distribution === undefined ? {} : { distribution }),
      ...(options.version === undefined ? {} : { version: options.version }),
      isBare: options.bare === true,
      replaces: options.replace === true,
    };
    const { isNew, ...status } = await userland.install(request, watch);
    const hint = handrail.settings.sandbox.root === 'userland' ? '' : `\n${rootHint}`;
    const done = `${status.prettyName} is ${isNew ? 'installed' : 'there already; nothing was downloaded'}.${hint}`;
    return { text: `${done}${notesOf(status)}`, data: { ...status, isNew } };
  });
}

const rootHint = 'Commands see it once settings.json says "sandbox": { "root": "userland" }.';

export function statusCommand(face: CommandLine, options: SandboxOptions): Promise<number> {
  return withUserland(face, options, async (userland) => {
    const status = await userland.status();
    return { text: `${describeStatus(status)}${notesOf(status)}`, data: status };
  });
}

export function basicCommand(face: CommandLine, options: SandboxOptions): Promise<number> {
  return withUserland(face, options, async (userland, watch) => {
    const status = await userland.addBasicPackages(watch);
    return { text: `The basic packages are installed in ${status.prettyName}.`, data: status };
  });
}

export function resetCommand(
  face: CommandLine,
  options: SandboxOptions & { readonly home?: boolean },
): Promise<number> {
  return withUserland(face, options, async (userland, watch) => {
    const status = await userland.reset({ withHome: options.home === true }, watch);
    const home = options.home === true ? 'The home was emptied too.' : 'The home was kept.';
    return { text: `${status.prettyName} is fresh again; every shell in it was ended. ${home}`, data: status };
  });
}

export function uninstallCommand(face: CommandLine, options: SandboxOptions): Promise<number> {
  return withUserland(face, options, async (userland) => {
    const wasThere = await userland.uninstall();
    const text = wasThere ? 'The userland was removed; the home was kept.' : 'There was no userland.';
    return { text, data: { wasThere } };
  });
}

export function listPackagesCommand(face: CommandLine, options: SandboxOptions): Promise<number> {
  return withUserland(face, options, async (userland) => describePackages(await userland.packages.list()));
}

export function searchPackagesCommand(
  face: CommandLine,
  query: string,
  options: SandboxOptions & { readonly limit?: number },
): Promise<number> {
  return withUserland(face, options, async (userland) => {
    const found = await userland.packages.search(query, options.limit === undefined ? {} : { limit: options.limit });
    if (found.length === 0) return { text: `No package fits "${query}".`, data: { packages: [] } };
    return describePackages(found);
  });
}

export function changePackagesCommand(
  face: CommandLine,
  action: 'install' | 'remove',
  names: readonly string[],
  options: SandboxOptions,
): Promise<number> {
  return withUserland(face, options, async (userland, watch) => {
    await userland.packages[action](names, watch);
    const done = action === 'install' ? 'Installed' : 'Removed';
    return {
      text: `${done}: ${names.join(', ')}`,
      data: action === 'install' ? { installed: names } : { removed: names },
    };
  });
}

/** The exit code is the shell's own. */
export async function shellCommand(face: CommandLine, options: SandboxOptions, command?: string): Promise<number> {
  const { stdin: input, stdout: output } = process;
  if (input.isTTY !== true || output.isTTY !== true) {
    throw new MisuseFailure('`sandbox shell` needs a terminal. From a script: handrail run bash \'{"command":"…"}\'');
  }
  const handrail = await face.open(options.workspace === undefined ? {} : { workspace: options.workspace });
  try {
    const { workspace } = handrail;
    process.stderr.write(`A shell in the sandbox (${await handrail.rung()}); leave it with exit.\n`);
    return await handrail.sandboxShell({ workspace, input, output, ...(command === undefined ? {} : { command }) });
  } finally {
    await handrail.close();
  }
}

type Outcome = { readonly text: string; readonly data: object };

async function withUserland(
  face: CommandLine,
  options: SandboxOptions,
  work: (userland: Userland, watch: UserlandWatch, handrail: Handrail) => Promise<Outcome>,
): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  const stop = createStopSignal();
  const lines = createProgressLines(process.stderr, { isJson: options.json === true });
  try {
    const userland = await handrail.userland(realFolder(options.workspace ?? process.cwd()));
    const watch = { onProgress: lines.progress, onOutput: lines.output, signal: stop.signal };
    const { text, data } = await work(userland, watch, handrail);
    lines.end();
    const printed = options.json === true ? JSON.stringify({ ok: true, text, data }) : escapeInvisible(text);
    await printAll(process.stdout, `${printed}\n`);
    return 0;
  } catch (error) {
    lines.end();
    if (error instanceof ToolFailure && error.code === 'invalid_input') throw new MisuseFailure(error.message);
    if (stop.signal.aborted && error instanceof ToolFailure && error.code === 'cancelled') return 130;
    throw error;
  } finally {
    stop.dispose();
    await handrail.close();
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    throw new MisuseFailure(`There is no folder ${folder}.`);
  }
}

function describeStatus(status: UserlandStatus): string {
  const force = status.isInForce
    ? 'commands run in it (sandbox.root is "userland")'
    : 'commands see this machine\'s own system (sandbox.root is "host-view")';
  if (status.state === 'absent') return `No userland is installed; ${force.replace('run in it', 'are refused')}.`;
  if (status.prettyName === undefined) return 'An installation was not finished: run the install command again.';
  const whole = status.state === 'ready' ? 'ready' : 'not finished: run the install command again';
  return [
    `${status.prettyName}: ${whole}`,
    `  packages    ${status.packageManager}, ${status.packages === 'basic' ? 'the basic set' : 'the bare system'}`,
    `  from        ${status.mirror}`,
    `  installed   ${status.installedAt}`,
    `  in          ${status.folder} (user ${status.owner})`,
    `  in force    ${force}`,
  ].join('\n');
}

const notesOf = ({ notes }: Pick<UserlandStatus, 'notes'>): string => notes.map((note) => `\n${note}`).join('');

function describePackages(packages: readonly UserlandPackage[]): Outcome {
  const text = packages.map(({ name, version, description }) => [name, version, description].join('\t').trimEnd());
  return { text: text.join('\n'), data: { packages } };
}
