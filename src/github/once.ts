// Creations that happen once: marked with their operation key, looked for by it after a crash.
import type { Step } from '../record/journal.ts';
import { markOf, marked, operationKey } from '../record/marker.ts';
import type { Repository } from './repository.ts';
import type { Thread } from './thread.ts';

/** Posts a comment as the step `key`; answers its database id. `body` is whole and neutral. */
export function commentOnce(
  step: Step,
  github: Repository,
  { key, issue, body }: { key: string; issue: number; body: string },
): Promise<{ comment: number }> {
  return step(key, async op => ({ comment: await github.comment(issue, marked(body, op)) }), {
    find: async op => {
      const id = await findComment(github, issue, op);
      return id === undefined ? undefined : { comment: id };
    },
  });
}

/** The bot's own comment with this operation key. */
export async function findComment(
  github: Repository,
  issue: number,
  op: string,
): Promise<number | undefined> {
  const { comments } = await github.thread(issue);
  return comments.find(comment => comment.author === github.bot && markOf(comment.body) === op)?.id;
}

/** Posts what belongs to no run's journal, unless the thread shows that it was posted before; `at`: when that was. */
export async function sayOnce(
  github: Repository,
  thread: Pick<Thread, 'number' | 'comments'>,
  { key, body }: { key: string; body: string },
): Promise<{ new: true } | { new: false; at: number }> {
  const op = operationKey({ repository: github.id, issue: thread.number, run: '' }, key);
  const said = thread.comments.find(comment => comment.author === github.bot && markOf(comment.body) === op);
  if (said) return { new: false, at: said.createdAt };
  await github.comment(thread.number, marked(body, op));
  return { new: true };
}
