// `mode: run` and `mode: deliver`: what started the workflow comes in, its run is brought as far as this job may bring it,
// and what another job has to do is handed on.
import { join } from 'node:path';
import { setSecret } from '@actions/core';
import { actionsJobs, type ActionsJobs } from '../../app/engineer/actions-jobs.ts';
import { lacksPermission, pullsForbidden } from '../../app/comments/replies.ts';
import { eventOf } from '../../app/events/parse.ts';
import { callsUsed } from '../../app/github/calls-used.ts';
import { type Client, caller } from '../../app/github/octokit.ts';
import type { Opener } from '../../app/github/pulls.ts';
import { tokenClient } from '../../app/github/token-client.ts';
import { type WorkflowRuns, workflowRuns } from '../../app/github/workflow-runs.ts';
import { handleEvent } from '../../app/handlers/event.ts';
import { triggerLabel } from '../../app/handlers/labelled.ts';
import { bringUpToDate } from '../../app/handlers/reconcile.ts';
import type { RunView } from '../../app/comments/view.ts';
import { advanceSoon, hearHere, type RepositoryContext } from '../../app/handlers/repository-context.ts';
import { systemClock } from '../../lib/clock.ts';
import { masker } from '../../lib/mask.ts';
import { messageOf } from '../../lib/message.ts';
import { keyName, providers } from '../../engine/models/provider-keys.ts';
import { sharedWait } from '../../lib/shared-wait.ts';
import { type Installations, openInstallations } from '../app/installations.ts';
import { jobFolders } from '../job-folders.ts';
import { readSettings, type Settings } from '../settings.ts';
import { type Abilities, type Lack, limited } from './abilities.ts';
import { chooseRunModel, missingSecret } from './run-model.ts';
import { readPlace, type RunPlace } from './run-place.ts';
import { CannotStart, checkDirective, NoDirective, tellOnIssue } from './tell-on-issue.ts';
import { addSummary, quietly, setOutputs } from './workflow-commands.ts';

/** What a job of each kind is given: a model's key, or a token that writes to the contents; never both. */
const kinds: Record<'run' | 'deliver', Abilities> = {
  run: { model: true, contents: false },
  deliver: { model: false, contents: true },
};

/** What GitHub or the provider asks to wait for is waited for this long in a job (milliseconds). */
const MAX_WAIT_MS = 15 * 60_000;

/** Answers the exit code: 0 done, 1 it failed, 2 the step was written wrongly. */
export async function runMode(kind: keyof typeof kinds, env: NodeJS.ProcessEnv): Promise<number> {
  const secrets = [
    'INPUT_TOKEN',
    'INPUT_PULLS_TOKEN',
    ...providers.map(keyName),
    'ECHELON_STATE_KEY',
  ].flatMap(name => env[name]?.split(/[\s,]+/).filter(Boolean) ?? []);
  if (env['GITHUB_ACTIONS'] === 'true') secrets.forEach(setSecret);
  return await quietly(masker(secrets), async tell => {
    const place = await readPlace(env);
    if (!('problem' in place)) return await carryOn(kind, place, { ...settingsOf(env), secrets, tell });
    tell(place.problem);
    return 2;
  });
}

interface Means {
  settings: Settings;
  /** Why nothing can be done with them. */
  fault: string | undefined;
  secrets: readonly string[];
  tell(problem: string): void;
}

function settingsOf(env: NodeJS.ProcessEnv): Pick<Means, 'settings' | 'fault'> {
  try {
    return { settings: readSettings(env), fault: undefined };
  } catch (error) {
    return { settings: readSettings({}), fault: messageOf(error) };
  }
}

