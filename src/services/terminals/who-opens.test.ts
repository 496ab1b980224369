import { expect, test } from 'vitest';
import {
  isRoot,
  makeOrdinaryFolder,
  ordinaryUid,
  runAsOrdinaryUser,
  runAsOurselves,
} from '../../../test/kit/ordinary-user.ts';

type Report = { readonly shown: string; readonly exitCode: number; readonly left: readonly string[] };

const script = 'test/fixtures/terminal-session.ts';
const whole = { exitCode: 3, left: [] };

test('[S28] an ordinary user has terminals with job control, and nothing of them is left', async () => {
  const folder = makeOrdinaryFolder();
  const report = (await runAsOrdinaryUser(script, {}, folder.path, { TMPDIR: folder.path })) as Report;
  folder.remove();
  expect(report).toMatchObject(whole);
  expect(report.shown).toContain(`${ordinaryUid}\n`);
});

test.runIf(isRoot)('[S28] root in a workspace of its own, and in another user’s, has them too', async () => {
  const own = (await runAsOurselves(script, {})) as Report;
  expect(own).toMatchObject(whole);
  const other = (await runAsOurselves(script, { owner: ordinaryUid })) as Report;
  expect(other).toMatchObject(whole);
  expect(other.shown).toContain(`${ordinaryUid}\n`);
});
