// The program of a run, from top to bottom as the story goes: begin, ask the layers, work the issues, say what came of it.
import { Interrupted, PROGRAM_VERSION, Waiting } from '@echelon/ground/journal';
import { CascadeFailure, conductCascade } from '../cascade/cascade.ts';
import { type Cascade, newCascade } from '../cascade/cascade-state.ts';
import type { Guidance } from '../cascade/guidance.ts';
import { cancelledBy, runStopped } from '../comments/issue-end.ts';
import { runEndComment, runSaidEnough } from '../comments/run-end.ts';
import { nothingToPay, raisedAfterEnd } from '../comments/budget.ts';
import { toFix } from '../comments/together.ts';
import { noted } from '../comments/fold.ts';
import { baseTestsOf } from '../engineer/integration/base-tests.ts';
import { addToBatch, openBatch, reopen, takeUpUnpaid, workBatch } from '../engineer/batch/batch.ts';
import { type BatchContext, jobSignalName } from '../engineer/slots/context.ts';
import { handleReport } from '../engineer/batch/handle-report.ts';
import { isChanged } from '../engineer/integration/integrate.ts';
import { isOpen, openNames, takeOpen } from '../engineer/batch/take-fact.ts';
import { wantsRound } from '../engineer/slots/fit.ts';
import { commentOnce } from '../github/once.ts';
import { tellDirective } from '../scheduler/run-context.ts';
import type { ActiveRun } from './active-run.ts';
import { cancel, endWork, tellSubIssues } from './cancel.ts';
import { cascadeContext, engineerContext } from './room-contexts.ts';
import { type SignalOf, takeEffect } from '../commands/table.ts';
import { endOf, Redirected, type RunJournal, type RunValues, SaidEnough } from './run-journal.ts';
import { redirected } from './redirect.ts';
import { templatesOf } from './templates.ts';

/**
 * Replays and goes on: the layers are asked, their issues are worked, what came of it is said; a person may reopen it any
 * number of times. Returns never: it ends in Waiting, or throws what stopped it. The view tells how the run stands.
 */
export async function program(run: ActiveRun): Promise<never> {
  const { start, journal } = run;
  // Written with what follows at once: the tests at the base, or that the first layer is asked.
  await run.step('start', async () => start);
  for (const each of run.arrived) journal.deliver(each);
  if (start.program !== PROGRAM_VERSION) {
    const note = 'This run was begun by another version of Echelon. Take the label off and put it on again.';
    run.emit({ change: 'run', to: { status: 'failed', note } });
    journal.interruptible(false);
    return await idle(journal);
  }
  run.emit({ type: 'run_started', directive: start.directive.title });
  try {
    const templates = await templatesOf(start.templates, run.access);
    const engineers = engineerContext(run, templates);
    const tests = baseTestsOf(engineers);
    if (!start.config.dry_run) await tests.start();
    const batch = openBatch(engineers);
    const cascade = newCascade(cascadeContext(whileWorked(run, batch), templates, tests));
    const work = { cascade, batch };
    let guidance: Guidance | undefined;
    for (;;)
      try {
        return await planAndWork(run, work, guidance);
      } catch (error) {
        if (!(error instanceof Redirected)) throw error;
        guidance = await redirected(run, work, error.command);
      }
  } catch (error) {
    await endBy(error, run);
  }
  return await idle(journal);
}

/** Has the layers plan, works what comes of it, says its end, and again whenever a person reopens it. */
async function planAndWork(
  run: ActiveRun,
  { cascade, batch }: { cascade: Cascade; batch: BatchContext },
  guidance: Guidance | undefined,
): Promise<never> {
  const { journal, view, start } = run;
  const planned = await conductCascade(cascade, guidance);
  if (planned.notes.length > 0) run.emit(noted(planned.notes.join('; ')));
  addToBatch(batch, planned);
  let said: End | undefined;
  for (let isWorked = true; ; isWorked = hasWork(batch)) {
    run.emit({ change: 'run', to: { phase: 'engineering', status: 'running' } });
    journal.interruptible(true);
    await workBatch(batch);
    journal.interruptible(false);
    run.emit({ change: 'run', to: { phase: 'done' } });
    const delivered = view.issues.some(issue => issue.state === 'done');
    const isReview = view.issues.length === 0 && view.reviewed !== undefined;
    const status = delivered || isReview || start.config.dry_run ? 'completed' : 'failed';
    const states = view.issues.map(({ number, state }) => `${number} ${state}`).join(', ');
    const end = { states, fix: toFix(view) };
    if (isNews(end, said, isWorked)) {
      await conclude(run, status);
      said = end;
    } else run.emit({ type: 'run_settled', status });
    await reopened(run, batch);
  }
}

