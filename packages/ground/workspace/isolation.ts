// Decides how model-written code is kept in: by bubblewrap where a trial run shows that it works, or not at all.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { bubblewrapArguments } from './bubblewrap.ts';
import { sendFilter, systemCallFilter } from './system-call-filter.ts';
import { systemPath } from '../lib/system-path.ts';
import { temporaryFolder } from './remove-tree.ts';

/** `command`: bwrap, with the options that not every version has. */
export type Isolation =
  | { readonly kind: 'bubblewrap'; readonly command: readonly string[] }
  | { readonly kind: 'none' };

/** The isolation that was asked for cannot be had; the message names the remedies. */
export class IsolationMissing extends Error {}

/**
 * Nothing is shown that was not asked for, the kernel's settings are read-only, the work tree is not, and the system
 * call filter refuses a new namespace. (`--disable-userns` alone would refuse it for another reason.)
 */
const proof =
  'test ! -e /sys && test ! -w /proc/sys/kernel/core_pattern && : > proof || exit 1; ' +
  'case $(unshare --user true 2>&1) in *"not permitted"* | *"not found"*) ;; *) echo "its system call filter does nothing" >&2; exit 1 ;; esac';

/**
 * Versions before 0.8 cannot keep the kernel from making user namespaces in the sandbox, and some containers forbid it
 * to all. There the system call filter alone refuses them.
 */
const options = [['--disable-userns'], []];

/** PATH for finding bwrap, and the file with AppArmor's setting. */
interface Machine {
  path?: string;
  restriction?: string;
}

/** Holds 1 where AppArmor allows user namespaces only to programs that have a profile: Ubuntu 23.10 and newer. */
export const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

const trials = new Map<string, Promise<{ command: string[] } | { fault: string }>>();

/**
 * The isolation for the setting. `auto` without a working bubblewrap gives `none` only when there are no secrets to
 * protect (the scripted demo); otherwise it throws IsolationMissing, as `bubblewrap` always does. `path` is where
 * bwrap is looked for.
 */
export async function chooseIsolation(
  setting: 'auto' | 'bubblewrap' | 'none',
  { secretsPresent, path = systemPath }: { secretsPresent: boolean; path?: string },
): Promise<Isolation> {
  if (setting === 'none') return { kind: 'none' };
  if (!trials.has(path)) trials.set(path, tryBubblewrap({ path }));
  const trial = await trials.get(path)!;
  if ('command' in trial) return { kind: 'bubblewrap', command: trial.command };
  if (setting === 'auto' && !secretsPresent) return { kind: 'none' };
  const wish =
    setting === 'auto'
      ? 'code written by a model would run beside a model key or app credentials with nothing to keep it in'
      : '`isolation: bubblewrap` cannot be had';
  throw new IsolationMissing(
    `${wish}: ${trial.fault}, or accept the risk where you run Echelon yourself: ECHELON_ISOLATION=none`,
  );
}

/** The fault of bubblewrap and its remedy, as two sentences without the last full stop; undefined if it works. */
export async function bubblewrapFault(machine: Machine = {}): Promise<string | undefined> {
  const trial = await tryBubblewrap(machine);
  return 'fault' in trial ? trial.fault : undefined;
}

export const findBubblewrap = (path: string): string | undefined =>
  path
    .split(':')
    .map(folder => join(folder, 'bwrap'))
    .find(file => existsSync(file));

export const isRestricted = (file: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').trim() === '1';

/** Ubuntu's own profile for bubblewrap, which its package apparmor-profiles leaves switched off. */
const loadProfile =
  'Load the AppArmor profile for it: sudo apt-get install apparmor-profiles && sudo cp ' +
  '/usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor';

/** Presence proves nothing: containers and hardened kernels forbid the namespaces. A run with the real arguments does. */
async function tryBubblewrap(machine: Machine): Promise<{ command: string[] } | { fault: string }> {
  const program = findBubblewrap(machine.path ?? systemPath);
  if (!program)
    return {
      fault:
        'bubblewrap (bwrap) is not installed. Install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap; ' +
        'Fedora: dnf install bubblewrap)',
    };
  if (!systemCallFilter(process.arch))
    return {
      fault: `Echelon has no system call filter for ${process.arch}. Use a machine with x64 or arm64`,
    };
  let failure = '';
  for (const some of options) {
    const command = [program, ...some];
    failure = await failureOf(command);
    if (failure === '') return { command };
  }
  const remedy = isRestricted(machine.restriction ?? restriction)
    ? loadProfile
    : 'Allow unprivileged user namespaces to it';
  return { fault: `bubblewrap is installed but a trial run failed (${failure}). ${remedy}` };
}

/** Runs the proof in a sandbox. Empty: it holds. */
async function failureOf([program = '', ...some]: readonly string[]): Promise<string> {
  await using folder = await temporaryFolder('trial');
  const room = {
    tree: folder.path,
    home: folder.path,
    toolchains: { path: '/usr/bin:/bin', env: {}, scratch: [], binds: [], masked: [] },
  };
  const args = [...some, ...bubblewrapArguments(room), '/bin/sh', '-c', proof];
  const child = spawn(program, args, {
    ...{ env: {}, timeout: 10_000, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  });
  sendFilter(child);
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? '' : `exit code ${code ?? signal}`));
  });
  const [failure, errors] = await Promise.all([ended, text(child.stderr!)]);
  return failure && (errors.trim().split('\n')[0] || failure);
}
