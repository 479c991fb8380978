// The arguments for bubblewrap: what model-written code can see. Everything is left out that is not named here.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filterDescriptor } from './system-call-filter.ts';
import type { Toolchains } from './toolchains.ts';
import { productRoot, within } from './toolchains.ts';

/** Programs and libraries. /usr/src is left out: images of the official Node put applications there. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Of the machine's memory and of its keys. */
const unreadable = new Set([
  'kcore',
  'kmsg',
  'keys',
  'key-users',
  'timer_list',
  'sched_debug',
  'vmallocinfo',
]);

/** The public part of /etc. The rest of it holds keys, tokens and password hashes, readable when we run as root. */
const publicEtc = [
  ...[
    'passwd',
    'group',
    'hosts',
    'host.conf',
    'nsswitch.conf',
    'services',
    'protocols',
    'gai.conf',
    'mime.types',
  ],
  ...[
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'alternatives',
    'localtime',
    'timezone',
    'os-release',
    'locale.conf',
  ],
  ...['debian_version', 'lsb-release', 'redhat-release', 'alpine-release', 'fonts', 'terminfo', 'magic'],
  ...[
    'ssl/certs',
    'ssl/openssl.cnf',
    'pki/tls/certs',
    'pki/ca-trust/extracted',
    'pki/tls/openssl.cnf',
    'ca-certificates',
  ],
  ...['crypto-policies', 'python3', 'perl', 'php', 'java', 'maven', 'R'],
].map(name => `/etc/${name}`);

/** A file, and where it is shown: in no folder that a sandbox can write. */
export interface Shown {
  from: string;
  to: string;
}

/** Work tree and home of a command; `at`: the folder in which a sandbox shows them, whatever folder they are in. */
export interface Room {
  tree: string;
  home: string;
  /** Absent: a sandbox shows them where they are. */
  at?: string;
}

/** Paths of tree and home inside a sandbox. */
export const placesInside = ({ tree, home, at }: Room): { tree: string; home: string } =>
  at === undefined ? { tree, home } : { tree: join(at, 'tree'), home: join(at, 'home') };

/**
 * Arguments up to, and without, the program to run; the caller sends the system call filter. `tree` and `home` are writable, `temporary` (absent: memory) stands
 * at /tmp; the system and the toolchains are read-only; nothing else of the disk exists.
 * A path that is bound writable must lie in no folder that a sandbox can write: a link planted there would be followed out
 * here, before the sandbox is closed.
 */
export function bubblewrapArguments(
  room: Room & {
    temporary?: string;
    toolchains: Toolchains;
    shows?: readonly Shown[];
    /** Replacements for the files of `.git` that hold credentials. */
    covers?: readonly Shown[];
  },
): string[] {
  const { toolchains } = room;
  const tree = realpathSync(room.tree);
  const home = realpathSync(room.home);
  const inside = placesInside({ ...room, tree, home });
  const args = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net'];
  args.push('--unshare-cgroup-try');
  // A new session cannot push characters into the terminal of the parent (TIOCSTI).
  args.push('--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox');
  args.push('--seccomp', `${filterDescriptor}`);
  for (const folder of system) args.push(...systemFolder(folder));
  for (const path of publicEtc) args.push('--ro-bind-try', path, path);
  args.push('--proc', '/proc', ...kernelFiles(), '--dev', '/dev');
  args.push('--dir', '/run', '--dir', '/var', '--symlink', '/tmp', '/var/tmp');
  args.push(...(room.temporary ? ['--bind', room.temporary, '/tmp'] : ['--tmpfs', '/tmp']));
  for (const folder of toolchains.scratch) args.push('--tmpfs', folder);
  for (const { from, to } of toolchains.binds) args.push('--ro-bind', from, to);
  for (const folder of ['/usr/src', productRoot()])
    if (existsSync(folder) && covered(folder, toolchains)) args.push('--tmpfs', folder);
  for (const path of toolchains.masked)
    args.push(...(lstatSync(path).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]));
  for (const [to, from] of new Map([
    [inside.tree, tree],
    [inside.home, home],
  ]))
    args.push('--bind', from, to);
  // Hooks and settings that a command plants there would be followed by the git of whoever owns the folder.
  // A link is left as it is: bubblewrap would follow it outside.
  const dotGit = join(tree, '.git');
  if (lstatSync(dotGit, { throwIfNoEntry: false })?.isSymbolicLink() === false)
    args.push('--ro-bind', dotGit, join(inside.tree, '.git'));
  for (const { from, to } of room.shows ?? []) args.push('--ro-bind', from, to);
  for (const { from, to } of room.covers ?? [])
    args.push('--ro-bind', from, join(inside.tree, relative(tree, to)));
  args.push('--remount-ro', '/', '--chdir', inside.tree, '--');
  return args;
}

/**
 * The kernel's settings in /proc belong to root. Where we run as root they would stay writable in the sandbox, which
 * bubblewrap prevents only for some, and one of them names a program that the kernel runs outside.
 */
function kernelFiles(): string[] {
  const names = readdirSync('/proc').filter(name => !/^\d+$/.test(name));
  return names.flatMap(name => {
    const path = `/proc/${name}`;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return [];
    if (unreadable.has(name)) return ['--ro-bind', '/dev/null', path];
    return stat.isDirectory() || stat.mode & 0o222 ? ['--ro-bind-try', path, path] : [];
  });
}

function systemFolder(folder: string): string[] {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat) return [];
  return stat.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}

function covered(folder: string, toolchains: Toolchains): boolean {
  return [...system, ...toolchains.binds.map(bind => bind.to)].some(root => within(root, folder));
}
