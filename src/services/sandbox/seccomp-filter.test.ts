import { describe, expect, it } from 'vitest';
import { buildSeccompFilter } from './seccomp-filter.ts';

const allowed = 0x7fff0000;
const notPermitted = 0x00050001;
const noSuchCall = 0x00050026;
const noSuchFamily = 0x00050061;
const architectures: Record<string, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

type Call = { readonly number: number; readonly arguments?: readonly number[]; readonly architecture?: number };

/** The kernel's reading of the program, for the five instructions it is made of. */
function judge(filter: Buffer, call: Call & { readonly architecture: number }): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.architecture, 4);
  for (const [at, value] of (call.arguments ?? []).entries()) data.writeUInt32LE(value >>> 0, 16 + at * 8);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const ifTrue = filter.readUInt8(at * 8 + 2);
    const ifFalse = filter.readUInt8(at * 8 + 3);
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += accumulator >= value ? ifTrue : ifFalse;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? ifTrue : ifFalse;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program ran off its end');
}

const numbers = {
  x64: {
    read: 0,
    write: 1,
    execve: 59,
    clone: 56,
    clone3: 435,
    unshare: 272,
    ioctl: 16,
    keyctl: 250,
    ioUring: 425,
    bpf: 321,
    socket: 41,
    mount: 165,
    syslog: 103,
  },
  arm64: {
    read: 63,
    write: 64,
    execve: 221,
    clone: 220,
    clone3: 435,
    unshare: 97,
    ioctl: 29,
    keyctl: 219,
    ioUring: 425,
    bpf: 280,
    socket: 198,
    mount: 40,
    syslog: 116,
  },
};

describe.each(['x64', 'arm64'] as const)('the filter for %s', (processor) => {
  const filter = buildSeccompFilter(processor) ?? Buffer.alloc(0);
  const own = numbers[processor];
  const ask = (call: Call): number => judge(filter, { architecture: architectures[processor] ?? 0, ...call });

  it.each<[string, Call, number]>([
    ['reading', { number: own.read }, allowed],
    ['writing', { number: own.write }, allowed],
    ['starting a program', { number: own.execve }, allowed],
    ['a fork', { number: own.clone, arguments: [0x01200011] }, allowed],
    ['a thread', { number: own.clone, arguments: [0x003d0f00] }, allowed],
    ['a fork into a new user namespace', { number: own.clone, arguments: [0x10000011] }, notPermitted],
    ['a new user namespace', { number: own.unshare, arguments: [0x10000000] }, notPermitted],
    ['a user namespace among others', { number: own.unshare, arguments: [0x7e020000] }, notPermitted],
    [
      'a new mount namespace, which needs a capability anyway',
      { number: own.unshare, arguments: [0x00020000] },
      allowed,
    ],
    ['clone3, whose flags a filter cannot see', { number: own.clone3 }, noSuchCall],
    ['the size of a terminal', { number: own.ioctl, arguments: [0, 0x5413] }, allowed],
    ['typing into a terminal (TIOCSTI)', { number: own.ioctl, arguments: [0, 0x5412] }, notPermitted],
    ['typing into a console (TIOCLINUX)', { number: own.ioctl, arguments: [0, 0x541c] }, notPermitted],
    ['the keyring', { number: own.keyctl }, notPermitted],
    ['a program in the kernel', { number: own.bpf }, notPermitted],
    ['a socket of the internet', { number: own.socket, arguments: [2, 1] }, allowed],
    ['a socket of the newer internet', { number: own.socket, arguments: [10, 2] }, allowed],
    ['a socket of the machine', { number: own.socket, arguments: [1, 0x80001] }, allowed],
    ['a question about interfaces', { number: own.socket, arguments: [16, 3] }, allowed],
    ['a socket to the hypervisor (vsock)', { number: own.socket, arguments: [40, 1] }, noSuchFamily],
    ['a socket of the kernel’s crypto', { number: own.socket, arguments: [38, 5] }, noSuchFamily],
    ['raw frames', { number: own.socket, arguments: [17, 3] }, noSuchFamily],
    ['a mount', { number: own.mount }, notPermitted],
    ['the kernel’s log', { number: own.syslog }, notPermitted],
    ['io_uring', { number: own.ioUring }, noSuchCall],
    ['a call of another architecture', { number: own.read, architecture: 0x40000003 }, noSuchCall],
  ])('[A28] %s', (_title, call, answer) => {
    expect(ask(call)).toBe(answer);
  });

  it('[A28] allows nearly everything else', () => {
    const refused = Array.from({ length: 460 }, (_, number) => ask({ number })).filter((answer) => answer !== allowed);
    // Those by number, and one that asks for a socket of no family.
    expect(refused.length).toBe(processor === 'x64' ? 43 : 40);
  });
});

it('[A28] calls of the x32 kind do not slip past', () => {
  const filter = buildSeccompFilter('x64') ?? Buffer.alloc(0);
  expect(judge(filter, { architecture: 0xc000003e, number: 0x40000000 + 250 })).toBe(noSuchCall);
});

it('a processor whose numbers are not known gets no filter', () => {
  expect(buildSeccompFilter('riscv64')).toBeUndefined();
});
