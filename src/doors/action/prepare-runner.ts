// Makes bubblewrap work on a hosted runner: installs it, and allows its namespaces to it alone.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { type Clock, systemClock, systemPath } from '@echelon/ground';
import {
  bubblewrapFault,
  findBubblewrap,
  isRestricted,
  restriction,
  IsolationMissing,
} from '@echelon/ground/workspace';
import type { RepositoryContext } from '../../app/app.ts';

export interface Runner {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  clock?: Clock;
  /** PATH of bubblewrap. */
  path?: string;
  /** File with AppArmor's setting. */
  restriction?: string;
}

/**
 * Ubuntu 24.04 forbids user namespaces to every program without a profile. This one allows them to bubblewrap, and
 * leaves the restriction in force for all other programs. `userns` is a rule of ABI 4.0, see
 * https://discourse.ubuntu.com/t/understanding-apparmor-user-namespace-restriction/58007.
 */
const profileOf = (program: string) =>
  `abi <abi/4.0>,\nprofile echelon-bwrap ${program} flags=(unconfined) {\n  userns,\n}\n`;

/** Pauses before the second and the third try. Images are older than the package index, and other jobs hold its lock. */
const pausesMs = [0, 10_000];

/** Logs each step, and at the end why bubblewrap does not work and the remedy. The job itself then refuses to begin. */
export async function prepareRunner(runner: Runner): Promise<void> {
  const { env, say, path = systemPath } = runner;
  const machine = { path, restriction: runner.restriction ?? restriction };
  const fault = await bubblewrapFault(machine);
  if (fault === undefined) return;
  if (env['RUNNER_ENVIRONMENT'] === 'self-hosted')
    return say(`nothing is installed on a self-hosted runner: ${fault}`);
  if (!findBubblewrap(path)) say(outcome('installed bubblewrap', await install(runner)));
  const program = findBubblewrap(path);
  if (program && isRestricted(machine.restriction) && (await bubblewrapFault(machine)) !== undefined) {
    const failure = await asRoot(runner, ['apparmor_parser', '--replace'], profileOf(program));
    say(outcome('loaded an AppArmor profile for bubblewrap', failure));
  }
  const left = await bubblewrapFault(machine);
  if (left !== undefined) say(left);
}

const outcome = (done: string, failure: string | undefined) =>
  failure === undefined ? done : `not ${done}: ${failure}`;

async function install(runner: Runner): Promise<string | undefined> {
  // Neither a refused sudo nor another package manager changes with a second try.
  const unable = await asRoot(runner, ['apt-get', '--version']);
  if (unable !== undefined) return unable;
  let failure = await aptGet(runner, 'install', 'bubblewrap');
  for (const pause of pausesMs) {
    if (failure === undefined) break;
    await (runner.clock ?? systemClock).sleep(pause);
    await aptGet(runner, 'update');
    failure = await aptGet(runner, 'install', 'bubblewrap');
  }
  return failure;
}

const aptGet = (runner: Runner, ...args: string[]) =>
  asRoot(runner, [
    ...['timeout', '180', 'apt-get', '-o', 'DPkg::Lock::Timeout=60'],
    ...['--yes', '--quiet', '--no-install-recommends', ...args],
  ]);

/** Runs a command by a sudo that needs no password. Returns the last line of its errors where it fails. */
async function asRoot({ env }: Runner, argv: string[], input = ''): Promise<string | undefined> {
  const child = spawn('sudo', ['-n', ...argv], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.on('error', () => {}); // A command that ends early does not read it.
  child.stdin.end(input);
  const ended = new Promise<string | undefined>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', code => resolve(code === 0 ? undefined : `exit code ${code}`));
  });
  const [failure, errors] = await Promise.all([ended, text(child.stderr)]);
  return failure && (errors.trim().split('\n').at(-1) || failure);
}

// Checks of the job `advance` before the first model call: the sandbox on its runner, and the switch for pull requests.

type Checks = Pick<RepositoryContext, 'isolation' | 'pullsFault'>;

/**
 * Engineers get a runner with the same label, so what keeps bubblewrap from working here does so there too. On a pool
 * of different machines the tests at the base tell. An App that opens the pull requests needs no switch.
 */
export const firstChecks = (
  { isolation, github }: Pick<RepositoryContext, 'isolation' | 'github'>,
  env: NodeJS.ProcessEnv,
): Checks => ({
  async isolation(config) {
    const kind = await isolation({ ...config, execution: 'actions' });
    if (kind === 'none') return kind;
    // The programs that install it need no secret.
    const { PATH, RUNNER_ENVIRONMENT } = env;
    await prepareRunner({
      env: { PATH, RUNNER_ENVIRONMENT },
      say: line => console.log(`isolation: ${line}`),
    });
    const fault = await bubblewrapFault();
    if (fault !== undefined)
      throw new IsolationMissing(`commands cannot be isolated on this runner: ${fault}`);
    return kind;
  },
  async pullsFault({ create_pr, dry_run }, branch) {
    const byApp = env['HAS_APP'] === 'true';
    return byApp || dry_run || !create_pr ? undefined : await github.whyNone(branch);
  },
});
