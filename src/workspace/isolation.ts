// Decides how model-written code is kept in: by bubblewrap where a trial run shows that it works, or not at all.
import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { bubblewrapArguments } from './bubblewrap.ts';
import { systemPath } from '../lib/system-path.ts';

export type Isolation = { readonly kind: 'bubblewrap'; readonly program: string } | { readonly kind: 'none' };

/** The isolation that was asked for cannot be had; the message names the remedies. */
export class IsolationMissing extends Error {
  override readonly name = 'IsolationMissing';
}

/** Nothing is shown that was not asked for, the kernel's settings are read-only, the work tree is not. */
const proof = 'test ! -e /sys && test ! -w /proc/sys/kernel/core_pattern && : > proof';

/** Where bwrap is looked for, and the file with AppArmor's setting. */
interface Machine {
  path?: string;
  restriction?: string;
}

/** Holds 1 where AppArmor allows user namespaces only to programs that have a profile: Ubuntu 23.10 and newer. */
export const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

const trials = new Map<string, Promise<{ program: string } | { fault: string }>>();

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
  if ('program' in trial) return { kind: 'bubblewrap', program: trial.program };
  if (setting === 'auto' && !secretsPresent) return { kind: 'none' };
  const wish =
    setting === 'auto'
      ? 'code written by a model would run beside a model key or app credentials with nothing to keep it in'
      : '`isolation: bubblewrap` cannot be had';
  throw new IsolationMissing(
    `${wish}: ${trial.fault}, or accept the risk: ECHELON_ISOLATION=none where Echelon runs.`,
  );
}

/** Why bubblewrap does not work here and the remedy, as two sentences without the last full stop; undefined: it works. */
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
async function tryBubblewrap(machine: Machine): Promise<{ program: string } | { fault: string }> {
  const program = findBubblewrap(machine.path ?? systemPath);
  if (!program)
    return {
      fault:
        'bubblewrap (bwrap) is not installed. Install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap; ' +
        'Fedora: dnf install bubblewrap)',
    };
  const home = await mkdtemp(join(tmpdir(), 'echelon-trial-'));
  try {
    const room = {
      tree: home,
      home,
      toolchains: { path: '/usr/bin:/bin', env: {}, scratch: [], binds: [], masked: [] },
    };
    const args = [...bubblewrapArguments({ ...room, network: false }), '/bin/sh', '-c', proof];
    const { status, stderr, error } = spawnSync(program, args, {
      env: {},
      timeout: 10_000,
      encoding: 'utf8',
    });
    if (status === 0) return { program };
    const why = error?.message ?? stderr.trim().split('\n')[0] ?? '';
    const remedy = isRestricted(machine.restriction ?? restriction)
      ? loadProfile
      : 'Allow unprivileged user namespaces to it';
    const failed = `bubblewrap is installed but a trial run failed (${why || `exit code ${status}`})`;
    return { fault: `${failed}. ${remedy}` };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
