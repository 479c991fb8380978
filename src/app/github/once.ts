// Creations that happen once: marked with their operation key, looked for by it after a crash.
import type { Step } from '@echelon/ground/journal';
import { markOf, marked, operationKey } from './marker.ts';
import type { Repository } from './repository.ts';
import { answered } from './octokit.ts';
import { type Comment, isGone } from './thread.ts';

/**
 * Posts a comment as the step `key`; answers its database id, 0 where the issue was deleted: nobody reads it. `body` is
 * whole and neutral.
 */
export function commentOnce(
  step: Step,
  github: Repository,
  { key, issue, body }: { key: string; issue: number; body: string },
): Promise<{ comment: number }> {
  return step(key, async op => ({ comment: await post(github, issue, marked(body, op)) }), {
    find: async op => {
      const id = await findComment(github, issue, op);
      return id === undefined ? undefined : { comment: id };
    },
  });
}

async function post(github: Repository, issue: number, body: string): Promise<number> {
  try {
    return await github.comment(issue, body);
  } catch (error) {
    if (answered(error, 404, 410)) return 0;
    throw error;
  }
}

/** The bot's own comment with this operation key. */
async function findComment(github: Repository, issue: number, op: string): Promise<number | undefined> {
  try {
    const { comments } = await github.thread(issue);
    return comments.find(comment => comment.author === github.bot && markOf(comment.body) === op)?.id;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** An issue or a pull request with what stands on it. */
export interface ThreadComments {
  number: number;
  comments: readonly Pick<Comment, 'author' | 'body' | 'createdAt'>[];
}

/** Finds a message outside of any run's journal, to post it once: `at`, if the thread shows that it was posted before. */
export function saidBefore(
  github: Repository,
  thread: ThreadComments,
  key: string,
): { op: string; at: number | undefined } {
  const op = operationKey({ repository: github.id, issue: thread.number, run: '' }, key);
  const said = thread.comments.find(
    comment => comment.author === github.bot && markOf(comment.body, 'note') === op,
  );
  return { op, at: said?.createdAt };
}

/** Posts it unless it was said before; answers when that was. */
export async function sayOnce(
  github: Repository,
  thread: ThreadComments,
  { key, body }: { key: string; body: string },
): Promise<{ at: number | undefined }> {
  const { op, at } = saidBefore(github, thread, key);
  if (at === undefined) await github.comment(thread.number, marked(body, op, 'note'));
  return { at };
}
