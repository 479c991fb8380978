// The trigger label was put on an issue: a run begins, if the person may and the configuration is sound.
import { packedSize, PROGRAM_VERSION } from '@echelon/ground/journal';
import { IsolationMissing, type Mirror } from '@echelon/ground/workspace';
import { cannotStart, configReply, lacksWorkflow, mayNotStart } from '../comments/replies.ts';
import type { TestGround } from '../engineer/slots/context.ts';
import { type ProjectCommands, projectCommands } from '../engineer/project/project-commands.ts';
import { type ProjectFiles, projectFiles } from '../engineer/project/project-files.ts';
import { existingPlan } from '../cascade/existing.ts';
import { hasLabel, sameLabel } from '../github/issues.ts';
import { saidBefore, sayOnce } from '../github/once.ts';
import { workflowPath, worksJobs } from '../github/workflow-runs.ts';
import type { Thread } from '../github/thread.ts';
import { suffices } from '../github/repository.ts';
import { readTemplates, type Source, TemplatesRefused } from '../../engine/language.ts';
import { engineersPrice, modelsFor } from './models-for.ts';
import { firstCallCost, ModelFailure } from '../../engine/models.ts';
import { type Config, configPath, defaultLabel } from '../config/config.ts';
import type { ConfigProblem } from '../config/strict-yaml.ts';
import type { Start } from '../run/run-start.ts';
import { templateProblems } from '../run/templates.ts';
import { type RepositoryContext, advanceSoon } from './repository-context.ts';
import { askedDry, placeThisHour, whyNotThisText } from './labelled-text.ts';

/** Bytes of a file that is read from the repository to begin with. */
const MAX_FILE = 256 * 1024;

/** Characters of the record that the start of a run may take, so that the layers' replies fit beside it. */
const MAX_START = 40_000;

/** Looks whether the issue carries the trigger label, and who put it on; the run begins as theirs. */
export async function labelled(ctx: RepositoryContext, issue: number, label: string): Promise<void> {
  if (sameLabel(label, await triggerLabel(ctx))) await begin(ctx, issue, label);
}

/** Begins a run for the newest time a person put the trigger label on, or goes on with the one that goes on. Answers when that was. */
export async function begin(
  ctx: RepositoryContext,
  issue: number,
  label: string,
): Promise<number | undefined> {
  const trigger = await ctx.github.labelling(issue, label);
  if (!trigger) return undefined;
  await advanceSoon(ctx, issue, {
    trigger: trigger.id,
    at: trigger.at,
    prepare: thread => prepare(ctx, thread, { ...trigger, label }),
  });
  return trigger.at;
}

/** The label that begins a run in this repository, by its configuration: as it is now, or as it was fetched last. */
export async function triggerLabel(ctx: RepositoryContext, of = ctx.newestMirror): Promise<string> {
  // Asked first: it tells when another repository has taken over the name.
  const branch = await ctx.github.defaultBranch();
  const mirror = await of();
  const base = await baseOf(ctx, mirror, branch);
  if (!base) return defaultLabel;
  const read = await ctx.readConfig(mirror, base.commit);
  return 'config' in read ? read.config.label : defaultLabel;
}

interface Trigger {
  id: number;
  by: string;
  at: number;
  label: string;
}

/** The pinned values of a run that are known before its thread is read again. */
type Prepared = Omit<Start, 'since'>;

/** Everything a run is pinned to; or a comment that says why there is none. */
async function prepare(
  ctx: RepositoryContext,
  thread: Thread,
  trigger: Trigger,
): Promise<Prepared | undefined> {
  const { github } = ctx;
  const key = `label/${trigger.id}`;
  if (thread.state !== 'open' || !hasLabel(thread.labels, trigger.label)) return undefined;
  // One answer for each time the label is put on: what was refused is not taken up later behind the person's back.
  if (saidBefore(github, thread, key).at !== undefined) return undefined;
  const prepared = await startOrRefusal(ctx, thread, trigger);
  if (!('refusal' in prepared)) return prepared;
  await sayOnce(github, thread, { key, body: prepared.refusal });
  return undefined;
}

/**
 * The checks in their order: the person, the text, the repository, and what the run would be pinned to. `refusal`: the
 * reason for beginning no run, the whole comment.
 */
async function startOrRefusal(
  ctx: RepositoryContext,
  thread: Thread,
  trigger: Trigger,
): Promise<Prepared | { refusal: string }> {
  const { github } = ctx;
  const permission = await github.permission(trigger.by);
  if (!suffices(permission, 'write')) return { refusal: mayNotStart(trigger.by, permission, trigger.label) };
  const notTheirs = await whyNotThisText(github, thread.number, trigger);
  if (notTheirs !== undefined) return { refusal: cannotStart(notTheirs) };
  const found = await repositoryNow(ctx, await ctx.mirror());
  if ('why' in found)
    return { refusal: found.problems ? configReply(configPath, found.problems) : cannotStart(found.why) };
  try {
    const dry = found.config.dry_run || (await askedDry(github, thread, trigger.at));
    const config = { ...found.config, dry_run: dry };
    const { directive, ...pinned } = await startOf(ctx, thread, trigger, { ...found, config });
    const templates = await readTemplates(found.mirror, found.head.commit);
    const existing = await existingPlan(github, thread, { most: config.limits.issues, label: trigger.label });
    if (typeof existing === 'string') return { refusal: cannotStart(existing) };
    const start = {
      ...{ ...pinned, directive: { ...directive, ...(existing && { existing }) } },
      ...(templates.length > 0 && { templates: found.head.commit }),
    };
    const broken = templatesBroken(ctx, templates);
    if (broken !== undefined) return { refusal: broken };
    const why =
      (await noWorkflow(ctx, found)) ??
      noEngine(ctx, found) ??
      tooLong(start) ??
      (await ctx.pullsFault(config, found.base.branch)) ??
      (await placeThisHour(ctx, thread.number, start));
    return why === undefined ? start : { refusal: cannotStart(why) };
  } catch (error) {
    if (
      error instanceof IsolationMissing ||
      error instanceof ModelFailure ||
      error instanceof TemplatesRefused
    )
      return { refusal: cannotStart(error.message) };
    throw error;
  }
}

