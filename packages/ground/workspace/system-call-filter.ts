// The system calls that a sandbox refuses, as a program for the kernel's seccomp filter (classic BPF). It refuses what
// attacks on kernels begin with and no build or test needs: new namespaces, io_uring, key rings, bpf, uncommon sockets.
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';

/** Numbers of the system calls on x86-64 (asm/unistd_64.h) and arm64 (asm-generic/unistd.h). */
const numbers = {
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  init_module: [175, 105],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  unshare: [272, 97],
  perf_event_open: [298, 241],
  setns: [308, 268],
  finit_module: [313, 273],
  kexec_file_load: [320, 294],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  clone3: [435, 435],
} as const;

interface Rule {
  calls: readonly (keyof typeof numbers)[];
  error: 'EPERM' | 'ENOSYS' | 'EAFNOSUPPORT';
  /** Refuses only if the low 32 bits of the argument `at` have one of the `bits`, are in `values`, or are not in `others`. */
  if?: { at: number } & ({ bits: number } | { values: readonly number[] } | { others: readonly number[] });
}

/** Mount, cgroup, UTS, IPC, user, process and network namespaces (linux/sched.h). */
const newNamespaces = 0x7e020000;
/** A flag of unshare only: in clone these bits are a signal. */
const newTimeNamespace = 0x80;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Left out are AF_VSOCK, which reaches the host of a virtual machine, and others. */
const socketFamilies = [1, 2, 10, 16];
/** TIOCSTI, TIOCLINUX: characters put into a terminal as if typed. */
const typing = [0x5412, 0x541c];

const rules: readonly Rule[] = [
  { calls: ['clone'], error: 'EPERM', if: { at: 0, bits: newNamespaces } },
  { calls: ['unshare'], error: 'EPERM', if: { at: 0, bits: newNamespaces | newTimeNamespace } },
  // Its flags are in memory, where a filter cannot read. The C library then calls clone.
  { calls: ['clone3'], error: 'ENOSYS' },
  { calls: ['socket', 'socketpair'], error: 'EAFNOSUPPORT', if: { at: 0, others: socketFamilies } },
  // Libraries then use epoll.
  { calls: ['io_uring_setup', 'io_uring_enter', 'io_uring_register'], error: 'ENOSYS' },
  { calls: ['ioctl'], error: 'EPERM', if: { at: 1, values: typing } },
  {
    calls: ['setns', 'add_key', 'request_key', 'keyctl', 'bpf', 'perf_event_open', 'userfaultfd'],
    error: 'EPERM',
  },
  { calls: ['kexec_load', 'kexec_file_load', 'init_module', 'finit_module'], error: 'EPERM' },
];

/** By Node's name: column of `numbers`, and AUDIT_ARCH_X86_64 or AUDIT_ARCH_AARCH64 (linux/audit.h). */
const architectures: Partial<Record<NodeJS.Architecture, { column: 0 | 1; audit: number }>> = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
};

/** One instruction: code, jumps if true and if false, operand (struct sock_filter). */
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, operand: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const ifEqual = (value: number, yes: number, no: number): Instruction => [0x15, yes, no, value];
const ifAtLeast = (value: number, yes: number, no: number): Instruction => [0x35, yes, no, value];
const ifBits = (bits: number, yes: number, no: number): Instruction => [0x45, yes, no, bits];
const end = (action: number): Instruction => [0x06, 0, 0, action];

const kill = end(0x80000000);
const allow = end(0x7fff0000);
const refuse = (error: Rule['error']) => end(0x00050000 | constants.errno[error]);

/** Offsets in struct seccomp_data. */
const numberAt = 0;
const architectureAt = 4;
/** Of the low half on a little-endian machine, as both architectures are. */
const argumentAt = (index: number) => 16 + 8 * index;

/** Calls of the x32 ABI carry this bit, on the architecture of x86-64. */
const x32 = 0x40000000;

/** The filter for bwrap's `--seccomp`. Undefined: an architecture without one. A call of any other architecture is fatal. */
export function systemCallFilter(architecture: NodeJS.Architecture): Buffer | undefined {
  const known = architectures[architecture];
  if (!known) return undefined;
  const program: Instruction[] = [
    ...[load(architectureAt), ifEqual(known.audit, 1, 0), kill],
    ...[load(numberAt), ifAtLeast(x32, 0, 1), refuse('ENOSYS')],
    ...rules.flatMap(rule => rule.calls.flatMap(call => blockOf(numbers[call][known.column], rule))),
    allow,
  ];
  const bytes = Buffer.alloc(8 * program.length);
  for (const [index, [code, jumpTrue, jumpFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(jumpTrue, 8 * index + 2);
    bytes.writeUInt8(jumpFalse, 8 * index + 3);
    bytes.writeUInt32LE(operand, 8 * index + 4);
  }
  return bytes;
}

/** Decides about one call, and goes on behind the block for every other. */
function blockOf(number: number, { error, if: condition }: Rule): Instruction[] {
  const body = condition
    ? [load(argumentAt(condition.at)), ...decide(condition, refuse(error))]
    : [refuse(error)];
  return [ifEqual(number, 0, body.length), ...body];
}

function decide(condition: NonNullable<Rule['if']>, refused: Instruction): Instruction[] {
  if ('bits' in condition) return [ifBits(condition.bits, 0, 1), refused, allow];
  const [values, then, otherwise] =
    'values' in condition ? [condition.values, refused, allow] : [condition.others, allow, refused];
  return [...values.flatMap(value => [ifEqual(value, 0, 1), then]), otherwise];
}

/** The file descriptor from which bwrap reads the filter. Its parent starts it with a pipe there. */
export const filterDescriptor = 3;

/** Writes the filter to a bwrap that was just started. */
export function sendFilter(child: ChildProcess): void {
  const pipe = child.stdio[filterDescriptor] as Writable;
  pipe.on('error', () => {}); // A bwrap that ends early does not read it.
  pipe.end(systemCallFilter(process.arch));
}