/** Values of an end. `fix`: the command to type if branches conflict. */
interface End {
  states: string;
  fix: string;
}

/**
 * True if the end is reported again. Review rounds are answered on the pull request, and people know their own
 * changes, unless these caused a conflict.
 */
function isNews(end: End, said: End | undefined, isWorked: boolean): boolean {
  if (!said) return true;
  if (!isWorked) return end.fix !== '' && end.fix !== said.fix;
  return end.states !== said.states || end.fix !== said.fix;
}

const hasWork = ({ slots }: BatchContext): boolean =>
  slots.some(slot => slot.state === 'pending' || slot.state === 'merging' || wantsRound(slot));

/** While the layers plan anew, what is worked goes on: its jobs report, and people do things to it. */
function whileWorked(run: ActiveRun, batch: BatchContext): ActiveRun {
  const aside = [jobSignalName, ...openNames] as const;
  return {
    ...run,
    async signal<Name extends keyof RunValues>(names: readonly Name[]) {
      for (;;) {
        const found = await run.signal<keyof RunValues>([...names, ...aside]);
        if (found.name === jobSignalName) await handleReport(batch, found);
        else if (isOpen(found)) await takeOpen(batch, found);
        // Its name is none of those aside: it is one of `names`.
        else return found as SignalOf<RunValues, Name>;
      }
    },
  };
}

/** Ends the run where the error is an end of it, or a person's word comes before it; else throws it. */
async function endBy(error: unknown, run: ActiveRun): Promise<void> {
  const { journal } = run;
  if (error instanceof CascadeFailure) {
    journal.interruptible(false);
    run.emit(noted(`The cascade failed: ${error.message}.`));
    return await conclude(run, 'failed');
  }
  if (error instanceof SaidEnough) {
    journal.interruptible(false);
    await endWork(run, error.message);
    run.emit(noted(`${runSaidEnough(run.start.config.limits.comments)}.`));
    await conclude(run, 'failed');
    return await tellSubIssues(run, runStopped);
  }
  const cancelled = interruptionBy(error, run);
  if (!cancelled) throw error;
  const ended = endOf(cancelled);
  await cancel(run, ended);
  await conclude(run, 'cancelled');
  await tellSubIssues(run, cancelledBy(ended.value.by));
}

/** A person's word counts before an error of the program, whichever of the two it meets first. */
function interruptionBy(error: unknown, { journal, abort }: ActiveRun): Interrupted | undefined {
  if (error instanceof Interrupted) return error;
  return error instanceof Waiting || abort.aborted ? undefined : journal.interruption();
}

/** Says what came of it: a person may reopen it, so that there is another end. */
async function conclude(run: ActiveRun, status: 'completed' | 'failed' | 'cancelled') {
  const { view } = run;
  run.ends += 1;
  // Said also where it has said all that it may.
  await tellDirective(
    { ...run, github: run.access.github },
    { key: `end/${run.ends}`, body: runEndComment({ ...view, status, updated: run.journal.at() }) },
  );
  // Not before: whoever dies in between leaves a run that is still to be looked after, and a board that says so.
  run.emit({ type: 'run_settled', status });
}

/**
 * Waits until a person wants failed issues tried again, pays for what ended for want of money, wants a round, or has
 * changed what the delivered branches come to together.
 */
async function reopened(run: ActiveRun, batch: BatchContext) {
  const { view } = run;
  for (;;) {
    // Finished work that is not open yet can be held back.
    run.journal.interruptible(batch.finished.length > 0);
    const command = await run.signal(['retry', 'budget', ...openNames]);
    if (isOpen(command)) {
      const before = toFix(view);
      await takeOpen(batch, command);
      if (isChanged(batch) || hasWork(batch) || toFix(view) !== before) return;
      continue;
    }
    if (
      command.name === 'budget' &&
      batch.slots.some(({ state }) => state === 'failed' || state === 'blocked')
    ) {
      const above = takeEffect(run, command);
      if (above !== undefined) {
        await run.refuse(command, above);
        continue;
      }
      await run.accept(command);
      if (takeUpUnpaid(batch)) return;
      await commentOnce(run.step, run.github, {
        key: `command/${command.id}/raised`,
        issue: view.issue,
        body: raisedAfterEnd(view.budget_usd),
      });
      continue;
    }
    const why = command.name === 'budget' ? nothingToPay(view.status) : reopen(batch, command.value);
    if (why === undefined) return await run.accept(command);
    await run.refuse(command, why);
  }
}

/** Nothing more to do: every command that still comes is answered that it does not fit. */
async function idle(journal: RunJournal): Promise<never> {
  for (;;) await journal.signal([]);
}
