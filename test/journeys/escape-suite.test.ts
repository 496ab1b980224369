/** The escape suite: some hundred attempts from inside, per user and rung, and each of them once more without its guard. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { absent, type Attempt, attempts, type Guard } from '../kit/escape-attempts.ts';
import { isRoot, makeOrdinaryFolder, ordinaryUid, runAsOrdinaryUser } from '../kit/ordinary-user.ts';
import { podmanHere } from '../kit/podman-here.ts';
import { type EscapeReport, tryToEscape } from '../kit/try-to-escape.ts';

const forEverybody: readonly Guard[] = ['view', 'processes', 'ipc', 'network', 'filter', 'capabilities', 'environment'];
const forRoot: readonly Guard[] = ['namespace', 'read-only'];

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-escape-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Those that must get out once `guard` is gone. */
function twins(guard: Guard, asRoot: boolean): string[] {
  return attempts.filter((attempt) => attempt.guard === guard && hasTwin(attempt, asRoot)).map(({ name }) => name);
}

const hasTwin = ({ needsRoot, onlyWith }: Attempt, asRoot: boolean): boolean =>
  (needsRoot !== true || asRoot) && (onlyWith === undefined || existsSync(onlyWith));

function expectHeld(report: EscapeReport): void {
  expect(report.problems).toEqual([]);
  expect(report.escaped['none']).toEqual([]);
  expect(report.found).toEqual([]);
}

function expectTwins(report: EscapeReport, guards: readonly Guard[], asRoot: boolean): void {
  for (const guard of guards) {
    expect(report.escaped[guard], `without "${guard}"`).toEqual(expect.arrayContaining(twins(guard, asRoot)));
  }
}

it('[A28] the suite has its size', () => {
  expect(attempts.length + absent.length).toBeGreaterThanOrEqual(100);
  expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length);
});

describe('in namespaces', () => {
  it.runIf(isRoot)(
    '[A28] nothing gets out as root in root’s workspace, and everything does without its guard',
    async () => {
      const guards = [...forEverybody, ...forRoot];
      const report = await tryToEscape({ base, guards });
      expectHeld(report);
      expectTwins(report, guards, true);
    },
  );

  it.runIf(isRoot)(
    '[A28] nothing gets out as root in a user’s workspace, and everything does without its guard',
    async () => {
      const folder = makeOrdinaryFolder();
      try {
        const report = await tryToEscape({ base: folder.path, guards: forEverybody, uid: ordinaryUid });
        expectHeld(report);
        expectTwins(report, forEverybody, false);
      } finally {
        folder.remove();
      }
    },
  );

  it('[A28] nothing gets out as an ordinary user, and everything does without its guard', async () => {
    const folder = makeOrdinaryFolder();
    try {
      const environment = { TMPDIR: folder.path, HANDRAIL_TEST_KEY: 'canary-7f3a' };
      const session = 'test/fixtures/escape-session.ts';
      const report = (await runAsOrdinaryUser(
        session,
        { guards: forEverybody },
        folder.path,
        environment,
      )) as EscapeReport;
      expectHeld(report);
      expectTwins(report, forEverybody, false);
    } finally {
      folder.remove();
    }
  });
});

describe('in a container', () => {
  it('[A28] nothing gets out of podman’s in one’s own workspace', async () => {
    expectHeld(
      await tryToEscape({ base, guards: [], rung: 'container', sandbox: { findContainer: await podmanHere() } }),
    );
  });

  it.runIf(isRoot)('[A28] nothing gets out of podman’s as root in a user’s workspace', async () => {
    const sandbox = { findContainer: await podmanHere() };
    expectHeld(await tryToEscape({ base, guards: [], rung: 'container', sandbox, uid: ordinaryUid }));
  });
});

describe('under proot', () => {
  it('[A33] the machine is within reach: it is compatibility, not isolation', async () => {
    const open = [
      'a file beside the workspace',
      'seeing a process of the machine',
      'shared memory of the machine',
      'a service of the machine on 127.0.0.1',
    ];
    const { escaped } = await tryToEscape({ base, guards: [], rung: 'proot', only: open });
    expect(escaped['none']).toEqual(open);
  });
});
