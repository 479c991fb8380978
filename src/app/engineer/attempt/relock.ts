// Brings lock files up to date with the manifests that an engineer changed: commands of engineers have no network.
import { git } from '@echelon/ground/workspace';
import { commandsIn } from './job-commands.ts';
import { ATTEMPT_LIMIT } from '../jobs/job-spec.ts';
import { setupHosts } from '../project/network-hosts.ts';
import type { Workplace } from './workplace.ts';

/** At the root of the repository. The commands run no script of a package, as far as their tool can be told so. */
const rows = [
  ['package.json', 'package-lock.json', 'npm install --package-lock-only --ignore-scripts'],
  ['package.json', 'npm-shrinkwrap.json', 'npm install --package-lock-only --ignore-scripts'],
  ['package.json', 'pnpm-lock.yaml', 'pnpm install --lockfile-only --no-frozen-lockfile --ignore-scripts'],
  ['pyproject.toml', 'uv.lock', 'uv lock'],
  ['pyproject.toml', 'poetry.lock', 'poetry lock'],
  ['Cargo.toml', 'Cargo.lock', 'cargo fetch'],
  ['go.mod', 'go.sum', 'go mod tidy'],
  ['Gemfile', 'Gemfile.lock', 'bundle lock'],
] as const;

/** Commands for what changed: a manifest without its lock file, where there is one. */
const relockCommands = (changed: readonly string[], there: readonly string[]): string[] =>
  rows
    .filter(
      ([manifest, lock]) => changed.includes(manifest) && !changed.includes(lock) && there.includes(lock),
    )
    .map(([, , command]) => command);

/** Runs them in the checkout, whose tree is `tree`. False: there was nothing to do. What fails is left to the setup. */
export async function relock(place: Workplace, tree: string): Promise<boolean> {
  const { spec, checkout, before, signal } = place;
  const { setup } = spec;
  if (!setup || tree === before) return false;
  const names = async (args: string[]) =>
    (await git([...args, '--name-only', '-z'], { gitDir: checkout.gitDir })).split('\0').filter(Boolean);
  const commands = relockCommands(await names(['diff', before, tree]), await names(['ls-tree', tree]));
  const hosts = await setupHosts({ ...spec, base: setup.base });
  const time = { ms: spec.limits.attempt_ms, more: ATTEMPT_LIMIT };
  for (const command of commands) await commandsIn({ ...place, hosts })(command, time, signal);
  return commands.length > 0;
}
