/** The bash of a conversation on the host rung. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { controlPathName, createConnectionFolder } from '../../ssh/connection-folder.ts';
import { hostEnvironment } from '../../sandbox/sandbox-environment.ts';
import { findBash } from '../find-bash.ts';
import { planHunt } from '../hunt.ts';
import { spawnProgram } from '../spawn-program.ts';
import { setLimits } from '../start-on-host.ts';
import { bashOptions, quietEnvironment } from './bash-options.ts';
import { createShellFolder, type ShellFolder } from './shell-folder.ts';
import { processesFound } from './shell-processes.ts';
import { openTalk, type Talk } from './shell-talk.ts';
import type { Bash, BashStart } from './start-bash.ts';

const markName = 'HANDRAIL_COMMAND';

export async function startBashOnHost(start: BashStart): Promise<Bash> {
  const own = hostEnvironment(start.environment);
  const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  const limits = start.sandbox.limits.group({ isOnHost: true });
  const mark = randomUUID();
  const plan = planHunt(`${markName}=${mark}`, limits.hold);
  const folder = makeFolder(start);
  let talk: Talk | undefined;
  const release = async (): Promise<void> => {
    talk?.close();
    folder.close();
    await limits.remove();
  };
  try {
    await folder.prepare(owner, start.onSide, false);
    talk = await openTalk(start.pool, owner, start.onStatus);
    const [file, ...args] = limits.enter(plan.enter(setLimits(limits, [findBash(), ...bashOptions])));
    const program = await spawnProgram({
      file,
      args,
      environment: { ...own, ...quietEnvironment, [markName]: mark, [controlPathName]: folder.controlPath },
      cwd: start.workspace,
      streams: [{ opened: talk.control.openInput() }, 'none', { opened: talk.noise.openWriter() }],
      shadowed: start.shadowed,
      handles: [{ opened: talk.status.openWriter() }],
    });
    talk.begin();
    const hunt = plan.begin(program.pid, []);
    const stopWatching = limits.watch({
      pid: program.pid,
      paths: [start.workspace, own['HOME'] ?? '/', '/tmp'],
      innerPaths: [],
      onExceeded: () => hunt.target.kill(),
    });
    return {
      folder,
      io: folder.path,
      handle: 3,
      home: own['HOME'] ?? '/',
      send: talk.send,
      exited: program.exited,
      processes: (shellPid, shellMark) => processesFound(shellPid, shellMark, hunt.pids),
      addMark: hunt.addMark,
      target: hunt.target,
      limits,
      startFailure: () => Promise.resolve(undefined),
      async release() {
        stopWatching();
        const notes = await hunt.finish(false);
        await release();
        return notes;
      },
    };
  } catch (error) {
    await plan.remove();
    await release();
    throw error;
  }
}

/** With a place beside it for the connections that ssh shares. */
function makeFolder({ ioParent = tmpdir(), maxPairs }: BashStart): ShellFolder & { readonly controlPath: string } {
  mkdirSync(ioParent, { recursive: true, mode: 0o700 });
  const folder = createShellFolder(ioParent, maxPairs);
  const connections = createConnectionFolder();
  const close = (): void => {
    folder.close();
    connections.close();
  };
  return { ...folder, controlPath: connections.controlPath, close };
}
