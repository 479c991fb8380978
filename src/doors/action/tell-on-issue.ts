// Reports on the run's issue why a workflow cannot continue the run, if the issue exists and can be written.
import { messageOf } from '@echelon/ground';
import type { RepositoryContext } from '../../app/app.ts';
import { cannotGoOn, cannotStart, eventOf, sameLabel, sayOnce, triggerLabel } from '../../app/app.ts';
import { isUnknown, RateLimited } from '../../app/set-up.ts';

/** The workflow lacks something without which nothing begins. */
export class CannotStart extends Error {}

/** The directive's number that a person typed is no issue of the repository. */
export class NoDirective extends Error {
  constructor(number?: number) {
    const what = number === undefined ? 'not the number of an issue' : `#${number} is no issue`;
    super(`directive: ${what} of this repository. Type its digits alone, as in 12`);
  }
}

/** Throws NoDirective for a number that is no issue's. */
export async function checkDirective({ github }: RepositoryContext, number: number): Promise<void> {
  try {
    await github.thread(number);
  } catch (error) {
    throw isUnknown(error) ? new NoDirective(number) : error;
  }
}

/** `event`: what started the workflow by itself. A comment, which anybody may write, brings nothing onto the issue. */
export async function tellOnIssue(
  context: RepositoryContext,
  directive: number | undefined,
  event: { name: string; payload: unknown } | undefined,
  error: unknown,
): Promise<void> {
  if (directive === undefined || error instanceof NoDirective || error instanceof RateLimited) return;
  if (event) {
    const read = eventOf(event.name, event.payload, { forks: true });
    if ('ignored' in read || read.kind !== 'issues.labeled') return;
    if (!sameLabel(read.label, await triggerLabel(context))) return;
  }
  const why = context.mask(messageOf(error));
  const body = error instanceof CannotStart ? cannotStart(why) : cannotGoOn(why);
  await sayOnce(context.github, await context.github.thread(directive), { key: `workflow/${why}`, body });
}
