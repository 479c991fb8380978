// A run that a person cancels: its jobs end, and every sub-issue that is open is told. What there is to end is read
// off the journal, so that an error which keeps the program from coming that far keeps nothing alive.
import { endStates, isDelivered } from '../comments/view.ts';
import { live } from '@echelon/ground/journal';
import { SavedTurn } from '../cascade/cascade-state.ts';
import { noted } from '../comments/fold.ts';
import { directiveClosed, runOverComment } from '../comments/issue-end.ts';
import { commentOnce, markOf } from '../github/once.ts';
import { refusedBy } from '../github/octokit.ts';
import { operationOf } from '../scheduler/run-context.ts';
import { closingName } from '../engineer/slots/facts.ts';
import { stopJob } from '../engineer/slots/slot-changes.ts';
import type { ActiveRun } from './active-run.ts';
import type { endOf } from './run-journal.ts';

/** Keys of the steps after which a job runs, and of those that create an issue. */
export const jobKey =
  /^(?:base\/tests-\d+|integration\/\d+|issue\/\d+\/(?:attempt|round)-\d+\/(?:start|Q\d+-answered))$/;
const issueKey = /^perform\/[^/]+\/issue-\d+$/;

/** A person's word, or the directive's closing: the run is cancelled. */
export async function cancel(run: ActiveRun, ended: ReturnType<typeof endOf>): Promise<void> {
  const { by } = ended.value;
  await endWork(run, 'the run was cancelled');
  // The checkpoint of an unfinished turn has its cost.
  const thinking = run.view.layers.find(({ status }) => status === 'thinking');
  for (const entry of live(run.journal.entries)) {
    const usd =
      (entry.t === 'checkpoint' ? SavedTurn.safeParse(entry.state).data?.booked.cost_usd : undefined) ?? 0;
    const of = thinking ? { layer: thinking.id, turns: 0 } : { issue: undefined, model_calls: 0 };
    run.emit({ change: 'spent', usd, ...of });
  }
  if (ended.name === closingName) {
    return run.emit(noted(directiveClosed(by)));
  }
  run.emit(noted(`Cancelled by ${by}.`));
  await run.accept(ended);
}

/** Ends the jobs of the run. One that cannot be ended is told to the operator, and keeps nothing else from its end. */
export async function endWork(run: ActiveRun, reason: string): Promise<void> {
  const { view, outstanding, emit } = run;
  for (const { op, number } of jobsOf(run)) {
    const message = await stopJob(run, { key: `cancel/job-${op}`, op, issue: number });
    if (message !== undefined) emit({ type: 'error', where: `job ${op}`, class: 'crash', message });
  }
  outstanding.clear();
  for (const issue of view.issues)
    if (!endStates.includes(issue.state)) {
      // A round on its pull request is cancelled; what was delivered stands.
      const to = issue.pull === null ? 'cancelled' : 'done';
      emit({ type: 'slot_changed', issue: issue.number, from: issue.state, to, reason });
    }
  const isTested = view.baseTests?.state !== 'running';
  const isTestedTogether = view.together?.state !== 'running';
  emit({
    change: 'run',
    to: {
      ...{ pending: [], questions: [], waitingFor: undefined },
      ...(!isTested && { baseTests: undefined }),
      ...(!isTestedTogether && { together: undefined }),
    },
  });
}

/** Says on every open issue that the run created, and has not delivered, that it ended: `why` is a clause for that. */
export async function tellSubIssues(run: ActiveRun, why: string): Promise<void> {
  const { view } = run;
  const { github } = run.access;
  const delivered = view.issues.filter(isDelivered).map(({ number }) => number);
  const { open } = await run.step('cancel/open-issues', async () => {
    const created = await issuesOf(run);
    const open: number[] = [];
    for (const number of created)
      if (!delivered.includes(number)) {
        const found = await github.issue(number).catch(refusedBy(404, 410));
        if (!('refused' in found) && found.state === 'open') open.push(number);
      }
    return { open };
  });
  const posts = open.map(issue => ({
    key: `cancel/issue-${issue}`,
    issue,
    body: runOverComment(view.issue, why),
  }));
  await run.intend(posts.map(({ key }) => key));
  for (const post of posts) await commentOnce(run.step, github, post);
}

/** Operation keys of the jobs that have not reported, with their issues' numbers. */
function jobsOf(run: ActiveRun): { op: string; number: number }[] {
  const { entries } = run.journal;
  const reported = new Set(entries.map(entry => entry.t === 'signal' && entry.id));
  return entries
    .flatMap(entry => (entry.t === 'step' && jobKey.test(entry.key) ? [entry.key] : []))
    .map(key => ({ op: operationOf(run, key), number: Number(key.split('/')[1]) }))
    .filter(({ op }) => !reported.has(`job-${op}`));
}

/** Numbers of the issues that the run created, also of those whose creation nobody had time to write down. */
async function issuesOf(run: ActiveRun): Promise<number[]> {
  const results = new Map<string, number>();
  const intents = new Set<string>();
  for (const entry of run.journal.entries) {
    if (entry.t === 'signal' || !issueKey.test(entry.key)) continue;
    intents.add(entry.key);
    if (entry.t === 'step') results.set(entry.key, numberIn(entry.result));
  }
  const unsure = [...intents].filter(key => !results.has(key));
  const marks = new Set(unsure.map(key => operationOf(run, key)));
  const own = marks.size > 0 ? await run.github.ownIssues(run.view.started) : [];
  const found = own.filter(({ body }) => marks.has(markOf(body) ?? '')).map(({ number }) => number);
  return [...results.values(), ...found].filter(number => number > 0).sort((a, b) => a - b);
}

/** 0 where the issue was refused. */
const numberIn = (result: unknown): number =>
  typeof result === 'object' && result !== null && 'number' in result ? Number(result.number) : 0;
