// `mode: run` and `mode: deliver`: what started the workflow comes in, its run is brought as far as this job may bring it,
// and what another job has to do is handed on.
import { join } from 'node:path';
import { masker, messageOf, type SharedWait, sharedWait, systemClock } from '@echelon/ground';
import type { Mirror } from '@echelon/ground/workspace';
import type { ActionsJobs, Jobs, MatrixEntry, RepositoryContext } from '../../app/app.ts';
import {
  actionsJobs,
  advanceSoon,
  bringUpToDate,
  eventOf,
  handleEvent,
  hearHere,
  lacksPermission,
  pullsForbidden,
  triggerLabel,
} from '../../app/app.ts';
import type { AnyJobSpec } from '../../app/job.ts';
import type { Client, WorkflowRuns } from '../../app/set-up.ts';
import {
  askConditionally,
  caller,
  callsUsed,
  RateLimited,
  tokenClient,
  workflowRuns,
} from '../../app/set-up.ts';
import { type Installations, openInstallations } from '../app/installations.ts';
import { jobsOnActions, jobFolders } from '../app/jobs-on-actions.ts';
import { readSettings, type Settings } from '../settings.ts';
import { abilitiesOf, type Lack, limited, type RunKind, chooseRunModel, missingSecret } from './abilities.ts';
import { firstChecks } from './prepare-runner.ts';
import { runSummary } from './job-summary.ts';
import { readPlace, type RunPlace } from './run-place.ts';
import { CannotStart, checkDirective, NoDirective, tellOnIssue } from './tell-on-issue.ts';
import { watch } from './watch.ts';
import { addSummary, quietly, secretsOfStep, setOutputs } from './workflow-commands.ts';

/**
 * So long a job stays while others work (milliseconds). `run`: for the tests at the base, with the model's key. `deliver`:
 * GitHub ends a job after six hours. `app`: the same with the token of an App, which lives for one hour.
 */
const WATCHED_MS = { run: 30 * 60_000, deliver: 5 * 3_600_000, app: 50 * 60_000 };

/** Longest wait in a job for a limit of GitHub or the provider (milliseconds). */
const MAX_WAIT_MS = 15 * 60_000;

/** Answers the exit code: 0 done, 1 it failed, 2 the step was written wrongly. */
export async function runMode(kind: RunKind, env: NodeJS.ProcessEnv): Promise<number> {
  const secrets = secretsOfStep(env);
  return await quietly(masker(secrets), async tell => {
    const place = await readPlace(env);
    if (!('problem' in place)) return await carryOn(kind, place, { ...settingsOf(env), env, secrets, tell });
    tell(place.problem);
    return 2;
  });
}

interface Means {
  env: NodeJS.ProcessEnv;
  settings: Settings;
  /** Reason that nothing can be done with them. */
  fault: string | undefined;
  secrets: readonly string[];
  tell(problem: string): void;
}

function settingsOf(env: NodeJS.ProcessEnv): Pick<Means, 'settings' | 'fault'> {
  try {
    return { settings: readSettings(env, { identity: true }), fault: undefined };
  } catch (error) {
    return { settings: readSettings({}), fault: messageOf(error) };
  }
}

