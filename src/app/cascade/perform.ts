// Approved actions, carried out: branches, issues as sub-issues of the directive, and the batch to work on.
import { plural } from '../comments/figures.ts';
import { issueBody } from '../comments/issue-end.ts';
import type { IssueView } from '../comments/view.ts';
import { markOf, marked } from '../github/once.ts';
import type { Batch, TrackedIssue } from '../scheduler/slots.ts';
import { type Action, inDependencyOrder, type IssuePlan } from './issue-plan.ts';
import type { Approved } from './approval.ts';
import type { CascadeContext, Listed } from './context.ts';
import { planLabels } from './action-details.ts';
import { domainOf } from '../scheduler/domains.ts';
import { type Blockers, sayBlockers } from './blockers.ts';
import { tellNumbers, scheduled } from './places.ts';
import { lookAt } from './standing.ts';

const order = {
  update_plan: 0,
  create_branch: 1,
  create_issues: 2,
  request_review: 3,
  request_info: 3,
  escalate: 3,
  schedule: 4,
};

/** Approved work that is done so far. */
export interface Work {
  /** The created issues of each listing at the places that it showed; nothing where there is none. */
  places: Map<number, (TrackedIssue | undefined)[]>;
  chosen: Map<number, TrackedIssue>;
  notes: string[];
  maxParallel: number | undefined;
  blockers: Blockers;
  /** Number of checks that the approval still holds. */
  looks: number;
}

export const newWork = (): Work => ({
  places: new Map(),
  chosen: new Map(),
  notes: [],
  maxParallel: undefined,
  blockers: { ids: new Map(), said: [], isKnown: true },
  looks: 0,
});

/** Begins another batch; existing issues stay known. */
export function beginBatch(work: Work): void {
  work.chosen.clear();
  work.notes = [];
  work.maxParallel = undefined;
}

const madeBy = ({ places }: Work): TrackedIssue[] =>
  [...places.values()].flat().filter(issue => issue !== undefined);

export const batchOf = ({ chosen, maxParallel, notes }: Work): Omit<Batch, 'opened'> => ({
  issues: [...chosen.values()],
  maxParallel,
  notes,
});

/**
 * Performs in the order in which one action needs the other: branches, issues, then the schedule. Before each effect it
 * is looked whether all that was approved still stands; where it does not, `left` is what is to be listed again.
 */
export async function performApproved(
  ctx: CascadeContext,
  work: Work,
  approved: readonly Approved[],
  review: Review,
): Promise<{ why?: string; created: number[]; left: Listed[] }> {
  const stands = standing(ctx, work, approved);
  const before = new Set(madeBy(work));
  const left = new Map<string, Listed>(approved.map(each => [each.id, each]));
  let why: string | undefined;
  for (const each of approved.toSorted((a, b) => order[a.action.action] - order[b.action.action])) {
    why = await stands();
    if (why !== undefined) break;
    const done = new Map(each.done);
    const result = await perform(ctx, work, each, { done, stands, review });
    if ('why' in result) {
      why = result.why;
      left.set(each.id, { ...each, done });
      break;
    }
    left.delete(each.id);
    ctx.emit({ type: 'action_performed', id: each.id, action: each.action.action, result: result.done });
  }
  const made = madeBy(work);
  // Rejected and failed issues touch nothing.
  ctx.emit({ change: 'run', to: { paths: made.flatMap(({ paths }) => paths) } });
  return {
    ...(why !== undefined && { why }),
    created: made.filter(issue => !before.has(issue)).map(({ number }) => number),
    left: [...left.values()],
  };
}

/** Looks again, as a step of its own, whether all that was approved still stands. Nobody approved: it does. */
function standing(ctx: CascadeContext, work: Work, approved: readonly Approved[]) {
  const approvals = approved.flatMap(({ approval }) => approval ?? []);
  return async (): Promise<string | undefined> => {
    if (approvals.length === 0) return undefined;
    work.looks += 1;
    return await lookAt(ctx, `approval/look-${work.looks}`, approvals);
  };
}

/** Has a pull request reviewed; answers what came of it, a clause. */
type Review = (
  asked: Approved,
  action: Extract<Action, { action: 'request_review' }>,
) => Promise<{ done: string } | { failed: string }>;

/** Context for performing an action. `done` is filled with the results for its issues. */
interface Performing {
  done: Map<number, number | null>;
  review: Review;
  stands(): Promise<string | undefined>;
}

