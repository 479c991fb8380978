// Data shown beside the listed actions: other runs on the same files, and an estimate.
import { widest } from '../scheduler/admit.ts';
import type { Others } from '../comments/listing.ts';
import type { BaseTestsView, Figures, IssueEstimate, PastIssue, Range } from '../comments/view.ts';
import { estimateOf, estimateRun, type Means, wholeOf } from '../scheduler/estimate.ts';
import type { ScheduledIssue } from '../scheduler/slots.ts';
import { effortOfDecision, meetings } from '../scheduler/globs.ts';
import { domainOf } from '../scheduler/domains.ts';
import type { IssuePlan } from './issue-plan.ts';
import type { CascadeContext, Listed } from './context.ts';

export interface Known {
  others: Others;
  /** Of all that is approved by then and listed now; absent where nothing of it would be worked on. */
  estimate?: Figures<Range>;
  /** By the action's id, and the issue's place in it from 1. */
  estimates: ReadonlyMap<string, ReadonlyMap<number, IssueEstimate>>;
}

/** An issue that would be created. */
interface Planned {
  action: string;
  place: number;
  plan: IssuePlan;
  issue: Omit<ScheduledIssue, 'state' | 'standsOn'>;
}

/**
 * Journalled, so that a replay lists what was shown, and the end is held against it, however other runs stand by then. The
 * view keeps the estimate of the run.
 */
export async function knownOf(
  ctx: CascadeContext,
  actions: readonly Listed[],
  {
    approved,
    round,
    tests,
  }: { approved: readonly Listed[]; round: number; tests: BaseTestsView | undefined },
): Promise<Known> {
  const { view } = ctx;
  const listed = actions.flatMap(plannedBy);
  const all = [...approved, ...actions];
  const slots = parallelOf(ctx, all);
  const means = { ...ctx.engineers, testMinutes: (tests?.ms ?? 0) / 60_000 };
  const { others, estimate } = await ctx.step(`approval/${round}/known`, async () => {
    if (listed.length === 0) return { others: { meetings: [], more: false }, estimate: null };
    const { runs, past, more } = await ctx.otherRuns();
    const effort = effortOfDecision();
    const paths = listed.flatMap(({ issue }) => issue.paths);
    const found = meetings(paths, runs, effort);
    return {
      others: { meetings: found, more: more || effort.left <= 0 },
      estimate: slots === 0 ? null : estimated(all.flatMap(plannedBy), past, { means, slots }),
    };
  });
  if (!estimate) return { others, estimates: new Map() };
  ctx.emit(estimateRun(view, estimate.whole));
  ctx.emit({ change: 'run', to: { past: estimate.past } });
  const estimates = new Map(
    [...Map.groupBy(estimate.issues, ({ action }) => action)].map(([action, issues]) => [
      action,
      new Map(issues.map(({ place, own }) => [place, own])),
    ]),
  );
  return { others, estimate: estimate.whole, estimates };
}

function plannedBy({ id, action, list, before, done }: Listed): Planned[] {
  if (action.action !== 'create_issues') return [];
  // Issues that are not there yet are told apart by listing and place.
  const numberOf = (place: number) => list * 10_000 + before + place;
  return action.issues.flatMap((plan, index) => {
    const place = index + 1;
    if (done.has(place)) return [];
    const { paths = [], estimate_minutes: estimateMinutes, depends_on: needs = [] } = plan;
    const dependsOn = needs.flatMap(each => (typeof each === 'number' ? numberOf(each) : []));
    const issue = { number: numberOf(place), domain: domainOf(plan), paths, dependsOn, estimateMinutes };
    return { action: id, place, plan, issue };
  });
}

function estimated(
  planned: readonly Planned[],
  past: PastIssue[],
  { means, slots }: { means: Means; slots: number },
) {
  const issues = planned.filter(isWorked).map(({ action, place, plan, issue }) => {
    const facts = { ...issue, characters: plan.body.length, paths: issue.paths.length };
    return { action, place, issue, own: estimateOf(facts, past, means) };
  });
  const batch = issues.map(({ issue, own }) => ({ ...issue, usd: own.usd, minutes: own.minutes }));
  return {
    whole: wholeOf(batch, slots),
    issues: issues.map(({ action, place, own }) => ({ action, place, own })),
    past,
  };
}

/** Given to a person by the plan itself, nobody is paid for it. */
const isWorked = ({ plan }: Planned): boolean => plan.assignee === undefined;

/** Most of the listed issues that would be worked side by side; 0 if nothing is scheduled. */
export function widthOf(ctx: CascadeContext, actions: readonly Listed[]): number {
  const issues = actions.flatMap(plannedBy).filter(isWorked);
  return widest(
    issues.map(({ issue }) => issue),
    parallelOf(ctx, actions),
    ctx.config.overlap,
  );
}

/** Number of slots; 0 if nothing is scheduled. */
function parallelOf({ config }: CascadeContext, actions: readonly Listed[]): number {
  const schedules = actions.flatMap(({ action }) => (action.action === 'schedule' ? action : []));
  if (schedules.length === 0) return 0;
  return Math.min(config.max_parallel, schedules.at(-1)?.max_parallel ?? config.max_parallel);
}