async function carryOn(
  kind: keyof typeof kinds,
  place: RunPlace,
  { settings, fault, secrets, tell }: Means,
): Promise<number> {
  let failed = false;
  const client = tokenClient(place.token, place.api, { pullsForbidden, lacksPermission });
  const calls = callsUsed(client);
  const wait = sharedWait(systemClock);
  const installations = openInstallations({
    data: join(place.temporary, 'data'),
    model: chooseRunModel(place.script, settings),
    keys: settings.stateKeys,
    secrets,
    secretsPresent: place.script === undefined,
    web: place.web,
    host: settings,
    log(line) {
      failed = true;
      tell(line);
    },
  });
  const opener = openerOf(place, client);
  const token = async () => place.token;
  const connection = { client, bot: place.bot, token, wait, opener, statusOnly: true };
  const context = installations.repository(place.repository, connection);
  const { owner, name: repo, id } = place.repository;
  const runs = workflowRuns(client, caller(systemClock, wait), {
    ...{ owner, repo, id, path: place.workflow, defaultBranch: async () => place.defaultBranch },
  });
  const jobs = jobsOf(kinds[kind], place, runs);
  const lack: Lack = { model: false, contents: false };
  // Jobs have runners of their own, which prepare it; without secrets it is as it is here.
  const isolation: RepositoryContext['isolation'] = config =>
    context.isolation({ ...config, execution: 'actions' });
  try {
    const missing = fault ?? missingSecret(kinds[kind], place.script, settings);
    if (missing !== undefined) throw new CannotStart(missing);
    // One job of a directive at a time is seen to by the workflow: they are one process to others.
    const holder = 'the workflow';
    const own = {
      jobsOf: () => jobs,
      isolation,
      // Runners of the workflow install what they need.
      engineFault: () => undefined,
      holder,
      triesAgain: false,
      dispatches: false,
      callsUsed: calls,
      // Another directive's job is in another group of the workflow: it is started for that one.
      hear: async (directive: number, part: number) =>
        directive === place.directive
          ? await hearHere(access, directive, part)
          : await runs.dispatch({ directive: String(directive), part: String(part) }),
    };
    const access: RepositoryContext = limited({ ...context, ...own }, kinds[kind], lack);
    const ignored = await advance(access, kind, place, installations);
    await handOn(kind, place, jobs, lack, runs);
    const view = place.directive === undefined ? undefined : context.views.get(place.directive);
    await addSummary(summaryOf(place, view, jobs, ignored));
  } catch (error) {
    const told = kind === 'run' && place.event.name !== 'workflow_dispatch' ? place.event : undefined;
    await tellOnIssue(context, place.directive, told, error).catch((second: unknown) =>
      tell(messageOf(second)),
    );
    throw error;
  } finally {
    await installations.close();
  }
  // What is handed on is carried out by jobs that need this one's success.
  return failed && jobs.entries.length === 0 && !lack.contents ? 1 : 0;
}

/** An App's checks start at once; of what the token of a job opens they wait for a person. */
const openerOf = ({ token, pullsToken, api }: RunPlace, client: Client): Opener =>
  pullsToken === undefined
    ? { client, token, checksWait: true }
    : { client: tokenClient(pullsToken, api), token: pullsToken, checksWait: false };

/** As `run-name` of the workflow makes it. */
const titleOf = (directive: number) => `Echelon #${directive}`;

const jobsOf = ({ model }: Abilities, place: RunPlace, runs: WorkflowRuns): ActionsJobs =>
  actionsJobs({
    runs,
    folders: jobFolders(join(place.temporary, 'jobs'), join(place.temporary, 'handed')),
    run: place.run,
    titleOf,
    directive: place.directive ?? 0,
    mayStart: model,
    ended: place.ended,
  });

/** Takes in what the workflow was started by, or looks at the directive that it was started for. Answers why nothing comes of it. */
async function advance(
  context: RepositoryContext,
  kind: keyof typeof kinds,
  { event, directive, part }: RunPlace,
  installations: Installations,
): Promise<string | undefined> {
  let ignored: string | undefined;
  if (kind === 'deliver' || event.name === 'workflow_dispatch') {
    if (directive === undefined) throw new NoDirective();
    if (kind === 'run') await checkDirective(context, directive);
    if (part !== undefined) context.heard.set(directive, new Set([part]));
    if (kind === 'run') await bringUpToDate(context, directive, await triggerLabel(context));
    // Its label may be off by now: what was begun is looked after all the same.
    if (!context.views.has(directive)) await advanceSoon(context, directive);
  } else {
    const read = eventOf(event.name, event.payload, { forks: true });
    if ('ignored' in read) ({ ignored } = read);
    else await handleEvent(context, read);
  }
  const until = systemClock.now() + MAX_WAIT_MS;
  for (;;) {
    await installations.idle();
    const next = Math.min(...Array.from(context.kept.values(), each => each.until));
    if (next > until) return ignored;
    await systemClock.sleep(Math.max(1000, next - systemClock.now()));
  }
}

/** Hands out the jobs that were started, and starts whoever can do what this job cannot. */
async function handOn(
  kind: keyof typeof kinds,
  place: RunPlace,
  jobs: ActionsJobs,
  lack: Lack,
  runs: WorkflowRuns,
): Promise<void> {
  const { directive, temporary } = place;
  setOutputs({
    jobs: JSON.stringify(jobs.entries),
    folder: join(temporary, 'handed'),
    directive: String(directive ?? ''),
    deliver: String(lack.contents),
  });
  const again = kind === 'deliver' && (lack.model || jobs.wanted);
  if (!again || directive === undefined || (await jobs.isAwaited())) return;
  await runs.dispatch({ directive: String(directive) });
}

/** What the job's page shows: where the run stands, what it has cost, what is handed out. */
function summaryOf(
  { directive }: RunPlace,
  view: RunView | undefined,
  { entries }: ActionsJobs,
  ignored: string | undefined,
): string {
  if (directive === undefined || !view) return `Nothing to do here${ignored ? `: ${ignored}` : ''}.\n`;
  const lines = [
    `### Echelon #${directive}: ${view.status}`,
    `$${view.cost_usd.toFixed(2)} of $${view.budget_usd} spent; ${view.issues.length} issues.`,
    ...entries.map(({ title }) => `- begins: ${title}`),
  ];
  return `${lines.join('\n\n')}\n`;
}
