// Finds what the PATH of the host leads to outside of the system's folders (nvm, pyenv, cargo, ...), so that a
// sandbox can show those programs without the home folder around them: no configuration, no credentials.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';

export interface Toolchains {
  /** The PATH for commands: of the host's, without relative parts and without the product's own programs. */
  path: string;
  /** Variables that tell version managers where they live, because HOME is another one in here. */
  env: Record<string, string>;
  /** Paths to show read-only, and their places inside. */
  binds: { from: string; to: string }[];
  /** Empty folders in memory that a toolchain must be able to write to; binds may lie in them. */
  scratch: string[];
  /** Files below the binds or the system's folders that may hold tokens: to be covered. */
  masked: string[];
}

/** Always visible in a sandbox (bubblewrap.ts). */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store'];

interface Manager {
  entry: RegExp;
  /** Parts of the root (first group of `entry`) to show. */
  parts: string[];
  variable?: string;
}

const managers: Manager[] = [
  {
    entry: /^(.*\/\.?pyenv)\/(?:shims|bin|plugins\/.*)$/,
    parts: ['shims', 'bin', 'libexec', 'plugins', 'pyenv.d', 'versions', 'version'],
    variable: 'PYENV_ROOT',
  },
  {
    entry: /^(.*\/\.?rbenv)\/(?:shims|bin)$/,
    parts: ['shims', 'bin', 'libexec', 'plugins', 'versions', 'version'],
    variable: 'RBENV_ROOT',
  },
  { entry: /^(.*\/\.volta)\/bin$/, parts: ['bin', 'tools', 'layout.v4'], variable: 'VOLTA_HOME' },
  {
    entry: /^(.*\/\.asdf)\/(?:shims|bin)$/,
    parts: ['shims', 'bin', 'lib', 'libexec', 'plugins', 'installs', 'asdf.sh'],
    variable: 'ASDF_DATA_DIR',
  },
  { entry: /^(.*\/share\/mise)\/shims$/, parts: ['shims', 'installs', 'plugins'], variable: 'MISE_DATA_DIR' },
  { entry: /^(.*\/\.linuxbrew)\/s?bin$/, parts: ['bin', 'sbin', 'lib', 'opt', 'Cellar', 'share', 'include'] },
  { entry: /^(.*\/\.local)\/bin$/, parts: ['bin', 'lib', 'share/pipx', 'share/uv'] },
];

/** The parts of a folder with programs (`<prefix>/bin`) that belong to them; in /opt and in homes alike. */
const prefixParts = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libexec', 'include', 'share'],
  ...['conf', 'jmods', 'release', 'pkg', 'VERSION', 'go.env', 'pyvenv.cfg'],
];

/** Settings of a toolchain, relative to its prefix, that people put tokens into. */
const credentials = [
  'etc/npmrc',
  'lib/node_modules/npm/npmrc',
  '.condarc',
  'etc/pip.conf',
  'share/keyrings',
  'etc/gitconfig',
];

const found = new Map<string, Toolchains>();

/** The toolchains on `hostPath` (a PATH). Read from the disk once for each value in a process. */
export function findToolchains(hostPath: string): Toolchains {
  let result = found.get(hostPath);
  if (!result) found.set(hostPath, (result = readToolchains(hostPath)));
  return result;
}

/** The folder of the product itself: nothing of it is shown to commands, and its programs are not on their PATH. */
export function productRoot(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'echelon') return folder;
  }
  return import.meta.dirname;
}

export function within(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function readToolchains(hostPath: string): Toolchains {
  const own = productRoot();
  const entries = [
    ...new Set(
      hostPath.split(':').map(entry => (entry === '' ? '.' : normalize(entry).replace(/(?<=.)\/$/, ''))),
    ),
  ]
    .filter(isAbsolute)
    // npm and npx put these in front: programs of the product, or of whoever started it.
    .filter(entry => !within(own, entry) && !/\/node_modules\/\.bin$|\/node-gyp-bin$/.test(entry));
  const env: Record<string, string> = {};
  const scratch: string[] = [];
  const binds = new Map<string, string>();
  const show = (path: string) => {
    if (isShown(path, binds) || !existsSync(path) || isTooWide(path)) return;
    const from = realpathSync(path);
    if (within(own, from) || within(from, own)) return;
    binds.set(path, from);
    if (from !== path && !isShown(from, binds)) binds.set(from, from);
  };
  for (const entry of entries) showEntry(entry, show, env, scratch);
  // A link in a folder of programs leads to another toolchain: /usr/local/bin/node -> /opt/node/bin/node.
  for (const entry of entries)
    for (const target of linksOf(entry))
      if (!isShown(target, binds)) showEntry(dirname(target), show, env, scratch, target);
  const roots = new Set(['/usr', '/usr/local', ...[...binds.keys()].map(dirname)]);
  const masked = [...roots].flatMap(root => credentials.map(name => join(root, name)));
  return {
    path: entries.join(':') || '/usr/bin:/bin',
    env,
    scratch,
    binds: [...binds].map(([to, from]) => ({ from, to })),
    masked: masked.filter(path => existsSync(path) && isShown(path, binds)),
  };
}

function showEntry(
  entry: string,
  show: (path: string) => void,
  env: Record<string, string>,
  scratch: string[],
  file?: string,
): void {
  const cargo = /^(.*)\/\.?cargo\/bin$/.exec(entry);
  if (cargo) {
    show(entry);
    for (const rustup of [join(cargo[1]!, '.rustup'), join(cargo[1]!, 'rustup')]) {
      if (!existsSync(rustup)) continue;
      env['RUSTUP_HOME'] = rustup;
      if (!within('/usr', rustup)) scratch.push(rustup);
      for (const part of ['toolchains', 'settings.toml']) show(join(rustup, part));
    }
    return;
  }
  for (const { entry: pattern, parts, variable } of managers) {
    const root = pattern.exec(entry)?.[1];
    if (!root) continue;
    for (const part of parts) show(join(root, part));
    if (variable && existsSync(root)) env[variable] = root;
    return;
  }
  for (const place of new Set([entry, existsSync(entry) ? realpathSync(entry) : entry])) {
    const prefix = dirname(place);
    if (!['bin', 'sbin', 'shims'].includes(basename(place))) {
      if (file || !isProject(place)) show(file ?? place);
    } else if (isTooWide(prefix)) show(place);
    else for (const part of prefixParts) show(join(prefix, part));
  }
}

/** Targets of the symbolic links in a folder. */
function linksOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isSymbolicLink())
    .flatMap(entry => {
      try {
        return [realpathSync.native(join(folder, entry.name))];
      } catch {
        // It leads to nothing.
        return [];
      }
    });
}

/** Folders that hold more than a toolchain: a home folder, its parent, the root, places for anything. */
function isTooWide(path: string): boolean {
  const wide = [
    '/',
    '/home',
    '/Users',
    '/root',
    '/tmp',
    '/var',
    '/var/tmp',
    '/opt',
    '/srv',
    '/mnt',
    '/media',
    '/run',
    '/etc',
    '/proc',
  ];
  return wide.includes(path) || path === homedir() || /^\/(home|Users)\/[^/]+$/.test(path);
}

/** Somebody's work with a folder of it on the PATH: not shown, it may hold anything. */
function isProject(folder: string): boolean {
  return ['.git', '.env', 'package.json'].some(name => existsSync(join(folder, name)));
}

function isShown(path: string, binds: Map<string, string>): boolean {
  return [...systemFolders, ...binds.keys()].some(folder => within(folder, path));
}
