// Workflows that an event starts, and their commit, by GitHub's rules.
import { readGlob } from '@echelon/ground';
import { actOf } from '../emit.ts';
import { branchHead } from '../pulls/pull-changes.ts';
import { workflowsAt } from './workflow-files.ts';
import { queueRun, type RunRequest } from './workflow-changes.ts';
import { mergedTree, readCommit, writeCommit } from '../repositories/commits.ts';
import { type Core, now } from '../core.ts';
import { git, repositoryFolder } from '../repositories/git.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import type { Trigger } from './workflow-rows.ts';
import type { EventSpec } from './trigger-spec.ts';
import { readWorkflow } from './workflow-file.ts';
import { WorkflowError } from './written.ts';

const skips = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|\n\n\n(.*\n)*skip-checks: ?true\s*$/;

/**
 * True if the commit message suppresses workflows.
 * https://docs.github.com/actions/how-tos/manage-workflow-runs/skip-workflow-runs
 */
export const skipsWorkflows = (message: string): boolean => skips.test(message);

/** Members of a payload that decide. The forge wrote it itself. */
interface Payload {
  action?: string;
  ref?: string;
  after?: string;
  head_commit?: { message: string } | null;
  issue?: { title: string };
  pull_request?: {
    number: number;
    title: string;
    merged_at: string | null;
    merge_commit_sha: string | null;
    head: { ref: string; sha: string };
    base: { ref: string };
  };
}

/** Queues the runs that an event starts. */
export async function startRuns(core: Core, trigger: Trigger): Promise<void> {
  const act = actOf(core, trigger.repository_id, trigger.actor_id);
  const { repository } = act;
  const payload: Payload & Record<string, unknown> = JSON.parse(trigger.payload);
  if (repository.actions_enabled === 0) return;
  const place = await placeOf(core, repository, trigger.event, payload);
  if (!place || (await isSkipped(core, repository, trigger.event, place))) return;
  for (const { workflow, text } of await workflowsAt(core, repository, place.sha)) {
    if (workflow.state !== 'active') continue;
    if (!(await listens(workflow.path, text, trigger.event, payload))) continue;
    const title =
      payload.issue?.title ?? payload.pull_request?.title ?? payload.head_commit?.message.split('\n')[0];
    await queueRun(act, workflow, {
      event: trigger.event,
      payload,
      title: title ?? workflow.name,
      ...place,
      inputs: {},
      awaitsApproval: trigger.awaits_approval === 1,
    });
  }
}

/** Of other events the message does not count. */
async function isSkipped(core: Core, repository: Repository, event: string, { headSha }: RunPlace) {
  if (event !== 'push' && event !== 'pull_request') return false;
  return skipsWorkflows((await readCommit(repositoryFolder(core, repository), headSha)).message);
}

/** A file that cannot be read starts too where it may listen: the run says what is wrong with it. */
async function listens(path: string, text: string, event: string, payload: Payload): Promise<boolean> {
  try {
    const { on } = await readWorkflow(path, text);
    return on.events.some(spec => asksFor(spec, event, payload));
  } catch (error) {
    if (error instanceof WorkflowError) return new RegExp(`\\b${event}\\b`).test(text);
    throw error;
  }
}

/** Activities that start a workflow which names none; of other events all do. */
const usual: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened'],
};

/** True if `on` names the event. */
function asksFor({ name, types, branches }: EventSpec, event: string, payload: Payload): boolean {
  if (name !== event) return false;
  const wanted = types ?? usual[event];
  if (payload.action !== undefined && wanted && !wanted.includes(payload.action)) return false;
  if (!branches) return true;
  const branch = payload.pull_request?.base.ref ?? /^refs\/heads\/(.+)$/.exec(payload.ref ?? '')?.[1];
  return branch !== undefined && isAmong(branch, branches);
}

/** The last pattern that fits decides; one with `!` in front takes out again. */
function isAmong(branch: string, patterns: readonly string[]): boolean {
  const effort = { left: Number.POSITIVE_INFINITY };
  return patterns.reduce((found, pattern) => {
    const isNegative = pattern.startsWith('!');
    const glob = readGlob(isNegative ? pattern.slice(1) : pattern);
    return glob?.matches(branch, effort) ? !isNegative : found;
  }, false);
}

type RunPlace = Pick<RunRequest, 'ref' | 'sha' | 'headSha' | 'branch'>;

/** Undefined for an event that starts nothing: a branch that is gone, a pull request with conflicts. */
async function placeOf(
  core: Core,
  repository: Repository,
  event: string,
  { ref, after, pull_request: pull }: Payload,
): Promise<RunPlace | undefined> {
  if (event === 'push') {
    if (ref === undefined || after === undefined || /^0+$/.test(after)) return undefined;
    return { ref, sha: after, headSha: after, branch: ref.replace(/^refs\/(heads|tags)\//, '') };
  }
  if (pull && event.startsWith('pull_request')) return placeOfPull(core, repository, pull);
  const branch = repository.default_branch;
  const sha = branchHead(core, repository, branch);
  return sha === undefined ? undefined : { ref: `refs/heads/${branch}`, sha, headSha: sha, branch };
}

/** The merge of head and base, which is made here; of a merged one what the base branch got. */
async function placeOfPull(
  core: Core,
  repository: Repository,
  pull: NonNullable<Payload['pull_request']>,
): Promise<RunPlace | undefined> {
  const shown = { headSha: pull.head.sha, branch: pull.head.ref };
  if (pull.merged_at !== null && pull.merge_commit_sha !== null)
    return { ref: `refs/heads/${pull.base.ref}`, sha: pull.merge_commit_sha, ...shown };
  const folder = repositoryFolder(core, repository);
  const base = branchHead(core, repository, pull.base.ref);
  const tree = base && (await mergedTree(folder, base, pull.head.sha));
  if (!base || !tree) return undefined;
  const who = { name: 'GitHub', email: 'noreply@github.com', date: now(core) };
  const message = `Merge ${pull.head.sha} into ${base}`;
  const parents = [base, pull.head.sha];
  const sha = await writeCommit(folder, { tree, parents, author: who, committer: who, message });
  const ref = `refs/pull/${pull.number}/merge`;
  await git(folder, ['update-ref', ref, sha]);
  return { ref, sha, ...shown };
}
