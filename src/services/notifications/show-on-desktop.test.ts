import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { showOnDesktop } from './show-on-desktop.ts';

const notice = { id: '1', title: '--urgency=critical', message: 'a <b>bold</b> & "quoted" $(id)' };

/** A `notify-send` that writes down what it was given. */
function desktop(exitCode = 0) {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const seen = path.join(folder, 'seen');
  const program = path.join(folder, 'notify-send');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$DBUS_SESSION_BUS_ADDRESS" "$@" > ${seen}\nexit ${exitCode}\n`);
  chmodSync(program, 0o755);
  return { seen, environment: { PATH: `${folder}:/usr/bin:/bin` } };
}

test('[K29] a desktop session shows it, as words and never as options or markup', async () => {
  const { seen, environment } = desktop();
  expect(await showOnDesktop(notice, { ...environment, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' })).toBe(true);
  expect(readFileSync(seen, 'utf8').split('\n').slice(0, 5)).toEqual([
    'unix:path=/nowhere',
    '--app-name=Handrail',
    '--',
    '--urgency=critical',
    'a &lt;b&gt;bold&lt;/b&gt; &amp; "quoted" $(id)',
  ]);
});

test('[K29] without a session nothing is started', async () => {
  const { seen, environment } = desktop();
  expect(await showOnDesktop(notice, { ...environment, XDG_RUNTIME_DIR: '/nowhere' })).toBe(false);
  expect(existsSync(seen)).toBe(false);
});

test('[K29] a desktop that refuses, or has no notify-send, has not shown it', async () => {
  const { environment } = desktop(1);
  const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  expect(await showOnDesktop(notice, { ...environment, ...bus })).toBe(false);
  expect(await showOnDesktop(notice, { PATH: '/nowhere', ...bus })).toBe(false);
});
