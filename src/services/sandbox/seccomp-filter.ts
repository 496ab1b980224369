/**
 * A small seccomp filter (seccomp(2), classic BPF) against what namespaces do not cover: the kernel's keyrings are not
 * namespaced, io_uring passes other filters by, a new user namespace opens most of the kernel's attack surface, and sockets to
 * the hypervisor (vsock) know no network namespace. What only a capability allows is refused besides: one mistake less to make.
 */

type Machine = {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly architecture: number;
  /** Calls numbered from here belong to another ABI (x32) and would slip past the numbers below. */
  readonly foreignFrom?: number;
  readonly clone: number;
  readonly unshare: number;
  readonly ioctl: number;
  readonly socket: number;
  /** Answered with ENOSYS: programs then take the older way. */
  readonly unknown: readonly number[];
  /** Answered with EPERM. */
  readonly refused: readonly number[];
  /** In a userland answered with success, and nothing is done: see `fakesOwners`. */
  readonly ownership: readonly number[];
};

/** Numbers from the kernel's unistd tables. Order of `unknown`: clone3, io_uring_setup, io_uring_enter, io_uring_register. */
const machines: Readonly<Record<string, Machine>> = {
  x64: {
    architecture: 0xc000003e,
    foreignFrom: 0x40000000,
    clone: 56,
    unshare: 272,
    ioctl: 16,
    socket: 41,
    unknown: [435, 425, 426, 427],
    refused: [
      // add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, kexec_load, kexec_file_load, open_by_handle_at, setns
      ...[248, 249, 250, 321, 298, 323, 246, 320, 304, 308],
      // syslog, uselib, acct, quotactl, quotactl_fd, swapon, swapoff, reboot, init_module, finit_module, delete_module
      ...[103, 134, 163, 179, 443, 167, 168, 169, 175, 313, 176],
      // iopl, ioperm, settimeofday, clock_settime, mount, umount2, pivot_root, open_tree, move_mount, fsopen, fsconfig, fsmount
      ...[172, 173, 164, 227, 165, 166, 155, 428, 429, 430, 431, 432],
      // fspick, mount_setattr, lookup_dcookie, nfsservctl, vhangup
      ...[433, 442, 212, 180, 153],
    ],
    // chown, fchown, lchown, fchownat, setuid, setgid, setreuid, setregid, setgroups, setresuid, setresgid, setfsuid, setfsgid
    ownership: [92, 93, 94, 260, 105, 106, 113, 114, 116, 117, 119, 122, 123],
  },
  arm64: {
    architecture: 0xc00000b7,
    clone: 220,
    unshare: 97,
    ioctl: 29,
    socket: 198,
    unknown: [435, 425, 426, 427],
    refused: [
      ...[217, 218, 219, 280, 241, 282, 104, 294, 265, 268],
      // As above; this processor has no uselib, iopl and ioperm.
      ...[116, 89, 60, 443, 224, 225, 142, 105, 273, 106],
      ...[170, 112, 40, 39, 41, 428, 429, 430, 431, 432],
      ...[433, 442, 18, 42, 58],
    ],
    // fchownat, fchown, setregid, setgid, setreuid, setuid, setresuid, setresgid, setfsuid, setfsgid, setgroups
    ownership: [54, 55, 143, 144, 145, 146, 147, 149, 151, 152, 159],
  },
};

const load = 0x20; // BPF_LD | BPF_W | BPF_ABS
const ifEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const ifAtLeast = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const ifAnyBit = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const answer = 0x06; // BPF_RET | BPF_K

const allow = 0x7fff0000;
const notPermitted = 0x00050000 | 1; // SECCOMP_RET_ERRNO | EPERM
const noSuchCall = 0x00050000 | 38; // SECCOMP_RET_ERRNO | ENOSYS
const noSuchFamily = 0x00050000 | 97; // SECCOMP_RET_ERRNO | EAFNOSUPPORT
const nothingDone = 0x00050000; // SECCOMP_RET_ERRNO | 0: the call returns success

// Offsets in struct seccomp_data.
const numberAt = 0;
const architectureAt = 4;
const firstArgumentAt = 16;
const secondArgumentAt = 24;

const newUserNamespace = 0x10000000; // CLONE_NEWUSER
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. The others are vsock, the kernel's crypto, raw frames and protocols long out of use. */
const families = [1, 2, 10, 16];
const terminalInjections = [0x5412, 0x541c]; // TIOCSTI (CVE-2017-5226), TIOCLINUX

/**
 * Undefined on a processor whose numbers we do not know.
 *
 * `fakesOwners`: package managers give files to users of the system they unpack. A namespace with one user id, which is all
 * that everybody may make, has nobody to give them to; so the calls say yes and do nothing, as proot's and fakeroot's do.
 */
export function buildSeccompFilter(processor: string = process.arch, fakesOwners = false): Buffer | undefined {
  const machine = machines[processor];
  if (machine === undefined) return undefined;
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [load, 0, 0, architectureAt],
    [ifEqual, 1, 0, machine.architecture],
    [answer, 0, 0, noSuchCall],
    [load, 0, 0, numberAt],
  ];
  const answerIf = (code: number, value: number, reply: number): void => {
    program.push([code, 0, 1, value], [answer, 0, 0, reply]);
  };
  if (machine.foreignFrom !== undefined) answerIf(ifAtLeast, machine.foreignFrom, noSuchCall);
  for (const call of machine.unknown) answerIf(ifEqual, call, noSuchCall);
  for (const call of machine.refused) answerIf(ifEqual, call, notPermitted);
  for (const call of fakesOwners ? machine.ownership : []) answerIf(ifEqual, call, nothingDone);
  for (const call of [machine.clone, machine.unshare]) {
    program.push([ifEqual, 0, 4, call], [load, 0, 0, firstArgumentAt]);
    answerIf(ifAnyBit, newUserNamespace, notPermitted);
    program.push([answer, 0, 0, allow]);
  }
  program.push([ifEqual, 0, 2 + families.length * 2, machine.socket], [load, 0, 0, firstArgumentAt]);
  for (const family of families) answerIf(ifEqual, family, allow);
  program.push([answer, 0, 0, noSuchFamily]);
  program.push([ifEqual, 0, 1 + terminalInjections.length * 2, machine.ioctl], [load, 0, 0, secondArgumentAt]);
  for (const request of terminalInjections) answerIf(ifEqual, request, notPermitted);
  program.push([answer, 0, 0, allow]);
  return encode(program);
}

/** struct sock_filter: u16 code, u8 jt, u8 jf, u32 k; both processors are little-endian. */
function encode(program: readonly (readonly [number, number, number, number])[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [position, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, position * 8);
    bytes.writeUInt8(ifTrue, position * 8 + 2);
    bytes.writeUInt8(ifFalse, position * 8 + 3);
    bytes.writeUInt32LE(value, position * 8 + 4);
  }
  return bytes;
}
