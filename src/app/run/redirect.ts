// New guidance by a person: what has not begun is withdrawn, and the layers plan again; what runs or is delivered stays.
import { takeBlockersOff } from '../cascade/blockers.ts';
import type { Cascade } from '../cascade/cascade-state.ts';
import { type Guidance, withdrawPlans } from '../cascade/guidance.ts';
import type { SignalOf } from '../commands/table.ts';
import { issueEndComment } from '../comments/issue-end.ts';
import { redirectedBy, redirectNote } from '../comments/redirect.ts';
import { goesOn } from '../comments/fold.ts';
import { quoted, quoteForModel } from '../../engine/texts.ts';
import { type BatchContext, slotOf } from '../engineer/slots/context.ts';
import { move, tellJob } from '../engineer/slots/slot-changes.ts';
import { isWorking } from '../engineer/slots/share.ts';
import { commentOnce } from '../github/once.ts';
import type { ActiveRun } from './active-run.ts';
import type { RunValues } from './run-journal.ts';

/** Withdraws what has not begun, and answers what the layers are told. */
export async function redirected(
  run: ActiveRun,
  { cascade, batch }: { cascade: Cascade; batch: BatchContext },
  command: SignalOf<RunValues, 'redirect'>,
): Promise<Guidance> {
  const { view, journal } = run;
  journal.interruptible(true);
  run.emit(goesOn);
  await run.accept(command);
  const { by, layer = '2ic', text } = command.value;
  const before = withdrawPlans(cascade);
  const withdrawn = await withdrawIssues(run, batch, command);
  const gone = new Set(withdrawn.map(({ number }) => number));
  await takeBlockersOff(run, cascade.work.blockers, { key: `command/${command.id}`, gone });
  const said = quoted(quoteForModel(text).text);
  for (const slot of batch.slots) slot.guidance = said;
  const { told, untold } = await tellRunning(run, batch, `command/${command.id}`);
  return {
    key: `redirect-${command.id}`,
    layer,
    said,
    stands: view.issues
      .filter(({ state }) => state !== 'cancelled')
      .map(({ number, title, state }) => ({ number, title, state })),
    note: titles =>
      redirectNote({
        ...{ by, withdrawn, told, untold, titles },
        before: [...before, ...withdrawn.map(({ title }) => title)],
      }),
  };
}

/** Engineers at work hear it before their model's next turn, where that can be; else with their next attempt. */
async function tellRunning(run: ActiveRun, batch: BatchContext, key: string) {
  const told: number[] = [];
  const untold: number[] = [];
  for (const slot of batch.slots.filter(each => isWorking(each) && each.op !== undefined)) {
    const { number } = slot.issue;
    const isTold = await tellJob(run, slot, `${key}/told-${number}`);
    (isTold ? told : untold).push(number);
  }
  return { told, untold };
}

/** Issues that nobody works on yet are not worked, and are told why. */
async function withdrawIssues(run: ActiveRun, batch: BatchContext, command: SignalOf<RunValues, 'redirect'>) {
  const { view } = run;
  const reason = redirectedBy(command.value.by);
  const fresh = view.issues.filter(issue => {
    const slot = slotOf(batch, issue.number);
    return issue.state === 'pending' && (slot === undefined || slot.op === undefined);
  });
  for (const issue of fresh) {
    const slot = slotOf(batch, issue.number);
    if (slot) move(batch, slot, 'cancelled', reason);
    const to = { state: 'cancelled', reason, estimate: undefined };
    run.emit({ change: 'issue', issue: issue.number, to });
  }
  const posts = fresh.map(({ number }) => ({
    key: `command/${command.id}/withdrawn-${number}`,
    issue: number,
    body: issueEndComment('cancelled', reason),
  }));
  await run.intend(posts.map(({ key }) => key));
  for (const post of posts) await commentOnce(run.step, run.github, post);
  return fresh.map(({ number, title }) => ({ number, title }));
}