/** Performs one action. `why`: what was approved does not stand any more, and the rest of it was not done. */
async function perform(
  ctx: CascadeContext,
  work: Work,
  approved: Approved,
  performing: Performing,
): Promise<{ done: string } | { why: string }> {
  const { id, action, list, before } = approved;
  const { notes } = work;
  if (action.action === 'update_plan') ctx.emit({ change: 'run', to: { plan: action.plan } });
  else if (action.action === 'create_branch') {
    // A branch is its own natural key: one at the same commit is success, so nothing needs to be looked for.
    const { result: done } = await ctx.step(`perform/${id}/branch`, async () => ({
      result: await ctx.createBranch(action.branch_name, action.from),
    }));
    if (done.startsWith('not done')) notes.push(`${id} was ${done}`);
    return { done };
  } else if (action.action === 'create_issues') {
    const open = action.issues.length - performing.done.size;
    if (madeBy(work).length + open > ctx.config.limits.issues) {
      const done = `not done: a run may create ${ctx.config.limits.issues} issues`;
      notes.push(`${id} was ${done}`);
      return { done };
    }
    const places = work.places.get(list) ?? [];
    work.places.set(list, places);
    const why = await createIssues(ctx, work, { ...approved, plans: action.issues, places }, performing);
    const made = action.issues.map((plan, at) =>
      plan.existing === undefined ? places[before + at] : undefined,
    );
    tellNumbers(ctx, made, performing.done);
    if (why !== undefined) return { why };
  } else if (action.action === 'request_review') {
    const result = await performing.review(approved, action);
    if ('done' in result) return result;
    notes.push(`${id} was not done: ${result.failed}`);
    return { done: `not done: ${result.failed}` };
  } else if (action.action === 'schedule') {
    const { issues, problems } = scheduled(action, work.places.get(list) ?? [], madeBy(work));
    for (const issue of issues) work.chosen.set(issue.number, issue);
    notes.push(...problems);
    work.maxParallel = action.max_parallel ?? work.maxParallel;
    return { done: `${plural(issues.length, 'issue')} scheduled` };
  }
  return { done: 'done' };
}

interface Creating extends Approved {
  plans: readonly IssuePlan[];
  /** Issues of the listing at their places, which the new ones join. */
  places: (TrackedIssue | undefined)[];
}

/**
 * Creates the issues that are not there yet (of those that are, nothing is changed), each once and after what it depends on, and makes them sub-issues;
 * `depends_on` becomes numbers. Before each but the first it is looked whether it was approved still; answers why not.
 */
async function createIssues(
  ctx: CascadeContext,
  { notes, blockers }: Work,
  { id, before, estimates, plans, places }: Creating,
  { done, stands }: Performing,
): Promise<string | undefined> {
  const keyOf = (index: number) => `perform/${id}/issue-${index + 1}`;
  // Dependencies must exist before an issue, so that its body can name them.
  const open = inDependencyOrder(plans).filter(index => !done.has(index + 1));
  await ctx.intend(open.map(keyOf));
  for (const [nth, index] of open.entries()) {
    const plan = plans[index]!;
    const why = nth > 0 && plan.existing === undefined ? await stands() : undefined;
    if (why !== undefined) return why;
    const domain = domainOf(plan);
    const needed = (plan.depends_on ?? []).map(each =>
      typeof each === 'number' ? done.get(each) : Number(each.slice(1)),
    );
    const dependsOn = needed.filter(each => typeof each === 'number');
    if (dependsOn.length < needed.length) {
      done.set(index + 1, null);
      notes.push(
        `"${plan.title}" was not ${plan.existing === undefined ? 'created' : 'taken up'}: what it depends on could not be`,
      );
      continue;
    }
    const made = await createIssue(ctx, keyOf(index), plan, dependsOn);
    if ('refused' in made) {
      done.set(index + 1, null);
      notes.push(`"${plan.title}" could not be created: ${made.refused}`);
      continue;
    }
    const { number } = made;
    done.set(index + 1, number);
    if (made.id !== undefined)
      await sayBlockers(ctx, blockers, { number, id: made.id, key: keyOf(index), dependsOn });
    const { title, body, paths = [], estimate_minutes: estimateMinutes, assignee } = plan;
    const labels = planLabels(plan);
    const tracked = { number, title, body, domain, labels, dependsOn, paths, estimateMinutes, assignee };
    places[before + index] = tracked;
    const estimate = estimates?.get(index + 1);
    const issue: IssueView = {
      ...{ number, title, domain, dependsOn, state: 'pending', attempt: 0, branch: null, pull: null },
      ...{ cost_usd: 0, model_calls: 0, ms: 0, rounds: 0, tests: null },
      ...(estimate && { estimate }),
    };
    ctx.emit({ change: 'issue created', issue });
    ctx.emit({ type: 'issue_created', issue: number, title, domain });
  }
  return undefined;
}

/** Creates an issue once, as it was listed, and makes it a sub-issue of the directive; of one that is there, nothing. */
async function createIssue(
  { github, view, step }: CascadeContext,
  key: string,
  plan: IssuePlan,
  dependsOn: number[],
): Promise<{ number: number; id?: number } | { refused: string }> {
  const { existing } = plan;
  if (existing !== undefined) return await step(key, async () => ({ number: existing }));
  const made = await step<{ number: number; id: number } | { refused: string }>(
    key,
    op =>
      github.createIssue({
        title: plan.title,
        body: marked(issueBody({ body: plan.body, directive: view.issue, dependsOn }), op),
        labels: planLabels(plan),
        assignees: plan.assignee ? [plan.assignee] : [],
      }),
    {
      find: async op => {
        const own = (await github.ownIssues(view.started)).find(issue => markOf(issue.body) === op);
        return own && { number: own.number, id: own.id };
      },
    },
  );
  if ('number' in made)
    await step(`${key}/link`, async () => {
      await github.addSubIssue(view.issue, made.id);
      return true;
    });
  return made;
}