async function carryOn(
  kind: RunKind,
  place: RunPlace,
  { env, settings, fault, secrets, tell }: Means,
): Promise<number> {
  let failed = false;
  let isHandedOn = false;
  const client = tokenClient(place.token, place.api, { pullsForbidden, lacksPermission });
  const calls = callsUsed(client);
  askConditionally(client);
  const wait = sharedWait(systemClock);
  const installations = openInstallations({
    data: join(place.temporary, 'data'),
    model: chooseRunModel(place.script, settings),
    keys: settings.stateKeys,
    secrets,
    secretsPresent: place.script === undefined,
    partialMirrors: true,
    web: place.web,
    host: settings,
    log(line) {
      failed = true;
      tell(line);
    },
  });
  // Of what the token of a job opens GitHub has the checks wait for a click; of what an App opens we do (`checks`).
  const opener =
    place.pullsToken === undefined
      ? { client, token: place.token, checksWait: true }
      : { client: tokenClient(place.pullsToken, place.api), token: place.pullsToken, checksWait: false };
  const token = async () => place.token;
  const connection = { client, bot: place.bot, token, wait, opener, statusOnly: true };
  const context = installations.repository(place.repository, connection);
  const { owner, name: repo, id } = place.repository;
  const clock = systemClock;
  const runsNow = () =>
    workflowRuns(client, caller(clock, wait), {
      ...{ owner, repo, id, path: place.workflow, clock, defaultBranch: async () => place.defaultBranch },
    });
  const runs = runsNow();
  const looking: Looking = {
    jobs: jobsOf(kind, place, { runsNow, client, wait, mirror: context.mirror }),
    outstanding: new Map(),
    lack: { model: false, contents: false },
    endsOwnRun: false,
  };
  let now = looking.jobs();
  try {
    const missing = place.refusal ?? fault ?? missingSecret(abilitiesOf[kind], place.script, settings);
    if (missing !== undefined) throw new CannotStart(missing);
    const own = {
      jobsOf: (): Jobs => ({
        ...now,
        async handOut(outstanding) {
          looking.outstanding = outstanding;
          await now.handOut?.(outstanding);
        },
      }),
      ...firstChecks(context, env),
      // Runners of the workflow install what they need.
      engineFault: () => undefined,
      livesOn: false,
      callsUsed: calls,
      // Another directive's job is in another group of the workflow: it is started for that one.
      hear: async (directive: number, part: number) =>
        directive === place.directive
          ? await hearHere(access, directive, part)
          : await runs.dispatch({ directive: String(directive), part: String(part) }),
    };
    const access: RepositoryContext = limited({ ...context, ...own }, abilitiesOf[kind], looking.lack);
    const ignored = await begin(access, kind, place);
    await settled(access, installations);
    const { late } = await watch({
      jobs: () => (now = looking.jobs()),
      outstanding: () => looking.outstanding,
      async look() {
        looking.endsOwnRun ||= now.endsOwnRun;
        Object.assign(looking.lack, { model: false, contents: false });
        await advanceSoon(access, place.directive ?? 0);
        await settled(access, installations);
      },
      isDone: () => failed || waitsForOther(kind, looking, now),
      clock,
      until: clock.now() + WATCHED_MS[place.pullsToken === undefined ? kind : 'app'],
    });
    looking.endsOwnRun ||= now.endsOwnRun;
    const view = place.directive === undefined ? undefined : context.views.get(place.directive);
    await addSummary(runSummary(place.directive, view, now.entries, ignored));
    isHandedOn = await handOn(kind, place, runs, { ...looking, late, entries: now.entries });
  } catch (error) {
    const told = kind === 'run' && place.event.name !== 'workflow_dispatch' ? place.event : undefined;
    await tellOnIssue(context, place.directive, told, error).catch((second: unknown) =>
      tell(messageOf(second)),
    );
    throw error;
  } finally {
    await installations.close();
  }
  // Jobs that were handed out need this one's success.
  return failed && !isHandedOn ? 1 : 0;
}

/** This job's knowledge of its directive's jobs, and the jobs that the program waited for at the last look. */
interface Looking {
  /** The jobs as GitHub shows them now. */
  jobs(): ActionsJobs;
  outstanding: ReadonlyMap<string, AnyJobSpec>;
  lack: Lack;
  /** Jobs of this workflow run work for nobody. */
  endsOwnRun: boolean;
}

interface JobParts {
  /** As GitHub shows them now. */
  runsNow(): WorkflowRuns;
  client: Client;
  wait: SharedWait;
  mirror(): Promise<Mirror>;
}

