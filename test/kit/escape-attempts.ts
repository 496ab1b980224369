/**
 * Attempts to get out of the sandbox. Each is a line of shell that prints something exactly when it succeeded, and names the
 * guards that hold it: with all of these taken away it must succeed, or the test would prove nothing.
 */

export type Guard =
  /** Only what commands need is there to be seen. */
  | 'view'
  /** Processes are numbered anew. */
  | 'processes'
  | 'ipc'
  | 'network'
  /** The filter of system calls, and bubblewrap's own block of user namespaces. */
  | 'filter'
  /** No capability, in a user namespace of the sandbox's own. */
  | 'capabilities'
  /** Root is not the machine's root: the user namespace itself. */
  | 'namespace'
  /** The kernel's knobs and the system folders are read-only. */
  | 'read-only'
  /** What is secret comes by a pipe or not at all. */
  | 'environment';

export type Attempt = {
  readonly name: string;
  readonly guard: Guard;
  readonly script: string;
  /** An ordinary user cannot do it on the machine itself either: for such a user there is no twin. */
  readonly needsRoot?: boolean;
  /** Not every kernel can do it: a path that is there where it can. */
  readonly onlyWith?: string;
};

/** Numbers of system calls: x64 and arm64. */
const numbers = {
  keyctl: [250, 219], addKey: [248, 217], requestKey: [249, 218], ioUring: [425, 425], perf: [298, 241], userfault: [323, 282],
  syslog: [103, 116], mqOpen: [240, 180], processRead: [310, 270], pidfdOpen: [434, 434], pidfdGet: [438, 438],
  mount: [165, 40], umount: [166, 39], pivotRoot: [155, 41], fsopen: [430, 430], openTree: [428, 428], setns: [308, 268],
  acct: [163, 89], quotactl: [179, 60], swapon: [167, 224], adjtimex: [159, 171], initModule: [175, 105], kexec: [246, 104],
  openByHandle: [304, 265], nameToHandle: [303, 264], setpriority: [141, 140], prlimit: [302, 261], unshare: [272, 97],
  ptrace: [101, 117], chroot: [161, 51], mknodat: [259, 33], iopl: [172, 9999], reboot: [169, 142], fchownat: [260, 54],
} as const; // prettier-ignore

const call = (name: keyof typeof numbers): number => numbers[name][process.arch === 'arm64' ? 1 : 0];

/** A system call by its number; words are strings, `buf` is 4 KiB. Prints ok or why not. */
const sys = (name: keyof typeof numbers, ...args: (string | number)[]): string =>
  `perl -e 'my $b = "\\0" x 4096; my @a = map { /^-?\\d+$/ ? 0 + $_ : $_ eq "buf" ? $b : "$_\\0" } @ARGV; print syscall($a[0], @a[1..$#a]) < 0 ? "$!" : "ok"' -- ${[call(name), ...args].map((arg) => `"${arg}"`).join(' ')}`;

/** Succeeded, or was refused for another reason than a missing right. */
const passes = (command: string): string =>
  `${command} | grep -v -e 'not permitted' -e 'not implemented' -e 'Permission denied'`;

const connect = (path: string): string =>
  `perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); print "in" if connect(S,pack_sockaddr_un($ARGV[0] =~ s/^@/\\0/r))' -- "${path}"`;

const family = (number: number, kind: number, protocol = 0): string =>
  `perl -e 'print socket(S, ${number}, ${kind}, ${protocol}) ? "in" : $!{EPERM} || "$!" =~ /not supported/ ? "" : "$!"'`;

