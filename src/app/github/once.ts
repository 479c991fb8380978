// Creations that happen once: marked with their operation key, by which a later process finds them after a crash.
import type { Step, RunIdentity } from '@echelon/ground/journal';
import type { Repository } from './repository.ts';
import { refusedBy } from './octokit.ts';
import { type Comment, threadUnlessGone } from './thread.ts';
import { digest } from '@echelon/ground';

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
      const { comments = [] } = (await threadUnlessGone(github, issue)) ?? {};
      const id = comments.find(({ author, body }) => author === github.bot && markOf(body) === op)?.id;
      return id === undefined ? undefined : { comment: id };
    },
  });
}

async function post(github: Repository, issue: number, body: string): Promise<number> {
  const posted = await github.comment(issue, body).catch(refusedBy(404, 410));
  return typeof posted === 'number' ? posted : 0;
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

/** Operation key of a step (20 hex digits): the same step of the same run always has the same. */
export function operationKey(identity: RunIdentity, stepKey: string): string {
  return digest([identity.repository, identity.issue, identity.run, stepKey]).slice(0, 20);
}

/** `op`: made by a step of a run. `note`: an answer or notice that belongs to no run's journal. */
type Kind = 'op' | 'note';

/** Operation key on the last line of a body, or undefined. Only bodies written by the bot itself may be asked. */
export function markOf(body: string, kind: Kind = 'op'): string | undefined {
  const [, found, key] = /<!-- echelon:(op|note)=([0-9a-f]{20}) -->\s*$/.exec(body) ?? [];
  return found === kind ? key : undefined;
}

/** The body with its mark at the end. */
export const marked = (body: string, key: string, kind: Kind = 'op') =>
  `${body.trimEnd()}\n\n<!-- echelon:${kind}=${key} -->`;
