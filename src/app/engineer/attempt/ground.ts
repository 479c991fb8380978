// Prepared environment of jobs: a checkout with what the run's setup installs, once for all jobs, at the base.
import { join } from 'node:path';
import { digest } from '@echelon/ground';
import {
  type AllowedHosts,
  type Checkout,
  checkoutParts,
  clear,
  createCheckout,
  git,
  inEmptyRoom,
  type Isolation,
  openGround,
} from '@echelon/ground/workspace';
import { trimLog } from '../../../engine/texts.ts';
import { isLock, isLocking, versionsCommand } from '../project/guess-setup.ts';
import { commandsIn } from './job-commands.ts';
import { ATTEMPT_LIMIT, type JobSpec } from '../jobs/job-spec.ts';
import { setupHosts } from '../project/network-hosts.ts';
import type { JobHost, Workplace } from './workplace.ts';

/** In the mirror of a run: the grounds of its repository. */
const GROUNDS = 'grounds';
/** Tokens of the setup's output that people are shown. */
const TAIL = 500;
/** Tools say their version at once (milliseconds). */
const VERSIONS_MS = 60_000;

/** The setup failed. The message is a clause without its full stop. */
export class SetupFailed extends Error {
  /** The command, and the end of what it printed. */
  readonly command: string;
  readonly tail: string;
  constructor(command: string, how: string, tail: string) {
    super(`the setup (\`${command}\`) ${how}`);
    this.command = command;
    this.tail = tail;
  }
}

/** A run's setup as its jobs are given it. */
export interface GroundPlace extends Pick<JobSpec, 'setup' | 'network'> {
  /** The run's mirror. */
  mirror: string;
  /** The commit to check out, and the bare repository that has it where the mirror has not. */
  commit: string;
  has?: string;
  /** The job's, which has no checkout now. */
  folder: string;
  isolation: Isolation;
  /** The setup is ended after so long. */
  ms: number;
}

export type GroundHost = Pick<JobHost, 'clock' | 'hostPath' | 'mark' | 'reach' | 'signal'> & {
  onOutput?: () => void;
};

/**
 * A fresh checkout of the commit, with what is installed at the base; where its lockfiles are not those of the base,
 * with what is installed at the commit itself, for nobody else's use. Throws SetupFailed, and what `createCheckout` does.
 */
export async function openGrounded(place: GroundPlace, host: GroundHost): Promise<Checkout> {
  const { setup, mirror, commit, folder, isolation } = place;
  const from = { mirror: place.has ?? mirror, commit, folder };
  if (!setup) return await createCheckout(from);
  const hosts = await setupHosts({ network: place.network, mirror, base: setup.base });
  const installIn = (checkout: Checkout) => install(checkout, setup, { ...place, hosts }, host);
  if (isolation.kind === 'none') {
    // Installed files may contain their folder's path: without a sandbox each job has another one.
    const checkout = await createCheckout(from);
    return await installIn(checkout).then(
      () => checkout,
      async (error: unknown) => {
        await checkout.remove();
        throw error;
      },
    );
  }
  const key = await keyOf(setup, place, hosts, host);
  const ground = await openGround(
    { folder: groundsIn(mirror), clock: host.clock },
    key.digest,
    async making => {
      const checkout = await createCheckout({ ...from, commit: key.commit, folder: making });
      await installIn(checkout);
      await checkout.keepIgnored(host.signal);
      await clear(
        making,
        checkoutParts.filter(part => part !== 'tree' && part !== 'home'),
      );
    },
    host.signal,
  );
  return await createCheckout({ ...from, ground });
}

/**
 * Runs the setup again in the checkout of an attempt whose change touches lock files or manifests, once for each content
 * of them. Answers why that failed. What it leaves in files that git ignores is there for the tests, and the next round.
 */
