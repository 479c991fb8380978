// A comment of a run on its directive: below its own text it shows what layers said since the one before.
import { withReplies } from '../comments/layer-reply.ts';
import { commentOnce } from '../github/once.ts';
import type { RunContext } from './run-context.ts';

/**
 * Posts it as the step `key`; answers its database id. Layers get no comments of their own: each would notify everyone
 * who watches the issue, and asks nothing of anyone.
 */
export async function tellDirective(
  { step, github, view }: Pick<RunContext, 'step' | 'github' | 'view'>,
  { key, body }: { key: string; body: string },
): Promise<{ comment: number }> {
  const told = await commentOnce(step, github, { key, issue: view.issue, body: withReplies(body, view) });
  view.replies = [];
  return told;
}
