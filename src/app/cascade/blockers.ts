// Dependencies of a run's issues as GitHub's own "blocked by", beside their text, where the server has it.
import type { RunContext } from '../scheduler/run-context.ts';

export interface Blockers {
  /** Database ids of issues by their numbers: of those that the run created. */
  ids: Map<number, number>;
  /** Registered dependencies; `blocker` is a database id. */
  said: { issue: number; on: number; blocker: number }[];
  /** The server has it, as far as is known: it is asked until it says no. */
  isKnown: boolean;
}

type Context = Pick<RunContext, 'step' | 'github'>;

/** A call for each dependency, and none where the server has said that it knows none. */
export async function sayBlockers(
  { step, github }: Context,
  blockers: Blockers,
  { number, id, key, dependsOn }: { number: number; id: number; key: string; dependsOn: readonly number[] },
): Promise<void> {
  blockers.ids.set(number, id);
  for (const on of dependsOn) {
    if (!blockers.isKnown) return;
    const { blocker } = await step(`${key}/after-${on}`, async () => ({
      blocker: (await github.addBlocker(number, { number: on, id: blockers.ids.get(on) })) ?? null,
    }));
    if (blocker === null) blockers.isKnown = false;
    else blockers.said.push({ issue: number, on, blocker });
  }
}

/** Issues that are withdrawn wait for nothing any more. */
export async function takeBlockersOff(
  { step, github }: Context,
  blockers: Blockers,
  { key, gone }: { key: string; gone: ReadonlySet<number> },
): Promise<void> {
  for (const { issue, on, blocker } of blockers.said.filter(each => gone.has(each.issue)))
    await step(`${key}/${issue}-not-after-${on}`, async () => {
      await github.removeBlocker(issue, blocker);
      return true;
    });
  blockers.said = blockers.said.filter(({ issue }) => !gone.has(issue));
}
