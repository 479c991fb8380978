// The system call filter: its decisions on both architectures, and in a real sandbox.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../../packages/ground/workspace/command.ts';
import {
  bubblewrapFault,
  chooseIsolation,
  type Isolation,
} from '../../../packages/ground/workspace/isolation.ts';
import { systemCallFilter } from '../../../packages/ground/workspace/system-call-filter.ts';
import { temporary } from './fixture.ts';

const bubblewrap = await chooseIsolation('bubblewrap', { secretsPresent: true }).catch(() => undefined);

/** The kernel's decision about one call: `allow`, `kill`, or the error. */
function decision(filter: Buffer, audit: number, number: number, args: readonly number[] = []): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value, 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, operand] = [filter.readUInt16LE(8 * at), filter.readUInt32LE(8 * at + 4)];
    const jump = (holds: boolean) => filter.readUInt8(8 * at + (holds ? 2 : 3));
    if (code === 0x20) loaded = data.readUInt32LE(operand);
    else if (code === 0x15) at += jump(loaded === operand);
    else if (code === 0x35) at += jump(loaded >= operand);
    else if (code === 0x45) at += jump((loaded & operand) !== 0);
    else if (code !== 0x06) throw new Error(`unknown instruction ${code}`);
    else if (operand === 0x7fff0000) return 'allow';
    else if (operand === 0x80000000) return 'kill';
    else return Object.entries(constants.errno).find(([, error]) => error === (operand & 0xffff))![0];
  }
  throw new Error('the program has no end');
}

const x64 = 0xc000003e;
const arm64 = 0xc00000b7;
const threads = 0x3d0f00;
const newUser = 0x10000000;

const calls: [string, [number, number], number[], string][] = [
  ['read', [0, 63], [], 'allow'],
  ['clone of a thread', [56, 220], [threads], 'allow'],
  ['clone into a user namespace', [56, 220], [newUser | 17], 'EPERM'],
  ['clone3', [435, 435], [], 'ENOSYS'],
  ['unshare of open files', [272, 97], [0x400], 'allow'],
  ['unshare of the network', [272, 97], [0x40000000], 'EPERM'],
  ['unshare of the time', [272, 97], [0x80], 'EPERM'],
  ['setns', [308, 268], [], 'EPERM'],
  ['socket(AF_UNIX)', [41, 198], [1], 'allow'],
  ['socket(AF_INET6)', [41, 198], [10], 'allow'],
  ['socket(AF_NETLINK)', [41, 198], [16], 'allow'],
  ['socket(AF_PACKET)', [41, 198], [17], 'EAFNOSUPPORT'],
  ['socket(AF_VSOCK)', [41, 198], [40], 'EAFNOSUPPORT'],
  ['io_uring_setup', [425, 425], [], 'ENOSYS'],
  ['keyctl', [250, 219], [], 'EPERM'],
  ['bpf', [321, 280], [], 'EPERM'],
  ['perf_event_open', [298, 241], [], 'EPERM'],
  ['userfaultfd', [323, 282], [], 'EPERM'],
  ['kexec_file_load', [320, 294], [], 'EPERM'],
  ['ioctl(TCGETS)', [16, 29], [0, 0x5401], 'allow'],
  ['ioctl(TIOCSTI)', [16, 29], [0, 0x5412], 'EPERM'],
  ['ptrace', [101, 117], [], 'allow'],
];

describe.each([
  ['x64', x64, 0],
  ['arm64', arm64, 1],
] as const)('on %s', (architecture, audit, column) => {
  const filter = systemCallFilter(architecture)!;

  test.each(calls)('%s', (_, number, args, expected) => {
    expect(decision(filter, audit, number[column], args)).toBe(expected);
  });

  test('a call of another architecture ends the process, one of the x32 ABI is unknown', () => {
    expect(decision(filter, 0x40000003, 310)).toBe('kill');
    expect(decision(filter, audit, 0x40000000 | 272, [newUser])).toBe('ENOSYS');
  });
});

test('an architecture without a filter has none', () => {
  expect(systemCallFilter('riscv64')).toBeUndefined();
});

/** Calls of the real kernel, by Python: each prints its error's name, or nothing. */
const attempts = `
import ctypes, errno, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
  return 'done' if libc.syscall(*args) >= 0 else errno.errorcode[ctypes.get_errno()]
def family(number):
  try: socket.socket(number, socket.SOCK_STREAM); return 'done'
  except OSError as error: return errno.errorcode[error.errno]
import platform
x64 = platform.machine() == 'x86_64'
print(call(272 if x64 else 97, 0x10000000), call(272 if x64 else 97, 0x400), call(435, 0, 0),
  call(425, 1, 0), call(250 if x64 else 219, 0, -3, 0), family(40), family(1), family(2))
`;

describe.skipIf(!bubblewrap)('in a sandbox (skipped where a trial run of bwrap fails)', () => {
  async function run(command: string, isolation: Isolation = bubblewrap!, env: Record<string, string> = {}) {
    await using folder = await temporary();
    const [tree, home] = [join(folder.path, 'tree'), join(folder.path, 'home')];
    await mkdir(tree);
    await writeFile(join(tree, 'attempts.py'), attempts);
    const { stdout, stderr, exit_code } = await runCommand({
      ...{ command, tree, home, env, isolation, hosts: [], maxOutputBytes: 10_000 },
      hostPath: process.env['PATH'] ?? '/usr/bin:/bin',
      time: { ms: 120_000, more: 'no more' },
      signal: new AbortController().signal,
    });
    return { exit_code, output: `${stdout}${stderr}`.trim() };
  }
  const [program = ''] = bubblewrap?.kind === 'bubblewrap' ? bubblewrap.command : [];
  const has = (name: string) => {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`]).length > 0;
    } catch {
      return false;
    }
  };

  test.skipIf(!has('python3'))(
    'refuses namespaces, io_uring, keys and AF_VSOCK, without bwrap’s own option too',
    async () => {
      const refused = 'EPERM done ENOSYS ENOSYS EPERM EAFNOSUPPORT done done';
      for (const command of [bubblewrap!, { kind: 'bubblewrap', command: [program] } as const])
        expect(await run('python3 attempts.py', command)).toEqual({ exit_code: 0, output: refused });
    },
  );

  test.each(
    [
      [
        'node',
        'threads',
        `node -e "const { Worker } = require('node:worker_threads'); new Worker('1', { eval: true })"`,
      ],
      [
        'python3',
        'processes',
        `python3 -c "import multiprocessing as m; print(m.Pool(2).map(abs, [-1, -2]))"`,
      ],
      [
        'git',
        'a commit',
        'git init -q r && cd r && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m m && git log --format=%s',
      ],
    ].filter(([name = '']) => has(name)),
  )('%s works: %s', async (_name, _what, command) => {
    expect(await run(command)).toMatchObject({ exit_code: 0 });
  });

  test('the trial finds a bwrap that does not apply the filter', async () => {
    await using folder = await temporary();
    const file = join(folder.path, 'bwrap');
    await writeFile(
      file,
      `#!/bin/bash\nfor each; do case "$each" in --seccomp) drop=1 ;; *) [ "$drop" ] && drop= || keep+=("$each") ;; esac; done\nexec ${program} "\${keep[@]}"\n`,
    );
    await chmod(file, 0o755);
    expect(await bubblewrapFault({ path: folder.path })).toContain('its system call filter does nothing');
  });
});
