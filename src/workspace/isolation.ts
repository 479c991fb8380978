// Decides how model-written code is kept in: by bubblewrap where a trial run shows that it works, or not at all.
import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
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
  if (!trials.has(path)) trials.set(path, tryBubblewrap(path));
  const trial = await trials.get(path)!;
  if ('program' in trial) return { kind: 'bubblewrap', program: trial.program };
  if (setting === 'auto' && !secretsPresent) return { kind: 'none' };
  const wish =
    setting === 'auto'
      ? 'code written by a model would run beside a model key or app credentials with nothing to keep it in'
      : '`isolation: bubblewrap` cannot be had';
  throw new IsolationMissing(
    `${wish}: ${trial.fault}. Install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install ` +
      'bubblewrap) and allow unprivileged user namespaces, or accept the risk: ECHELON_ISOLATION=none where Echelon runs.',
  );
}

/** Why bubblewrap does not keep anything in here, by a trial of its own; undefined: it works. */
export async function bubblewrapFault(path = systemPath): Promise<string | undefined> {
  const trial = await tryBubblewrap(path);
  return 'fault' in trial ? trial.fault : undefined;
}

/** Presence proves nothing: containers and hardened kernels forbid the namespaces. A run with the real arguments does. */
async function tryBubblewrap(path: string): Promise<{ program: string } | { fault: string }> {
  const program = path
    .split(':')
    .map(folder => join(folder, 'bwrap'))
    .find(file => existsSync(file));
  if (!program) return { fault: 'bubblewrap (bwrap) is not installed' };
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
    return { fault: `bubblewrap is installed but a trial run failed (${why || `exit code ${status}`})` };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
