/** Commands that run another command given in their arguments, and how to find it there. */
import type { OptionTable } from './read-options.ts';

export type Wrapper = OptionTable & {
  /** Words between the options and the command. */
  readonly operands?: number;
  /** `NAME=value` words before the command are variables. */
  readonly takesAssignments?: boolean;
  /** Options after which the rest is not run (`command -v`). */
  readonly inert?: string;
  /** Options whose value is shell code. */
  readonly code?: string;
  /** The rest is joined by spaces and read by a shell. */
  readonly joins?: boolean;
  /** More words are added from outside (`xargs`). */
  readonly appends?: boolean;
  /** The command runs elsewhere: another machine or another root folder. */
  readonly isForeign?: boolean;
  /** The command runs in another directory when one of these options is given. */
  readonly moving?: string;
  /** It changes when or how hard a command works, nothing else: a rule for the inner command is enough. */
  readonly isTransparent?: boolean;
  /** The command begins behind the first `--`. */
  readonly afterDashes?: boolean;
  /** Only these first words run a command (`npm exec`). */
  readonly verbs?: string;
};

const sudoLong = 'user group host prompt chdir chroot close-from role type other-user command-timeout';

export const wrappers: Readonly<Record<string, Wrapper>> = {
  timeout: {
    values: 'ks',
    flags: 'vfp',
    longValues: 'kill-after signal',
    longFlags: 'foreground preserve-status verbose',
    operands: 1,
    isTransparent: true,
  },
  nice: { values: 'n', longValues: 'adjustment', isTransparent: true },
  ionice: {
    values: 'cnpPu',
    flags: 't',
    longValues: 'class classdata pid pgid uid',
    longFlags: 'ignore',
    isTransparent: true,
  },
  nohup: { isTransparent: true },
  setsid: { flags: 'cfw', longFlags: 'ctty fork wait', isTransparent: true },
  stdbuf: { values: 'ioe', longValues: 'input output error', isTransparent: true },
  chrt: {
    values: 'TPDp',
    flags: 'abfimorRv',
    longFlags: 'all-tasks batch fifo idle other rr reset-on-fork verbose',
    operands: 1,
    isTransparent: true,
  },
  taskset: { flags: 'acp', longFlags: 'all-tasks cpu-list pid', operands: 1, isTransparent: true },
  numactl: {
    values: 'NmpiCP',
    flags: 'abHls',
    longValues: 'cpunodebind membind interleave physcpubind preferred',
    longFlags: 'localalloc all balancing',
    isTransparent: true,
  },
  prlimit: { values: 'p', attached: 'cdefilmnqrstuvxy', longValues: 'pid', isLenient: true, isTransparent: true },
  'ssh-agent': { values: 'aEOPt', flags: 'cDdsk', isTransparent: true },
  'dbus-launch': { isLenient: true },
  eatmydata: { isTransparent: true },
  cpulimit: {
    values: 'lpeP',
    flags: 'zivm',
    longValues: 'limit pid exe path',
    longFlags: 'lazy include-children verbose',
  },
  'systemd-inhibit': { isLenient: true },
  'systemd-cat': { values: 'tp', isLenient: true },
  lckdo: { values: 'W', flags: 'wesxqE', operands: 1 },
  tini: { values: 'pe', flags: 'sgvw' },
  'dumb-init': { values: 'r', flags: 'cvV', isLenient: true },
  gosu: { operands: 1 },
  'su-exec': { operands: 1 },
  setuidgid: { operands: 1 },
  envdir: { operands: 1 },
  runcon: { values: 'turl', flags: 'c', operands: 1 },
  'aa-exec': { values: 'pn', flags: 'divh', longValues: 'profile namespace', isLenient: true },
  watchexec: { afterDashes: true },
  kubectl: { verbs: 'exec', afterDashes: true, isForeign: true },
  lxc: { verbs: 'exec', afterDashes: true, isForeign: true },
  toolbox: { verbs: 'run', values: 'cd', isForeign: true },
  'distrobox-enter': { afterDashes: true, isForeign: true },
  'flatpak-spawn': { isForeign: true, isLenient: true },
  chronic: { flags: 've', isTransparent: true },
  ifne: { flags: 'n', isTransparent: true },
  unbuffer: { flags: 'p', isTransparent: true },
  catchsegv: { isTransparent: true },
  fakeroot: { values: 'lsib', flags: 'uv', longValues: 'lib faked', longFlags: 'unknown-is-real' },
  faketime: { values: 'f', flags: 'm', longFlags: 'exclude-monotonic', operands: 1 },
  linux32: { isLenient: true },
  linux64: { isLenient: true },
  i386: { isLenient: true },
  command: { flags: 'pvV', inert: 'vV', isTransparent: true },
  builtin: { isTransparent: true },
  exec: { values: 'a', flags: 'cl', isTransparent: true },
  noglob: {},
  nocorrect: {},
  '-': {},
  time: {
    values: 'fo',
    flags: 'apqvV',
    longValues: 'format output',
    longFlags: 'append portability quiet verbose',
    isTransparent: true,
  },
  gtime: {
    values: 'fo',
    flags: 'apqvV',
    longValues: 'format output',
    longFlags: 'append portability quiet verbose',
    isTransparent: true,
  },
  env: {
    values: 'uCS',
    flags: 'i0v',
    longValues: 'unset chdir split-string',
    longFlags: 'ignore-environment null debug block-signal default-signal ignore-signal list-signal-handling',
    takesAssignments: true,
    moving: 'C chdir',
    isTransparent: true,
  },
  xargs: {
    values: 'aEdILnPsR',
    attached: 'eil',
    flags: '0topxr',
    appends: true,
    longValues: 'arg-file delimiter max-args max-procs max-chars process-slot-var',
    longFlags: 'null eof replace max-lines interactive verbose exit no-run-if-empty open-tty show-limits',
  },
  sudo: {
    values: 'CDghpRrTtUu',
    flags: 'AbBEeHiKklNnPSsvV',
    longValues: sudoLong,
    longFlags:
      'askpass background bell edit set-home login remove-timestamp reset-timestamp list no-update non-interactive preserve-env preserve-groups stdin shell validate version',
    takesAssignments: true,
    moving: 'D chdir R chroot i login',
  },
  doas: { values: 'uC', flags: 'nsL' },
  pkexec: { longValues: 'user', longFlags: 'disable-internal-agent keep-cwd version' },
  run0: {
    values: 'ugD',
    longValues: 'user group chdir unit property description slice nice setenv background machine',
    longFlags: 'no-ask-password via-shell',
    moving: 'D chdir machine',
  },
  busybox: {},
  toybox: {},
  chroot: { longValues: 'userspec groups', longFlags: 'skip-chdir', operands: 1, isForeign: true },
  unshare: {
    values: 'RwSGl',
    flags: 'imnpuUCTfrc',
    longValues:
      'root wd setuid setgid setgroups propagation map-user map-group map-users map-groups monotonic boottime load-interp',
    longFlags:
      'ipc mount net pid uts user cgroup time fork map-root-user map-current-user map-auto keep-caps kill-child mount-proc',
    moving: 'R w root wd m mount',
  },
  nsenter: {
    values: 'tSG',
    attached: 'mupinUCrwT',
    flags: 'aFZec',
    longValues: 'target setuid setgid',
    longFlags: 'all no-fork follow-context mount uts ipc net pid user cgroup time root wd env preserve-credentials',
    isForeign: true,
  },
  setpriv: {
    longValues:
      'reuid regid ruid rgid euid egid groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label apparmor-profile',
    longFlags: 'clear-groups keep-groups init-groups no-new-privs nnp reset-env',
  },
  cgexec: { values: 'g', longFlags: 'sticky' },
  'systemd-run': {
    values: 'puHMGE',
    flags: 'tPqrdS',
    longValues:
      'property unit description slice setenv uid gid nice working-directory service-type machine host on-active on-calendar',
    longFlags:
      'scope user system pty pipe quiet wait collect remain-after-exit no-block same-dir shell send-sighup no-ask-password',
    moving: 'working-directory machine host M H',
  },
  watch: {
    values: 'nqs',
    flags: 'bcdegptxwrCfh',
    longValues: 'interval equexit shotsdir',
    longFlags: 'beep color differences errexit chgexit exec no-title no-wrap no-rerun precise',
    joins: true,
  },
  strace: { values: 'abeEIoOpPsSuUX', flags: 'AcCdDfFhiknqrtTvVwxyYzZ', isLenient: true },
  ltrace: { values: 'aADeFlnopsuwxX', flags: 'bcCfhiLrStTV', isLenient: true },
  valgrind: { flags: 'qv', isLenient: true },
  'dbus-run-session': { longValues: 'config-file dbus-daemon' },
  'xvfb-run': {
    values: 'enfpsw',
    flags: 'al',
    longValues: 'error-file server-num auth-file xauth-protocol server-args wait',
    longFlags: 'auto-servernum listen-tcp',
  },
  proxychains: { values: 'f', flags: 'q' },
  proxychains4: { values: 'f', flags: 'q' },
  torsocks: { isLenient: true },
  torify: { isLenient: true },
  rlwrap: { values: 'bCDefgHlMOPqsStwz', flags: 'acimnNorRvX', isLenient: true },
  sshpass: { values: 'fdpP', flags: 'ehv' },
  ssh: {
    values: 'BbcDEeFIiJLlmOoPpQRSWw',
    flags: '46AaCfGgKkMNnqsTtVvXxYy',
    operands: 1,
    joins: true,
    isForeign: true,
  },
  entr: { flags: 'acdnprxz', values: '', appends: true },
  bwrap: { afterDashes: true, isForeign: true },
  proot: { afterDashes: true, isForeign: true },
  firejail: { afterDashes: true, isForeign: true },
  'systemd-nspawn': { afterDashes: true, isForeign: true },
  'gnome-terminal': { afterDashes: true },
  npx: {
    values: 'pcw',
    flags: 'yq',
    longValues: 'package call workspace',
    longFlags: 'yes no quiet ignore-existing no-install workspaces',
    code: 'c call',
  },
  bunx: { flags: 'y', longFlags: 'bun silent' },
  pnpx: {},
  uvx: { values: 'pw', longValues: 'from with python index-url', isLenient: true },
  npm: {
    verbs: 'exec x',
    values: 'pcw',
    flags: 'yq',
    longValues: 'package call workspace',
    longFlags: 'yes no quiet workspaces',
    code: 'c call',
  },
  pnpm: {
    verbs: 'exec dlx',
    flags: 'rc',
    longValues: 'package filter',
    longFlags: 'recursive parallel shell-mode',
    joins: true,
  },
  yarn: { verbs: 'exec dlx', values: 'p', flags: 'q', longValues: 'package', longFlags: 'quiet', joins: true },
  bundle: { verbs: 'exec', longFlags: 'keep-file-descriptors' },
  poetry: { verbs: 'run', values: 'CP', isLenient: true },
  pipenv: { verbs: 'run' },
  rye: { verbs: 'run', isLenient: true },
  hatch: { verbs: 'run', isLenient: true },
  rbenv: { verbs: 'exec' },
  pyenv: { verbs: 'exec' },
  pdm: { verbs: 'run', isLenient: true },
  mise: { verbs: 'exec x', afterDashes: true },
  uv: {
    verbs: 'run',
    values: 'mpwC',
    flags: 'qvsn',
    longValues:
      'with python package extra group project directory env-file index index-url with-requirements with-editable no-group only-group module script',
    longFlags:
      'isolated no-project no-sync locked frozen active all-extras all-groups no-dev dev offline no-cache quiet verbose refresh',
    moving: 'directory',
  },
  conda: {
    verbs: 'run',
    values: 'np',
    longValues: 'name prefix cwd',
    longFlags: 'no-capture-output live-stream dev debug-wrapper-scripts',
    moving: 'cwd',
  },
  mamba: {
    verbs: 'run',
    values: 'np',
    longValues: 'name prefix cwd',
    longFlags: 'no-capture-output live-stream',
    moving: 'cwd',
  },
  direnv: { verbs: 'exec', operands: 1 },
};