function templatesBroken(ctx: RepositoryContext, own: readonly Source[]): string | undefined {
  const [first, ...others] = templateProblems(ctx.templates, own);
  return first && configReply(first.file, [first, ...others]);
}

/** Fault of the workflow for an App's jobs: one that runs the product itself is another. */
async function noWorkflow(
  { livesOn }: RepositoryContext,
  { mirror, head, config }: Found,
): Promise<string | undefined> {
  if (config.execution === 'local' || !livesOn) return undefined;
  const text = String((await mirror.readFile(head.commit, workflowPath, MAX_FILE)) ?? '');
  return worksJobs(text) ? undefined : lacksWorkflow(workflowPath);
}

function noEngine({ engineFault }: RepositoryContext, { config }: Found): string | undefined {
  const why = engineFault(config);
  return (
    why &&
    `no engine that \`engines\` names can work: ${why}. Install one, or add \`native\` in ${configPath}`
  );
}

function tooLong(start: Prepared): string | undefined {
  const size = packedSize(start);
  if (size <= MAX_START) return undefined;
  return `title and description take ${size} characters of the record, packed; at most ${MAX_START} fit. Shorten the description`;
}

/** The repository's present state. */
interface Found {
  mirror: Mirror;
  config: Config;
  /** Commit of configuration and templates. */
  head: Start['base'];
  base: Start['base'];
}

/** `why` nothing can be read there, a clause; the problems of an invalid configuration. */
async function repositoryNow(
  ctx: RepositoryContext,
  mirror: Mirror,
): Promise<Found | { why: string; problems?: readonly ConfigProblem[] }> {
  const head = await baseOf(ctx, mirror, undefined);
  if (!head) return { why: 'the repository has no commit yet. Push one' };
  const read = await ctx.readConfig(mirror, head.commit);
  if ('problems' in read) {
    const { problems } = read;
    const first = problems.map(({ line, column, message }) => `${line}:${column} ${message}`)[0];
    return { why: `${configPath}:${first}`, problems };
  }
  const { config } = read;
  const base = await baseOf(ctx, mirror, config.base);
  return base
    ? { mirror, config, head, base }
    : { why: `the base branch ${config.base} does not exist. Mend \`base\` in ${configPath}` };
}

async function startOf(
  ctx: RepositoryContext,
  { title, body }: Thread,
  { id, by }: Trigger,
  { mirror, config, base }: Found,
): Promise<Prepared> {
  const models = modelsFor(ctx.model, config);
  checkAllowed(ctx, config);
  const isolation = await ctx.isolation(config);
  return {
    program: PROGRAM_VERSION,
    by,
    trigger: id,
    base,
    directive: { title, body },
    config,
    models,
    scripted: ctx.model.scripted,
    first_call_usd: firstCallCost(engineersPrice(ctx.model, models, config)),
    isolation,
    ...(await commandsOf(ctx, { mirror, config, base })),
    ...(ctx.caps.budget && { budgetCap: ctx.caps.budget }),
  };
}

/** The commands that run the tests and install what they need. */
export async function commandsOf(
  { test }: Pick<RepositoryContext, 'test'>,
  { mirror, config, base }: Pick<Found, 'mirror' | 'config'> & { base: { commit: string } },
): Promise<ProjectCommands> {
  const named = { ...config, test: test ?? config.test };
  return await projectCommands(await filesAt(mirror, base.commit), named);
}

/** For a /retry of tests that cannot run: everything else stays as the run began with it. */
export async function testGround(ctx: RepositoryContext): Promise<TestGround | { problem: string }> {
  const found = await repositoryNow(ctx, await ctx.newestMirror());
  if ('why' in found) return { problem: found.why };
  try {
    checkAllowed(ctx, found.config);
  } catch (error) {
    if (error instanceof IsolationMissing) return { problem: error.message };
    throw error;
  }
  return {
    commit: found.base.commit,
    network: found.config.network,
    ...(await commandsOf(ctx, found)),
  };
}

async function filesAt(mirror: Mirror, commit: string): Promise<ProjectFiles> {
  const listed = await mirror.listFiles(commit);
  return projectFiles(
    listed.map(({ path }) => path),
    async path => String((await mirror.readFile(commit, path, MAX_FILE)) ?? ''),
  );
}

/**
 * A repository's file cannot switch off what keeps model-written code away from the operator's secrets: that takes
 * the operator's word. Throws IsolationMissing with the remedy.
 */
function checkAllowed({ secretsPresent, allows }: RepositoryContext, { isolation, network }: Config): void {
  const refused = (asked: string, variable: string) =>
    new IsolationMissing(
      `${configPath} asks for \`${asked}\`, which the operator of this installation does not allow (${variable} allows it). Take it out`,
    );
  if (!secretsPresent) return;
  if (network === 'all' && !allows.network) throw refused('network: all', 'ECHELON_NETWORK=all');
  if (isolation === 'none' && !allows.isolationNone)
    throw refused('isolation: none', 'ECHELON_ISOLATION=none');
}

async function baseOf(ctx: RepositoryContext, mirror: Mirror, named: string | undefined) {
  const branch = named ?? (await ctx.github.defaultBranch());
  const commit = await mirror.resolve(branch);
  return commit === undefined ? undefined : { branch, commit };
}
