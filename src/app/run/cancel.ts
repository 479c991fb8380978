// A run that a person cancels: its jobs end, and every sub-issue that is open is told. What there is to end is read
// off the journal, so that an error which keeps the program from coming that far keeps nothing alive.
import { SavedTurn } from '../cascade/turn.ts';
import type { CommandSignal } from '../commands/signal.ts';
import { runOverComment } from '../comments/issue-end.ts';
import { commentOnce } from '../github/once.ts';
import { answered } from '../github/octokit.ts';
import { endStates } from '../end-states.ts';
import { messageOf } from '../../lib/message.ts';
import { type Entry, live } from '../../journal/journal.ts';
import { markOf, operationKey } from '../github/marker.ts';
import { accept } from './acknowledge.ts';
import type { ActiveRun, Surroundings } from './room-contexts.ts';

/** Keys of the steps after which a job runs, and of those that create an issue. */
const jobKey = /^(?:base\/tests-\d+|issue\/\d+\/attempt-\d+\/(?:start|Q\d+-answered))$/;
const issueKey = /^perform\/[^/]+\/issue-\d+$/;

/** A person's word: the run is cancelled. */
export async function cancel(around: Surroundings, replay: ActiveRun, command: CommandSignal): Promise<void> {
  const { by } = command.value;
  await endWork(around, replay, 'the run was cancelled');
  // What was paid in a turn that has not ended is known by its checkpoint.
  for (const entry of live(replay.journal.entries)) replay.view.cost_usd += unfinished(entry);
  replay.view.note = `Cancelled by ${by}.`;
  await accept(replay.journal.step, around.github, command);
}

const unfinished = (entry: Entry): number =>
  (entry.t === 'checkpoint' ? SavedTurn.safeParse(entry.state).data?.booked.cost_usd : undefined) ?? 0;

/** Ends the jobs of the run. One that cannot be ended is told to the operator, and keeps nothing else from its end. */
export async function endWork(
  around: Surroundings,
  { journal, view, outstanding, emit }: ActiveRun,
  reason: string,
): Promise<void> {
  for (const op of jobsOf(journal.entries, identityOf(around, view))) {
    const stopped = await journal.step(`cancel/job-${op}`, () =>
      around.jobs.stop(op).then(
        () => true,
        error => messageOf(error),
      ),
    );
    if (typeof stopped === 'string')
      emit({ type: 'error', where: `job ${op}`, class: 'crash', message: stopped });
  }
  outstanding.clear();
  for (const issue of view.issues)
    if (!(endStates as readonly string[]).includes(issue.state)) {
      emit({
        type: 'slot_changed',
        issue: issue.number,
        from: issue.state,
        to: 'cancelled',
        reason,
      });
      issue.state = 'cancelled';
    }
  view.pending = [];
  view.questions = [];
  delete view.waitingFor;
  if (view.baseTests?.state === 'running') delete view.baseTests;
}

/** Says on every open issue that the run created, and has not delivered, that it ended: `why` is a clause for that. */
export async function tellSubIssues(
  around: Surroundings,
  { journal, view }: ActiveRun,
  why: string,
): Promise<void> {
  const { github } = around;
  const delivered = view.issues.filter(({ state }) => state === 'done').map(({ number }) => number);
  const { open } = await journal.step('cancel/open-issues', async () => {
    const created = await issuesOf(journal.entries, around, view);
    const open: number[] = [];
    for (const number of created)
      if (!delivered.includes(number) && (await isOpen(around, number))) open.push(number);
    return { open };
  });
  const posts = open.map(issue => ({
    key: `cancel/issue-${issue}`,
    issue,
    body: runOverComment(view.issue, why),
  }));
  await journal.intend(posts.map(({ key }) => key));
  for (const post of posts) await commentOnce(journal.step, github, post);
}

const identityOf = ({ github }: Surroundings, { issue, run }: ActiveRun['view']) => ({
  repository: github.id,
  issue,
  run,
});

/** Operation keys of the jobs that have not reported. */
function jobsOf(entries: readonly Entry[], identity: Parameters<typeof operationKey>[0]): string[] {
  const reported = new Set(entries.map(entry => entry.t === 'signal' && entry.id));
  return entries
    .filter(entry => entry.t === 'step' && jobKey.test(entry.key))
    .map(entry => (entry.t === 'step' ? operationKey(identity, entry.key) : ''))
    .filter(op => !reported.has(`job-${op}`));
}

/** Numbers of the issues that the run created, also of those whose creation nobody had time to write down. */
async function issuesOf(
  entries: readonly Entry[],
  around: Surroundings,
  view: ActiveRun['view'],
): Promise<number[]> {
  const results = new Map<string, number>();
  const intents = new Set<string>();
  for (const entry of entries) {
    if (entry.t === 'signal' || !issueKey.test(entry.key)) continue;
    intents.add(entry.key);
    if (entry.t === 'step') results.set(entry.key, numberIn(entry.result));
  }
  const unsure = [...intents].filter(key => !results.has(key));
  const marks = new Set(unsure.map(key => operationKey(identityOf(around, view), key)));
  const own = marks.size > 0 ? await around.github.ownIssues(view.started - 60_000) : [];
  const found = own.filter(({ body }) => marks.has(markOf(body) ?? '')).map(({ number }) => number);
  return [...results.values(), ...found].filter(number => number > 0).sort((a, b) => a - b);
}

/** 0 where the issue was refused. */
const numberIn = (result: unknown): number =>
  typeof result === 'object' && result !== null && 'number' in result ? Number(result.number) : 0;

async function isOpen({ github }: Surroundings, number: number): Promise<boolean> {
  try {
    return (await github.issue(number)).state === 'open';
  } catch (error) {
    if (answered(error, 404, 410)) return false;
    throw error;
  }
}
