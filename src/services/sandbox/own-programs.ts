/**
 * The programs that run in a sandbox before anything else does: they look at the mounts and hold descriptors that lead to us.
 * Where the system inside is a userland, commands can replace what lies there, so these are this machine's own, with their
 * libraries and a loader that takes no library from inside.
 */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { findNodeLibraries, type NodeLibraries } from '../net/node-libraries.ts';
import { prepareProgramFiles } from '../net/program-files.ts';
import { findProgram } from './find-bubblewrap.ts';
import type { Bind } from './sandbox-launch.ts';

/** Each is what starts it inside: words that need no quotes. */
export type OwnPrograms = {
  readonly shell: readonly string[];
  readonly stat: readonly string[];
  readonly env: readonly string[];
  /** Undefined: there is none. */
  readonly perl: readonly string[] | undefined;
};

/** Of a system that commands cannot change. */
export const systemPrograms: OwnPrograms = {
  ...{ shell: ['/bin/sh'], stat: ['stat'], env: ['/usr/bin/env'], perl: ['/usr/bin/perl'] },
};

/** Shows them read-only; below a folder of ours. */
export type BindOwnPrograms = (folder: string) => { readonly programs: OwnPrograms; readonly bind: Bind };

const inside = '/run/handrail-first';

/** What they are made of is looked up once. Rejects with ToolFailure('unavailable') and with system errors. */
export function createOwnPrograms(): BindOwnPrograms {
  let found: Found | undefined;
  return (folder) => {
    found ??= findAll();
    const { files, loader, isStatic } = found;
    const start = (name: string): readonly string[] => [
      ...(isStatic.has(name) ? [] : [`${inside}/lib/${loader}`, '--library-path', `${inside}/lib`]),
      `${inside}/lib/${name}`,
    ];
    return {
      programs: {
        ...{ shell: start('sh'), stat: start('stat'), env: start('env') },
        perl: files.has('perl') ? start('perl') : undefined,
      },
      bind: { source: prepareProgramFiles(folder, {}, { files, loader }), path: inside, isWritable: false },
    };
  };
}

type Found = NodeLibraries & { readonly isStatic: ReadonlySet<string> };

function findAll(): Found {
  const { files: known, loader } = findNodeLibraries();
  const path = loader === undefined ? undefined : known.get(loader);
  if (loader === undefined || path === undefined) throw notFound('the dynamic loader of this machine');
  const files = new Map([[loader, path]]);
  const isStatic = new Set<string>();
  for (const name of ['sh', 'stat', 'env', 'perl']) {
    const program = findProgram(name);
    if (program === undefined && name === 'perl') continue;
    if (program === undefined) throw notFound(name);
    const libraries = listLibraries(path, program);
    if (libraries === undefined) isStatic.add(name);
    for (const [own, source] of libraries ?? []) if (own !== loader) files.set(own, realpathSync(source));
    files.set(name, realpathSync(program));
  }
  return { files, loader, isStatic };
}

/** Undefined: it needs none. ld.so(8), `--list`; musl's loader knows it too. */
function listLibraries(loader: string, program: string): ReadonlyMap<string, string> | undefined {
  let text: string;
  try {
    text = execFileSync(loader, ['--list', program], {
      encoding: 'utf8',
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    // Of a program that is linked statically it says nothing but that.
    return undefined;
  }
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, path] = /^\s*(?:(\S+) => )?(\/\S+) \(0x/.exec(line) ?? [];
    if (path !== undefined) found.set(basename(name ?? path), path);
  }
  return found;
}

function notFound(what: string): ToolFailure {
  const message = `A Linux userland needs ${what} to be started safely, and it was not found, so no command was run. Install it, or set sandbox.root to "host-view".`;
  return new ToolFailure('unavailable', message);
}