export async function installAgain(place: Workplace): Promise<SetupFailed | undefined> {
  const { spec, checkout, isolation, before, state, time, host, signal } = place;
  const { setup } = spec;
  if (!setup || state.tree === undefined) return undefined;
  const [now, base] = await Promise.all(
    [state.tree, before].map(tree => filesOf(checkout.gitDir, tree, path => isLock(path, false))),
  );
  if (now?.join() === (state.installed ?? base?.join())) return undefined;
  const hosts = await setupHosts({ ...spec, base: setup.base });
  const ms = spec.limits.attempt_ms - time.elapsed();
  try {
    await install(checkout, setup, { isolation, hosts, ms }, { ...host, signal });
  } catch (error) {
    if (error instanceof SetupFailed) return error;
    throw error;
  }
  state.installed = now?.join() ?? '';
  return undefined;
}

type Setup = NonNullable<JobSpec['setup']>;

/** Key of what the setup installs at its base, for a cache between runners of the same image. */
export async function setupKey(
  { command, base }: Setup,
  { mirror, network, image }: Pick<GroundPlace, 'mirror' | 'network'> & { image: string },
): Promise<string> {
  const hosts = await setupHosts({ network, mirror, base });
  return digest({ form: 1, command, hosts, locks: await locksOf(mirror, base), image });
}

/** Folder of what is installed, in the mirror of a run. */
export const groundsIn = (mirror: string): string => join(mirror, GROUNDS);

/** The values that an installation depends on; `commit`: where it is installed. */
async function keyOf(setup: Setup, place: GroundPlace, hosts: AllowedHosts, host: GroundHost) {
  const { mirror, commit, has = mirror } = place;
  const [here, there] = await Promise.all([locksOf(has, commit), locksOf(mirror, setup.base)]);
  const locks = here.join('\n');
  // A branch's code, which models wrote, installs nothing that jobs at the base start from.
  const own = locks !== there.join('\n');
  const tools = await versions(
    here.map(line => line.slice(line.indexOf('\t') + 1)),
    place,
    host,
  );
  const { command } = setup;
  const of = { form: 2, command, hosts, locks, tools, ...(own && { commit }) };
  return { digest: digest(of), commit: own ? commit : setup.base };
}

/** Lines of each file that says what is installed. */
async function locksOf(gitDir: string, commit: string): Promise<string[]> {
  const locked = (await filesOf(gitDir, commit, isLocking)).length > 0;
  return await filesOf(gitDir, commit, path => isLock(path, locked));
}

/** `<mode> blob <object id>\t<path>` of each file of the tree whose path is wanted. */
async function filesOf(gitDir: string, tree: string, isWanted: (path: string) => boolean): Promise<string[]> {
  const files = (await git(['ls-tree', '-r', '-z', '--full-tree', tree], { gitDir })).split('\0');
  return files.filter(line => line !== '' && isWanted(line.slice(line.indexOf('\t') + 1)));
}

/** Versions that the tools print where commands of jobs find them. */
async function versions(locks: readonly string[], { folder, isolation }: GroundPlace, host: GroundHost) {
  const command = versionsCommand(locks);
  const time = { ms: VERSIONS_MS, more: ATTEMPT_LIMIT };
  const { stdout } = await inEmptyRoom(folder, room =>
    commandsIn({ checkout: room, isolation, hosts: [], host })(command, time, host.signal),
  );
  return stdout;
}

async function install(
  checkout: Checkout,
  { command }: Setup,
  { isolation, hosts, ms }: { isolation: Isolation; hosts: AllowedHosts; ms: number },
  host: GroundHost,
): Promise<void> {
  const time = { ms: Math.max(1000, ms), more: ATTEMPT_LIMIT };
  const run = commandsIn({ checkout, isolation, hosts, host }, host.onOutput);
  const ended = await checkout.undoing(() => run(command, time, host.signal), host.signal);
  const { exit_code, end, stdout, stderr } = ended;
  if (exit_code === 0 && end === undefined) return;
  throw new SetupFailed(command, end ?? `exited ${exit_code}`, trimLog(`${stdout}\n${stderr}`, TAIL).trim());
}