/** Set for every script: OUT (a folder beside the workspace), HOST_PID, HOST_PORT, HOST_PORT_6, HOST_PORT_UDP, HOST_NAME (an abstract socket), RUN_USER, IPC_KEY, QUEUE. */
export const attempts: readonly Attempt[] = [
  ...(
    [
      ['docker’s socket', '/run/docker.sock'],
      ['docker’s socket by its old name', '/var/run/docker.sock'],
      ['podman’s socket', '/run/podman/podman.sock'],
      ['containerd’s socket', '/run/containerd/containerd.sock'],
      ['the system’s D-Bus', '/run/dbus/system_bus_socket'],
      ['the session’s D-Bus', '$RUN_USER/bus'],
      ['systemd’s private socket', '/run/systemd/private'],
      ['the ssh agent', '$RUN_USER/ssh-agent.socket'],
      ['the gpg agent', '$RUN_USER/gnupg/S.gpg-agent'],
      ['the keyring', '$RUN_USER/keyring/control'],
      ['Wayland', '$RUN_USER/wayland-0'],
      ['PipeWire', '$RUN_USER/pipewire-0'],
      ['X11 by its file', '/tmp/.X11-unix/X0'],
    ] as const
  ).map(([name, path]): Attempt => ({ name, guard: 'view', script: connect(path) })),
  { name: 'a file beside the workspace', guard: 'view', script: 'cat "$OUT/canary"' },
  { name: 'the user’s ssh key', guard: 'view', script: 'cat "$OUT/home/.ssh/id_ed25519"' },
  { name: 'the user’s gpg key', guard: 'view', script: 'cat "$OUT/home/.gnupg/private"' },
  { name: 'a browser’s profile', guard: 'view', script: 'cat "$OUT/home/.mozilla/logins.json"' },
  { name: 'a key of a cloud', guard: 'view', script: 'cat "$OUT/home/.aws/credentials"' },
  { name: 'our own state', guard: 'view', script: 'cat "$OUT/state/secrets.json"' },
  { name: 'another conversation’s workspace', guard: 'view', script: 'cat "$OUT/other/notes"' },
  { name: 'a link out of the workspace', guard: 'view', script: 'ln -s "$OUT/canary" l1 && cat l1' },
  { name: 'a link to a folder outside', guard: 'view', script: 'ln -s "$OUT" l2 && cat l2/canary' },
  { name: 'a hard link out of the workspace', guard: 'view', script: 'ln "$OUT/canary" l3 && cat l3' },
  { name: 'the way up from the workspace', guard: 'view', script: 'cat "../outside/canary"' },
  { name: 'the way by the first process’s root', guard: 'view', script: 'cat "/proc/1/root$OUT/canary"' },
  { name: 'the way by one’s own root', guard: 'view', script: 'cat "/proc/self/root$OUT/canary"' },
  { name: 'the way by one’s own folder', guard: 'view', script: 'cat "/proc/self/cwd/../outside/canary"' },
  { name: 'moving the workspace’s parent away', guard: 'view', script: 'mv "$OUT" "$OUT-moved" && mv "$OUT-moved" "$OUT" && echo moved' },

  { name: 'seeing a process of the machine', guard: 'processes', script: '[ -d "/proc/$HOST_PID" ] && echo seen' },
  { name: 'a signal to it', guard: 'processes', script: 'kill -0 "$HOST_PID" && echo sent' },
  { name: 'its command line', guard: 'processes', script: 'grep -a handrail-victim "/proc/$HOST_PID/cmdline"' },
  { name: 'its limits', guard: 'processes', script: sys('prlimit', '$HOST_PID', 7, 0, 'buf') + ' | grep ok' },
  { name: 'its priority', guard: 'processes', script: sys('setpriority', 0, '$HOST_PID', 19) + ' | grep ok' },
  { name: 'a handle of it (pidfd)', guard: 'processes', script: sys('pidfdOpen', '$HOST_PID', 0) + ' | grep ok' },
  { name: 'its environment', guard: 'processes', needsRoot: true, script: 'grep -a canary-7f3a "/proc/$HOST_PID/environ"' },
  { name: 'its memory', guard: 'processes', needsRoot: true, script: '(exec 9<"/proc/$HOST_PID/mem") && echo open' },
  { name: 'its descriptors', guard: 'processes', needsRoot: true, script: 'ls "/proc/$HOST_PID/fd" | grep 0' },
  { name: 'its root', guard: 'processes', needsRoot: true, script: 'cat "/proc/$HOST_PID/root$OUT/canary"' },
  { name: 'its folder', guard: 'processes', needsRoot: true, script: 'cat "/proc/$HOST_PID/cwd/canary"' },
  { name: 'tracing it', guard: 'processes', needsRoot: true, script: sys('ptrace', 0x4206, '$HOST_PID', 0, 0) + ' | grep ok' },
  { name: 'its namespaces', guard: 'processes', needsRoot: true, script: 'readlink "/proc/$HOST_PID/ns/net"' },

  { name: 'shared memory of the machine', guard: 'ipc', script: 'ipcs -m | grep -i "$IPC_KEY"' },
  { name: 'a semaphore of the machine', guard: 'ipc', script: 'ipcs -s | grep -i "$IPC_KEY"' },
  { name: 'a message queue of the machine', guard: 'ipc', script: 'ipcs -q | grep -i "$IPC_KEY"' },
  { name: 'a POSIX message queue of the machine', guard: 'ipc', script: sys('mqOpen', '$QUEUE', 2, 0, 0) + ' | grep ok' },

  { name: 'a service of the machine on 127.0.0.1', guard: 'network', script: '(exec 5<>"/dev/tcp/127.0.0.1/$HOST_PORT") && echo in' },
  { name: 'a service of the machine on ::1', guard: 'network', script: '(exec 5<>"/dev/tcp/::1/$HOST_PORT_6") && echo in' },
  { name: 'a service of the machine on UDP', guard: 'network', script: 'perl -MSocket -e \'socket(S,PF_INET,SOCK_DGRAM,0); connect(S,pack_sockaddr_in($ARGV[0],inet_aton("127.0.0.1"))); send(S,"x",0); select(undef,undef,undef,0.05); print "in" if defined send(S,"x",0)\' -- "$HOST_PORT_UDP"' },
  { name: 'an abstract socket of the machine (X11, D-Bus)', guard: 'network', script: connect('@$HOST_NAME') },
  { name: 'the list of the machine’s sockets', guard: 'network', script: 'grep "$HOST_NAME" /proc/net/unix' },
  { name: 'the list of the machine’s connections', guard: 'network', script: 'grep -i ":$(printf %04X "$HOST_PORT") 00000000:0000 0A" /proc/net/tcp' },

  { name: 'the kernel’s keyring', guard: 'filter', script: sys('keyctl', 0, -3, 1) + ' | grep ok' },
  { name: 'a key in the kernel', guard: 'filter', script: sys('addKey', 'user', 'handrail', 'buf', 4, -2) + ' | grep ok' },
  { name: 'asking for a key', guard: 'filter', script: passes(sys('requestKey', 'user', 'handrail-none', 0, 0)) },
  { name: 'io_uring', guard: 'filter', script: passes(sys('ioUring', 4, 'buf')) },
  { name: 'handling faults of memory (userfaultfd)', guard: 'filter', script: sys('userfault', 1) + ' | grep ok' },
  { name: 'a user namespace (unshare)', guard: 'filter', script: 'unshare -U true && echo nested' },
  { name: 'a user namespace with a network', guard: 'filter', script: 'unshare -Un true && echo nested' },
  { name: 'a user namespace by a raw call', guard: 'filter', script: sys('unshare', 0x10000000) + ' | grep ok' },
  { name: 'typing into a terminal (TIOCSTI)', guard: 'filter', script: `python3 -c '
import fcntl, os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    try:
        fcntl.ioctl(0, 0x5412, b"x")
        os._exit(7)
    except OSError as error:
        os._exit(7 if error.errno != 1 else 0)
if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7: print("typed")'` },
  { name: 'a socket to the hypervisor (vsock)', guard: 'filter', script: family(40, 1) },
  { name: 'a socket of the kernel’s crypto', guard: 'filter', onlyWith: '/sys/module/af_alg', script: family(38, 5) },

  { name: 'mounting', guard: 'capabilities', script: sys('mount', 'none', '/tmp', 'tmpfs', 0, 0) + ' | grep ok' },
  { name: 'unmounting what covers something', guard: 'capabilities', script: sys('umount', '/run', 2) + ' | grep ok' },
  { name: 'making /usr writable', guard: 'capabilities', needsRoot: true, script: sys('mount', 'none', '/usr', 0, 0x1000 | 32, 0) + ' | grep ok' },
  { name: 'the newer way to mount (fsopen)', guard: 'capabilities', script: sys('fsopen', 'tmpfs', 0) + ' | grep ok' },
  { name: 'copying a tree of mounts', guard: 'capabilities', script: sys('openTree', -100, '/tmp', 1) + ' | grep ok' },
  { name: 'another root (chroot)', guard: 'capabilities', script: sys('chroot', '/tmp') + ' | grep ok' },
  { name: 'another root (pivot_root)', guard: 'capabilities', script: passes(sys('pivotRoot', '/', '/')) },
  { name: 'entering a namespace', guard: 'capabilities', script: `perl -e 'open(N, "<", "/proc/self/ns/uts"); print "in" if syscall(${call('setns')}, fileno(N), 0) == 0'` },
  { name: 'another name for the machine', guard: 'capabilities', script: 'hostname handrail-renamed && echo renamed' },
  { name: 'raw packets', guard: 'capabilities', script: family(2, 3, 1) },
  { name: 'raw frames', guard: 'capabilities', script: family(17, 3) },
  { name: 'an interface of the network', guard: 'capabilities', script: `perl -e 'socket(S, 2, 2, 0); my $r = pack("a16 s x22", "lo", 0x49); print "set" if ioctl(S, 0x8914, $r)'` },

  { name: 'a device of the machine', guard: 'namespace', needsRoot: true, script: sys('mknodat', -100, 'device', 0o20600, 0x101) + ' | grep ok' },
  { name: 'giving files away', guard: 'namespace', needsRoot: true, script: 'touch mine && chown 12345 mine && echo given' },
  { name: 'becoming another user', guard: 'namespace', needsRoot: true, script: 'setpriv --reuid 12345 --clear-groups id -u | grep 12345' },
  { name: 'a file by its handle', guard: 'namespace', needsRoot: true, script: passes(sys('openByHandle', -100, 'buf', 0)) },
  { name: 'the clock', guard: 'namespace', needsRoot: true, script: `perl -e 'my $b = pack("I", 0x4000) . "\\0" x 300; print "set" if syscall(${call('adjtimex')}, $b) >= 0 || !$!{EPERM}'` },
  { name: 'the kernel’s log', guard: 'namespace', needsRoot: true, script: sys('syslog', 10, 'buf', 0) + ' | grep ok' },
  { name: 'accounting of processes', guard: 'namespace', needsRoot: true, script: passes(sys('acct', '/nowhere')) },
  { name: 'swap', guard: 'namespace', needsRoot: true, script: passes(sys('swapon', '/nowhere', 0)) },
  { name: 'a module of the kernel', guard: 'namespace', needsRoot: true, onlyWith: '/proc/modules', script: passes(sys('initModule', 'buf', 0, 'buf')) },
  { name: 'another kernel (kexec)', guard: 'namespace', needsRoot: true, onlyWith: '/sys/kernel/kexec_loaded', script: passes(sys('kexec', 0, 99, 0, 0)) },
  { name: 'a restart of the machine', guard: 'namespace', needsRoot: true, script: passes(sys('reboot', 0, 0, 0, 0)) },

  { name: 'the kernel’s settings', guard: 'read-only', needsRoot: true, script: '[ -w /proc/sys/kernel/panic ] && echo writable' },
  { name: 'what runs at a crash (core_pattern)', guard: 'read-only', needsRoot: true, script: '[ -w /proc/sys/kernel/core_pattern ] && echo writable' },
  { name: 'what loads modules (modprobe)', guard: 'read-only', needsRoot: true, onlyWith: '/proc/sys/kernel/modprobe', script: '[ -w /proc/sys/kernel/modprobe ] && echo writable' },
  { name: 'sysrq', guard: 'read-only', needsRoot: true, onlyWith: '/proc/sysrq-trigger', script: '[ -w /proc/sysrq-trigger ] && echo writable' },
  { name: 'memory of the kernel (drop_caches)', guard: 'read-only', needsRoot: true, script: '[ -w /proc/sys/vm/drop_caches ] && echo writable' },
  { name: 'what protects links', guard: 'read-only', needsRoot: true, script: '[ -w /proc/sys/fs/protected_symlinks ] && echo writable' },
  { name: 'the machine’s /usr', guard: 'read-only', needsRoot: true, script: '[ -w /usr/bin ] && echo writable' },

  { name: 'a key of ours in the environment', guard: 'environment', script: 'printenv HANDRAIL_TEST_KEY' },
  { name: 'a key of ours in the first process’s environment', guard: 'environment', script: 'tr "\\0" "\\n" </proc/1/environ | grep HANDRAIL_TEST_KEY' },
]; // prettier-ignore

