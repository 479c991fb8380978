// Level-triggered: looks at every open issue with the label and brings it up to date, whatever was missed meanwhile.
import { RateLimited } from '../github/octokit.ts';
import { saidBefore } from '../github/once.ts';
import type { Permission } from '../github/repository.ts';
import { sinceOf } from '../run/inspect-run.ts';
import { commandsIn, spokenIn } from '../run/receive-signals.ts';
import { driveKey } from './deferred-work.ts';
import { answer, groundOf, problemsIn } from './answer.ts';
import type { Desk } from './repository-context.ts';
import { lookElsewhere } from './other-threads.ts';
import { answerKey, isHeard } from './listening-limits.ts';
import { begin, triggerLabel } from './labelled.ts';

/**
 * At the start of a process, and from time to time: begins what was not begun, goes on where it was left.
 * `thorough`: also runs that this process knows to be over or to wait for a person, which an event would tell of, and
 * issues without a run on which nothing has changed;
 * looking at all of them each minute would use up what GitHub allows. What cannot be read holds nothing else up.
 */
export async function reconcile(desk: Desk, thorough: boolean): Promise<void> {
  const { owner, name } = desk.around.github;
  const label = await triggerLabel(desk);
  const { issues, more } = await desk.around.github.labelled(label);
  if (more && thorough) desk.report(tooMany(label, issues.length), `${owner}/${name}`);
  for (const { number, updatedAt } of issues) {
    if ((desk.failures.get(number)?.until ?? 0) > desk.clock.now()) continue;
    if (!thorough && desk.unbegun.get(number) === updatedAt) continue;
    if (!thorough && desk.kept.has(driveKey(number))) continue;
    const known = desk.views.get(number)?.status;
    if (!thorough && known !== undefined && known !== 'running') continue;
    try {
      const isRun = await bringUpToDate(desk, number, label);
      if (isRun || desk.failures.has(number)) desk.unbegun.delete(number);
      else desk.unbegun.set(number, updatedAt);
    } catch (error) {
      if (error instanceof RateLimited) throw error;
      desk.report(error, `${owner}/${name}#${number}`);
    }
  }
  // Where nothing carries the label there is nothing that belongs to a run.
  if (issues.length > 0) await lookElsewhere(desk, new Set(issues.map(({ number }) => number)));
}

/** Answers whether the issue has a run. */
async function bringUpToDate(desk: Desk, issue: number, label: string): Promise<boolean> {
  const { github } = desk.around;
  const labelledAt = await begin(desk, issue, label);
  const ground = await groundOf(desk, issue);
  const { thread, run } = ground;
  const permissions = new Map<string, Permission>();
  for (const comment of spokenIn(thread, run ? sinceOf(run) : 0)) {
    // Where no run came of the label, what was said before it may have been meant for others.
    if (!run && comment.createdAt < (labelledAt ?? Number.POSITIVE_INFINITY)) continue;
    const isSaid = commandsIn(comment).length + problemsIn(comment, true).length > 0;
    if (!isSaid || saidBefore(github, thread, answerKey(comment.id)).at !== undefined) continue;
    if (await isHeard(desk, issue, comment, thread)) await answer(desk, ground, comment, permissions);
  }
  return run !== undefined;
}

const tooMany = (label: string, read: number) =>
  new Error(
    `more than ${read} open issues carry the label ${label}: only the oldest are looked at again, the others when something happens on them`,
  );
