import { expect, it } from 'vitest';
import { buildProotArgs, type ProotPlan } from './proot-args.ts';

it('what is hidden in the workspace is covered, and only a version that rewrites statx ends its tree by itself', () => {
  const plan: ProotPlan = {
    proot: { path: '/usr/bin/proot', version: '5.4.0', rewritesStatx: true },
    root: '/r',
    emptyFolder: '/e',
    sharesNetwork: true,
    runAs: { uid: 1, gid: 1, manner: 'self', insideUid: 1, insideGid: 1 },
    rootLinks: [],
    systemFolders: ['/usr'],
    userland: undefined,
    etc: { source: '/etc-1', bound: ['fonts'] },
    home: { source: '/h', path: '/home/handrail' },
    workspace: { source: '/w', path: '/w' },
    hidden: [
      { path: '/w/.ssh', kind: 'folder', id: '1:1', pins: [] },
      { path: '/w/.netrc', kind: 'file', id: '1:2', pins: [] },
    ],
    binds: [],
    keepsTerminal: false,
    environment: {},
  };
  const text = buildProotArgs(plan).join(' ');
  expect(text).toBe(
    '-r /r -w / --kill-on-exit -b /proc -b /dev -b /tmp -b /etc-1:/etc -b /usr -b /etc/fonts -b /h:/home/handrail -b /w -b /e:/w/.ssh -b /dev/null:/w/.netrc',
  );
  expect(buildProotArgs({ ...plan, proot: { ...plan.proot, rewritesStatx: false } })).not.toContain('--kill-on-exit');
});
