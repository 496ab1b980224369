/** The filter of system calls in the words that podman and docker read (the OCI runtime specification's `linux.seccomp`). */

/** As in seccomp-filter.ts, by name. A name that the processor does not have is passed over. */
export const refusedNames = [
  'add_key', 'request_key', 'keyctl', 'bpf', 'perf_event_open', 'userfaultfd', 'kexec_load', 'kexec_file_load',
  'open_by_handle_at', 'setns', 'syslog', 'uselib', 'acct', 'quotactl', 'quotactl_fd', 'swapon', 'swapoff', 'reboot',
  'init_module', 'finit_module', 'delete_module', 'iopl', 'ioperm', 'settimeofday', 'clock_settime', 'mount', 'umount2',
  'pivot_root', 'open_tree', 'move_mount', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr', 'lookup_dcookie',
  'nfsservctl', 'vhangup',
]; // prettier-ignore

const unknownNames = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'];
const newUserNamespace = 0x10000000;
const terminalInjections = [0x5412, 0x541c];
/** All between AF_INET and AF_NETLINK but AF_INET6; the ones above are one comparison. */
const otherFamilies = [3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15];
const lastFamily = 16;
const errors = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 };

type Comparison = { readonly index: number; readonly value: number; readonly valueTwo?: number; readonly op: string };

export function seccompProfileText(): string {
  const refuse = (names: readonly string[], errnoRet: number, ...args: Comparison[]): object => ({
    names,
    action: 'SCMP_ACT_ERRNO',
    errnoRet,
    args,
  });
  const isSet = { index: 0, value: newUserNamespace, valueTwo: newUserNamespace, op: 'SCMP_CMP_MASKED_EQ' };
  const equals = (index: number, value: number): Comparison => ({ index, value, op: 'SCMP_CMP_EQ' });
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    syscalls: [
      refuse(refusedNames, errors.notPermitted),
      refuse(unknownNames, errors.noSuchCall),
      refuse(['clone', 'unshare'], errors.notPermitted, isSet),
      ...terminalInjections.map((request) => refuse(['ioctl'], errors.notPermitted, equals(1, request))),
      ...otherFamilies.map((family) => refuse(['socket'], errors.noSuchFamily, equals(0, family))),
      refuse(['socket'], errors.noSuchFamily, { index: 0, value: lastFamily, op: 'SCMP_CMP_GT' }),
    ],
  });
}
