// Approved actions, carried out: branches, issues as sub-issues of the directive, and the batch to work on.
import { plural } from '../comments/figures.ts';
import { issueBody } from '../comments/issue-body.ts';
import { markOf, marked } from '../record/marker.ts';
import type { Batch, TrackedIssue } from '../scheduler/tracked.ts';
import type { IssuePlan } from './actions.ts';
import type { CascadeContext, Queued } from './context.ts';
import { planDomain, planLabels } from './detail.ts';

const order = {
  update_plan: 0,
  create_branch: 1,
  create_issues: 2,
  request_review: 3,
  request_info: 3,
  escalate: 3,
  schedule: 4,
};

/** Performs in the order in which one action needs the other: branches, issues, then the schedule. */
export async function performApproved(ctx: CascadeContext, approved: readonly Queued[]): Promise<Batch> {
  /** At the places that the listing showed; nothing where an issue could not be created. */
  const created: (TrackedIssue | undefined)[] = [];
  const chosen = new Map<number, TrackedIssue>();
  const notes: string[] = [];
  let maxParallel: number | undefined;
  for (const { id, action } of approved.toSorted((a, b) => order[a.action.action] - order[b.action.action])) {
    let result = 'done';
    if (action.action === 'update_plan') ctx.view.plan = action.plan;
    else if (action.action === 'create_branch') {
      result = await createBranch(ctx, id, action);
      if (result.startsWith('not done')) notes.push(`${id} was ${result}`);
    } else if (action.action === 'create_issues') {
      if (created.filter(Boolean).length + action.issues.length > ctx.limits.issues) {
        result = `not done: a run may create ${ctx.limits.issues} issues`;
        notes.push(`${id} was ${result}`);
        created.push(...action.issues.map(() => undefined));
      } else created.push(...(await createIssues(ctx, id, action.issues, notes)));
    } else if (action.action === 'schedule') {
      const { issues, problems } = select(action, created);
      for (const issue of issues) chosen.set(issue.number, issue);
      notes.push(...problems);
      maxParallel = action.max_parallel ?? maxParallel;
      result = `${plural(issues.length, 'issue')} scheduled`;
    }
    ctx.emit({ type: 'action_performed', id, action: action.action, result });
  }
  // What was not approved, or could not be created, is not touched.
  ctx.view.paths = created.flatMap(issue => issue?.paths ?? []);
  return { issues: [...chosen.values()], maxParallel, notes };
}

async function createBranch(
  ctx: CascadeContext,
  id: string,
  action: { branch_name: string; from?: string | undefined },
) {
  // A branch is its own natural key: one at the same commit is success, so nothing needs to be looked for.
  const { result } = await ctx.step(`perform/${id}/branch`, async () => ({
    result: await ctx.createBranch(action.branch_name, action.from),
  }));
  return result;
}

/**
 * Creates the issues, each once and after what it depends on, and makes them sub-issues; `depends_on` becomes numbers.
 * They are given at the places of their plans, with nothing where one could not be created.
 */
async function createIssues(
  ctx: CascadeContext,
  id: string,
  plans: readonly IssuePlan[],
  notes: string[],
): Promise<(TrackedIssue | undefined)[]> {
  const { github, view } = ctx;
  const keys = plans.map((_, index) => `perform/${id}/issue-${index + 1}`);
  await ctx.intend(keys);
  const numbers: number[] = [];
  const issues: (TrackedIssue | undefined)[] = plans.map(() => undefined);
  // What an issue depends on must exist before it, so that its body can name it.
  for (const index of inDependencyOrder(plans)) {
    const plan = plans[index]!;
    const domain = planDomain(plan);
    const needed = (plan.depends_on ?? []).map(each =>
      typeof each === 'number' ? numbers[each - 1] : Number(each.slice(1)),
    );
    const dependsOn = needed.filter(each => each !== undefined);
    if (dependsOn.length < needed.length) {
      notes.push(`"${plan.title}" was not created: what it depends on could not be`);
      continue;
    }
    const labels = planLabels(plan);
    const since = view.started - 60_000;
    const made = await ctx.step<{ number: number; id: number } | { refused: string }>(
      keys[index]!,
      op =>
        github.createIssue({
          title: plan.title,
          body: marked(issueBody({ body: plan.body, directive: view.issue, dependsOn }), op),
          labels,
          assignees: plan.assignee ? [plan.assignee] : [],
        }),
      {
        find: async op => {
          const own = (await github.ownIssues(since)).find(issue => markOf(issue.body) === op);
          return own && { number: own.number, id: own.id };
        },
      },
    );
    if ('refused' in made) {
      notes.push(`"${plan.title}" could not be created: ${made.refused}`);
      continue;
    }
    const { number } = made;
    await ctx.step(`${keys[index]}/link`, async () => {
      await github.addSubIssue(view.issue, made.id);
      return true;
    });
    numbers[index] = number;
    const { title, body, paths = [], estimate_minutes: estimateMinutes, assignee } = plan;
    issues[index] = { number, title, body, domain, labels, dependsOn, paths, estimateMinutes, assignee };
    view.issues.push({
      number,
      title,
      domain,
      state: 'pending',
      attempt: 0,
      dependsOn,
      branch: null,
      pull: null,
      cost_usd: 0,
      model_calls: 0,
      rounds: 0,
      tests: null,
    });
    ctx.emit({ type: 'issue_created', issue: number, title, domain });
  }
  return issues;
}

/** Places (from 0) so that each comes after what it depends on; the list's own order otherwise. */
export function inDependencyOrder(plans: readonly IssuePlan[]): number[] {
  const done: number[] = [];
  const visit = (index: number) => {
    if (done.includes(index)) return;
    for (const place of plans[index]!.depends_on ?? []) if (typeof place === 'number') visit(place - 1);
    done.push(index);
  };
  for (const index of plans.keys()) visit(index);
  return done;
}

/**
 * What a `schedule` names of the issues that were created; without a name all of them, in the order of creation. A
 * number is a place from 1, as the listing showed it.
 */
export function select(
  action: { label?: string | undefined; issues?: (number | string)[] | undefined },
  created: readonly (TrackedIssue | undefined)[],
): { issues: TrackedIssue[]; problems: string[] } {
  const problems: string[] = [];
  const made = created.filter(issue => issue !== undefined).sort((a, b) => a.number - b.number);
  const byPlace = (action.issues ?? []).flatMap(each => {
    const found =
      typeof each === 'number' ? created[each - 1] : made.find(issue => `#${issue.number}` === each);
    if (!found)
      problems.push(
        `${typeof each === 'number' ? `no. ${each}` : each} was not created by this run, so it is not worked on`,
      );
    return found ? [found] : [];
  });
  if (action.issues) return { issues: byPlace, problems };
  const { label } = action;
  return { issues: made.filter(issue => !label || issue.labels.includes(label)), problems };
}
