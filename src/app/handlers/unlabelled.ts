// The trigger label was taken off an issue whose run goes on: nothing ends by that, and it is said what would.
import { labelTakenOff } from '../comments/replies.ts';
import { hasLabel, sameLabel } from '../github/labels.ts';
import { sayOnce } from '../github/once.ts';
import { inspectRun, isEnded } from '../run/inspect-run.ts';
import { groundOf } from './answer.ts';
import { triggerLabel } from './labelled.ts';
import type { RepositoryContext } from './repository-context.ts';

/** Says it once for each time that the label was put on. */
export async function unlabelled(ctx: RepositoryContext, issue: number, label: string): Promise<void> {
  const { github } = ctx;
  // Of an issue that this process has driven it is known; of any other one its record tells.
  const known = ctx.views.get(issue);
  if ((known && isEnded(known)) || !sameLabel(label, await triggerLabel(ctx))) return;
  const { thread, run } = await groundOf(ctx, issue);
  if (!run || hasLabel(thread.labels, label) || isEnded(await inspectRun(run, ctx))) return;
  const put = await github.labelling(issue, label);
  if (put) await sayOnce(github, thread, { key: `unlabelled/${put.id}`, body: labelTakenOff(label) });
}