/** Where nothing is to be found whatever guards there are: they have no twin, because no guard of ours makes them so. */
export const absent: readonly { readonly name: string; readonly script: string }[] = [
  { name: '/dev/mem, /dev/kmsg, disks', script: 'ls /dev/mem /dev/kmsg /dev/port /dev/sd* /dev/vd* /dev/nvme* /dev/kvm /dev/fuse /dev/net' },
  { name: 'control groups', script: 'ls /sys/fs/cgroup; ls /proc/self/root/sys' },
  { name: 'release_agent', script: 'find / -name release_agent -not -path "/proc/*"' },
  { name: 'capabilities by a setuid program', script: 'find /usr/bin -perm -4000 | head -3 | while read -r p; do [ -u "$p" ] && [ "$(grep -c "NoNewPrivs:.1" /proc/self/status)" = 0 ] && echo "$p"; done' },
  { name: 'the machine’s host name', script: 'uname -n | grep -v handrail' },
  { name: 'a descriptor of ours', script: 'ls -l /proc/self/fd | grep -v -e "/dev/null" -e pipe: -e /proc/ -e total' },
  { name: 'bubblewrap’s arguments with what is secret in them', script: 'cat /proc/*/cmdline | tr "\\0" "\\n" | grep "^--[s]etenv"' },
  { name: 'the machine’s users', script: 'cut -d: -f1 /etc/passwd | grep -v -x -e root -e handrail -e nobody' },
]; // prettier-ignore
