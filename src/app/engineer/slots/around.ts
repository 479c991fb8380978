// The run's knowledge around an issue when a job begins: the plan, its dependencies, parallel work.
import { endStates } from '../../comments/view.ts';
import { canMeet } from '../../scheduler/globs.ts';
import { type BatchContext, type Slot, slotOf } from './context.ts';
import type { Around } from '../jobs/job-spec.ts';

/** Computed from the journal alone, as every part of a job's spec. */
export function aroundOf(ctx: BatchContext, { issue, stands }: Slot): Around {
  const { directive, view, base, slots } = ctx;
  const below = neededBy(issue, slots);
  const isIn = (slot: Slot) => below.includes(slot) || stands?.on.includes(slot.issue.number);
  const others = slots.filter(slot => slot.issue !== issue && !isIn(slot));
  return {
    directive: { title: directive.title, body: directive.body },
    plan: view.plan ?? '',
    ground: base.commit,
    paths: issue.paths,
    opened: openedFor(issue, ctx),
    needs: below.flatMap(slot => deliveredBy(ctx, slot) ?? []),
    beside: others
      .filter(({ state }) => state === 'done' || !endStates.includes(state))
      .map(({ issue: { number, title, dependsOn } }) => ({
        ...{ number, title },
        waits: dependsOn.includes(issue.number),
      })),
  };
}

/** Files that the layers have opened: of one issue all, of several what is its own; a README only where its paths name it. */
function openedFor({ paths }: Slot['issue'], { opened, slots }: BatchContext): string[] {
  const isReadme = (path: string) => /(?:^|\/)readme[^/]*$/i.test(path);
  const shown = opened.filter(
    path => paths.some(glob => canMeet(glob, path)) || (slots.length === 1 && !isReadme(path)),
  );
  return shown.sort((a, b) => Number(isReadme(a)) - Number(isReadme(b)));
}

/** Its dependencies and theirs; the nearest first. */
function neededBy({ dependsOn }: Slot['issue'], slots: readonly Slot[]): Slot[] {
  const numbers = [...dependsOn];
  const found: Slot[] = [];
  for (const number of numbers) {
    const slot = slotOf({ slots }, number);
    if (!slot || found.includes(slot)) continue;
    found.push(slot);
    numbers.push(...slot.issue.dependsOn);
  }
  return found;
}

/** Undefined where nothing is delivered. What was merged without a pull request is the commit that was made of it. */
function deliveredBy(
  { sent }: Pick<BatchContext, 'sent'>,
  { issue, view, delivered, made, stands }: Slot,
): Around['needs'][number] | undefined {
  // In another process the mirror has what GitHub has.
  const onGitHub = (commit: string) => sent.get(commit) ?? commit;
  const own = made && 'commit' in made && view.merged ? onGitHub(made.commit) : undefined;
  const commit = delivered?.commit ?? own;
  if (commit === undefined || !stands) return undefined;
  return { number: issue.number, title: issue.title, from: onGitHub(stands.commit), commit };
}