/** The job `advance` hands jobs out as a matrix that follows it; `settle`, which stays, dispatches the workflow for them. */
function jobsOf(kind: RunKind, place: RunPlace, { runsNow, ...parts }: JobParts): () => ActionsJobs {
  const { run, directive = 0, temporary } = place;
  const defaultBranch = async () => place.defaultBranch;
  if (kind === 'deliver') {
    const within = { run, path: place.workflow, begun: place.begun };
    const folder = join(temporary, 'jobs');
    const of = jobsOnActions({ ...parts, place: place.repository, folder, defaultBranch, within });
    return () => of(directive);
  }
  const folders = jobFolders(join(temporary, 'jobs'), join(temporary, 'handed'));
  return () => actionsJobs({ runs: runsNow(), folders, clock: systemClock, run, directive });
}

/** Takes in what the workflow was started by, or looks at the directive that it was started for. Answers why nothing comes of it. */
async function begin(
  context: RepositoryContext,
  kind: RunKind,
  { event, directive, part }: RunPlace,
): Promise<string | undefined> {
  if (kind === 'deliver' || event.name === 'workflow_dispatch') {
    if (directive === undefined) throw new NoDirective();
    if (kind === 'run') await checkDirective(context, directive);
    if (part !== undefined) context.heard.set(directive, new Set([part]));
    if (kind === 'run') await bringUpToDate(context, directive, await triggerLabel(context));
    // Its label may be off by now: what was begun is looked after all the same.
    if (!context.views.has(directive)) await advanceSoon(context, directive);
    return undefined;
  }
  const read = eventOf(event.name, event.payload, { forks: true });
  if ('ignored' in read) return read.ignored;
  await handleEvent(context, read);
  return undefined;
}

/** Resolves when the run goes no further: what GitHub or the provider asks to wait for is waited for, up to a bound. */
async function settled(context: RepositoryContext, installations: Installations): Promise<void> {
  const until = systemClock.now() + MAX_WAIT_MS;
  for (;;) {
    await installations.idle();
    const next = Math.min(...Array.from(context.kept.values(), each => each.until));
    if (next > until) return;
    await systemClock.sleep(Math.max(1000, next - systemClock.now()));
  }
}

/** True if another job has to go on, although jobs work. `advance` waits for the tests at the base only. */
function waitsForOther(kind: RunKind, { lack, outstanding }: Looking, { entries }: ActionsJobs): boolean {
  if (kind === 'deliver') return lack.model;
  const isMore = [...outstanding.values()].some(spec => !('kind' in spec) || spec.kind !== 'base-tests');
  return lack.contents || entries.length > 0 || isMore;
}

interface Left extends Looking {
  late: boolean;
  entries: readonly MatrixEntry[];
}

/** Hands out the jobs that were started, and starts whoever can do what this job cannot. Answers whether anything follows. */
async function handOn(
  kind: RunKind,
  { directive, temporary, run }: RunPlace,
  runs: WorkflowRuns,
  { jobs, outstanding, lack, late, entries, endsOwnRun }: Left,
): Promise<boolean> {
  const isWatched = outstanding.size > 0 || lack.contents;
  // The jobs are handed out whatever GitHub answers: one `settle` too many ends at once.
  async function isLookedAfter(): Promise<boolean> {
    try {
      return await jobs().isAwaitedBy('settle');
    } catch (error) {
      if (error instanceof RateLimited) return false;
      throw error;
    }
  }
  const settle = kind === 'run' && isWatched && !(await isLookedAfter());
  if (kind === 'run')
    setOutputs({
      jobs: JSON.stringify(entries),
      folder: join(temporary, 'handed'),
      directive: String(directive ?? ''),
      settle: String(settle),
    });
  else if ((late || lack.model) && directive !== undefined && !(await jobs().isAwaitedBy('look')))
    await runs.dispatch({ directive: String(directive) });
  // The last thing that it does: this job is ended as well.
  if (endsOwnRun && !isWatched) await runs.cancel(run);
  return settle || entries.length > 0;
}
