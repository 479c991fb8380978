// Before the end of a run is said: do the delivered branches fit together? Merged on the newest base in their order; git
// alone tells conflicts, a job of its own runs the tests, and each names the branches that cause it.
import { messageOf } from '@echelon/ground';
import { mergeOrder, noTestCommand } from '../../comments/together.ts';
import type { TogetherView } from '../../comments/view.ts';
import { operationOf } from '../../scheduler/run-context.ts';
import { testsBefore, testsJob } from './base-tests.ts';
import { type BatchContext, slotOf } from '../slots/context.ts';
import { wantFit, wantsRound } from '../slots/fit.ts';
import type { FactValues } from '../slots/facts.ts';
import type { IntegrationSpec } from '../jobs/job-spec.ts';
import type { IntegrationReport, JobReport } from '../jobs/report-spec.ts';
import { smallestSet } from './integration-job.ts';

type Branches = IntegrationSpec['branches'];

/**
 * Looks at the delivered branches once for each set of heads that they have. Answers whether the end is to wait: for the
 * tests, or, in a paused run, for their beginning.
 */
export async function integrate(ctx: BatchContext): Promise<boolean> {
  const { view, together } = ctx;
  if (!isChanged(ctx)) return together.job !== undefined;
  if (view.pausedBy !== undefined) return branchesOf(ctx).length > 0;
  await leave(ctx);
  const found = await begin(ctx);
  if (found) show(ctx, found);
  return found?.state === 'running' || ctx.slots.some(wantsRound);
}

/** While others are worked, as soon as two are delivered: whether they conflict, which git alone can tell. */
export async function lookAhead(ctx: BatchContext): Promise<void> {
  const { view, together } = ctx;
  const branches = branchesOf(ctx);
  const heads = headsOf(branches);
  if (branches.length < 2 || view.pausedBy !== undefined || together.ahead === heads) return;
  together.ahead = heads;
  const looked = await look(ctx, branches);
  if ('cause' in looked) wantFit(ctx, looked.cause);
}

/** The base of a draft has moved on, and they conflict: git tells which branches that concerns, and one gets a round. */
export async function takeConflict(ctx: BatchContext, { pull, head }: FactValues['conflict']): Promise<void> {
  if (slotOf(ctx, pull)?.delivered?.commit !== head) return;
  const looked = await look(ctx, branchesOf(ctx));
  if ('cause' in looked) show(ctx, { state: 'conflict', cause: looked.cause, files: looked.files });
}

/** True if the delivered branches have changed since. */
export const isChanged = (ctx: BatchContext): boolean => ctx.together.heads !== headsOf(branchesOf(ctx));

const headsOf = (branches: Branches) => branches.map(({ commit }) => commit).join(' ');

/** The branches of open pull requests, to be merged with each other and with the base branch. */
const branchesOf = (ctx: BatchContext): Branches =>
  mergeOrder(ctx.view.issues).flatMap(({ number }): Branches => {
    const commit = slotOf(ctx, number)?.delivered?.commit;
    return commit === undefined ? [] : [{ issue: number, commit }];
  });

/** Discards the earlier result, because other branches are delivered now. */
async function leave(ctx: BatchContext): Promise<void> {
  const { together, outstanding } = ctx;
  ctx.emit({ change: 'run', to: { together: undefined } });
  if (!together.job) return;
  const { op } = together.job;
  delete together.job;
  await ctx.step(`integration/${together.looks}/stopped`, () =>
    ctx.jobs.stop(op).then(() => true, messageOf),
  );
  outstanding.delete(op);
}

function show(ctx: BatchContext, found: TogetherView): void {
  if ('cause' in found) wantFit(ctx, found.cause);
  ctx.emit({ change: 'run', to: { together: found } });
  ctx.emit({ type: 'together', state: found.state });
}

/** Looks at what git can tell, and begins the tests where they can tell more. Undefined: there is nothing to be told. */
async function begin(ctx: BatchContext): Promise<TogetherView | undefined> {
  const { together, settings, green, outstanding } = ctx;
  const branches = branchesOf(ctx);
  together.heads = headsOf(branches);
  if (branches.length === 0) return undefined;
  const looked = await look(ctx, branches);
  if ('cause' in looked) return { state: 'conflict', cause: looked.cause, files: looked.files };
  const { tree, base, isNew } = looked;
  // A single branch was tested alone, and nothing else came to the base.
  if (branches.length === 1 && !isNew) return undefined;
  const command = settings.job.settings.test_command.trim();
  if (command === '') return isNew ? { state: 'untested', why: noTestCommand } : undefined;
  if (green.has(tree)) return isNew ? { state: 'green' } : undefined;
  // The key of that look: /cancel finds its job by it.
  const op = operationOf(ctx, `integration/${together.looks}`);
  together.job = { op, tree };
  outstanding.set(op, specOf(ctx, { op, command, base, branches }));
  return { state: 'running' };
}

/**
 * `tree`: of all of them merged; `isNew`: no branch has that commit already. `cause`: issues of the smallest set of
 * branches that conflicts.
 */
type Looked =
  | { base: string; tree: string; isNew: boolean }
  | { base: string; cause: number[]; files: string[] };

/** Files that conflict, as many as are told. */
const MAX_FILES = 10;

async function look(ctx: BatchContext, branches: Branches): Promise<Looked> {
  const { together } = ctx;
  const looked = await ctx.step<Looked>(`integration/${++together.looks}`, async () => {
    const mirror = await ctx.mirror();
    await mirror.fetch();
    const base = (await mirror.resolve(ctx.base.branch)) ?? ctx.base.commit;
    const fields = { message: 'Together', date: new Date(ctx.view.started).toISOString() };
    const merged = (some: readonly Branches[number][]) =>
      mirror.merge([base, ...some.map(({ commit }) => commit)], fields);
    const all = await merged(branches);
    if ('commit' in all) {
      const isNew = branches.every(({ commit }) => commit !== all.commit);
      return { base, tree: await mirror.treeOf(all.commit), isNew };
    }
    const cause = await smallestSet(mirror, branches, async some => 'conflicts' in (await merged(some)));
    const those = await merged(cause);
    const files = 'conflicts' in those ? those.conflicts : all.conflicts;
    return { base, cause: cause.map(({ issue }) => issue), files: files.slice(0, MAX_FILES) };
  });
  together.base = looked.base;
  return looked;
}

const specOf = (
  ctx: BatchContext,
  what: Pick<IntegrationSpec, 'op' | 'command' | 'base' | 'branches'>,
): IntegrationSpec => ({
  kind: 'integration',
  ...testsJob(ctx, what),
  before: testsBefore(ctx, what.base) ?? null,
  green: [...ctx.green],
});

/** The job that tests them has ended. One that is lost keeps nothing from its end. */
export function takeIntegration(ctx: BatchContext, report: JobReport | IntegrationReport): void {
  const { together, green } = ctx;
  const tree = together.job?.tree;
  delete together.job;
  const found = foundBy(report);
  if (found.state === 'green' && tree !== undefined) green.add(tree);
  show(ctx, found);
}

function foundBy(report: JobReport | IntegrationReport): TogetherView {
  if (report.kind !== 'integration')
    return {
      state: 'untested',
      why: report.kind === 'failed' ? report.feedback : 'the job reported nothing',
    };
  const { state, why, cause, failing, exit_code } = report;
  if (state === 'green') return { state };
  return state === 'red' ? { state, cause, failing, exit_code } : { state: 'untested', why };
}
