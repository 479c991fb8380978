// The program of a run, from top to bottom as the story goes: begin, ask the layers, work the issues, say what came of it.
import { CascadeFailure, conductCascade } from '../cascade/cascade.ts';
import { cancelledBy, runStopped } from '../comments/issue-end.ts';
import { runEndComment, runSaidEnough } from '../comments/run-end.ts';
import { nothingToPay, raisedAfterEnd } from '../comments/budget.ts';
import { changeBudget, type RunView } from '../comments/view.ts';
import { baseTestsOf } from '../engineer/base-tests.ts';
import { openSlots, reopen, takeUpUnpaid, workBatch } from '../engineer/batch.ts';
import type { EngineerContext, Slot } from '../engineer/context.ts';
import { commentOnce } from '../github/once.ts';
import { PROGRAM_VERSION } from '../../journal/journal.ts';
import { accept, refuse } from './acknowledge.ts';
import { cancel, endWork, tellSubIssues } from './cancel.ts';
import { cascadeContext, engineerContext, type ActiveRun, type Surroundings } from './room-contexts.ts';
import { Interrupted, Waiting } from '../../journal/replay.ts';
import { commandOf, type RunJournal } from './run-journal.ts';
import { MAX_COMMENTS, SaidEnough } from './comment-limit.ts';
import type { Start } from './run-start.ts';
import { templatesOf } from './templates.ts';

/** Replays and goes on. Returns never: it ends in Waiting, or throws what stopped it. `view` tells how the run stands. */
export async function program(start: Start, around: Surroundings, replay: ActiveRun): Promise<never> {
  const { journal, view, emit } = replay;
  if (start.program !== PROGRAM_VERSION) {
    view.status = 'failed';
    view.note = 'This run was begun by another version of Echelon. Take the label off and put it on again.';
    journal.interruptible(false);
    return await idle(journal);
  }
  emit({ type: 'run_started', directive: start.directive.title });
  try {
    return await layersThenEngineers(start, around, replay);
  } catch (error) {
    if (error instanceof CascadeFailure) {
      journal.interruptible(false);
      view.note = `The cascade failed: ${error.message}.`;
      await conclude(around, replay, 'failed', 1);
      return await idle(journal);
    }
    if (error instanceof SaidEnough) {
      journal.interruptible(false);
      await endWork(around, replay, error.message);
      view.note = `${runSaidEnough(MAX_COMMENTS)}.`;
      await conclude(around, replay, 'failed', 0);
      await tellSubIssues(around, replay, runStopped);
      return await idle(journal);
    }
    const cancelled = interruptionBy(error, replay);
    if (!cancelled) throw error;
    const command = commandOf(cancelled);
    await cancel(around, replay, command);
    await conclude(around, replay, 'cancelled', 1);
    await tellSubIssues(around, replay, cancelledBy(command.value.by));
  }
  return await idle(journal);
}

/** The layers are asked, their issues are worked, what came of it is said; a person may reopen it any number of times. */
async function layersThenEngineers(start: Start, around: Surroundings, replay: ActiveRun): Promise<never> {
  const { journal, view } = replay;
  const templates = await templatesOf(start.templates, around);
  const engineers = engineerContext(start, around, replay, templates);
  const tests = baseTestsOf(engineers);
  if (!start.config.dry_run) await tests.start();
  const batch = await conductCascade(cascadeContext(start, around, replay, templates, tests));
  view.phase = 'engineering';
  if (batch.notes.length > 0) view.note = batch.notes.join('; ');
  const slots = openSlots(engineers, batch);
  for (let time = 1; ; time++) {
    await workBatch(engineers, slots, batch.maxParallel, time);
    journal.interruptible(false);
    view.phase = 'done';
    const delivered = view.issues.some(issue => issue.state === 'done');
    await conclude(around, replay, delivered || start.config.dry_run ? 'completed' : 'failed', time);
    await reopened(around, replay, engineers, slots);
    view.phase = 'engineering';
    view.status = 'running';
    journal.interruptible(true);
  }
}

/** A person's word counts before an error of the program, whichever of the two it meets first. */
function interruptionBy(error: unknown, { journal, abort }: ActiveRun): Interrupted | undefined {
  if (error instanceof Interrupted) return error;
  return error instanceof Waiting || abort.aborted ? undefined : journal.interruption();
}

/** Says what came of it. `time`: after a /retry there is another end. */
async function conclude(around: Surroundings, replay: ActiveRun, status: RunView['status'], time: number) {
  const { journal, view, emit } = replay;
  // Of a run that asked for nothing nobody waited for them.
  if (view.baseTests?.state === 'running') await endWork(around, replay, 'the run has ended');
  view.status = status;
  await commentOnce(journal.step, around.github, {
    key: `end/${status}-${time}`,
    issue: view.issue,
    body: runEndComment({ ...view, updated: journal.at() }),
  });
  emit({ type: 'run_settled', status });
}

/** Waits until a person wants failed issues tried again, or pays for what ended for want of money. */
async function reopened(
  around: Surroundings,
  { journal, view, github }: ActiveRun,
  engineers: EngineerContext,
  slots: Slot[],
) {
  for (;;) {
    const command = await journal.signal(['retry', 'budget']);
    if (command.name === 'budget' && slots.some(({ state }) => state === 'failed' || state === 'blocked')) {
      const above = changeBudget(view, command.value);
      if (above !== undefined) {
        await refuse(journal.step, github, command, view.issue, above);
        continue;
      }
      await accept(journal.step, around.github, command);
      if (takeUpUnpaid(engineers, slots)) return;
      await commentOnce(journal.step, github, {
        key: `command/${command.id}/raised`,
        issue: view.issue,
        body: raisedAfterEnd(view.budget_usd),
      });
      continue;
    }
    const why =
      command.name === 'budget' ? nothingToPay(view.status) : reopen(engineers, slots, command.value);
    if (why === undefined) return await accept(journal.step, around.github, command);
    await refuse(journal.step, github, command, view.issue, why);
  }
}

/** Nothing more to do: every command that still comes is answered that it does not fit. */
async function idle(journal: RunJournal): Promise<never> {
  for (;;) await journal.signal([]);
}
