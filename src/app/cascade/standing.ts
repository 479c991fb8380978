// Approval validity: the listing that a command names, the issue, the comments that approved, and who wrote them.
import { digest } from '@echelon/ground';
import type { RunView } from '../comments/view.ts';
import type { Config } from '../config/config.ts';
import { hasLabel } from '../github/issues.ts';
import { type Repository, suffices } from '../github/repository.ts';
import type { Comment, Thread } from '../github/thread.ts';
import { marked } from '../github/once.ts';
import { operationOf, type RunContext } from '../scheduler/run-context.ts';
import type { CommandSignal } from '../commands/table.ts';
import type { Change } from './change-request.ts';
import { changedSince, type TextNow } from './existing.ts';

/** An approval as it was given. */
export interface Approval {
  /** Login. */
  by: string;
  /** Database id of the comment. */
  comment: number;
  shown: Shown;
}

/** Texts at the time of the approval. */
export interface Shown {
  /** The listing's comments in their order: database id, step key, and text without the mark. */
  comments: readonly { id: number; key: string; body: string }[];
  /** Digest of the issue's title and description. */
  issue: string;
  /** Of the listed issues that exist. */
  texts?: readonly TextNow[];
}

export const textDigest = ({ title, body }: Pick<Thread, 'title' | 'body'>): string => digest([title, body]);

/** Looks as the step `key` why the approvals do not count now. */
export async function lookAt(
  ctx: Parameters<typeof whyVoid>[0] & Pick<RunContext, 'step'>,
  key: string,
  approvals: readonly Approval[],
): Promise<string | undefined> {
  const { why } = await ctx.step(key, async () => ({ why: (await whyVoid(ctx, approvals)) ?? null }));
  return why ?? undefined;
}

/**
 * Returns the reason, a clause, that approvals do not count now; undefined if all of them count. Reads the issue once,
 * and each approver's rights. A text that was edited and edited back counts as edited.
 */
async function whyVoid(
  ctx: {
    github: Pick<Repository, 'id' | 'bot' | 'thread' | 'permission' | 'related' | 'issue'>;
    view: Pick<RunView, 'issue' | 'run'>;
    config: Pick<Config, 'label'>;
  },
  approvals: readonly Approval[],
): Promise<string | undefined> {
  const { github, view } = ctx;
  const thread = await github.thread(view.issue);
  const comments = new Map(thread.comments.map(each => [each.id, each]));
  if (thread.state !== 'open') return 'this issue is closed. Open it again first';
  if (thread.locked) return 'this issue is locked. Unlock it first';
  if (!hasLabel(thread.labels, ctx.config.label))
    return `the label ${ctx.config.label} was taken off. Put it on again first`;
  for (const shown of new Set(approvals.map(each => each.shown))) {
    if (shown.issue !== textDigest(thread))
      return 'the title or the description of this issue was changed since';
    for (const { id, key, body } of shown.comments) {
      const expected = marked(body, operationOf(ctx, key));
      const why = listingProblem(comments.get(id), expected, github.bot);
      if (why !== undefined) return why;
    }
    const why = await changedSince(github, view.issue, shown.texts ?? []);
    if (why !== undefined) return why;
  }
  for (const { comment, by } of approvals) {
    const found = comments.get(comment);
    if (!found) return `the comment by ${by} that approved was deleted`;
    if (found.author !== by) return `${by}, who approved, is not here any more`;
    if (found.editedBy !== null) return `the comment by ${by} that approved was edited`;
    if (found.hidden) return `the comment by ${by} that approved was hidden`;
  }
  return await rightsProblem(github, new Set(approvals.map(({ by }) => by)));
}

function listingProblem(found: Comment | undefined, expected: string, bot: string): string | undefined {
  if (!found) return 'a comment of the listing was deleted';
  if (found.author !== bot) return `a comment of the listing is by ${found.author}`;
  if (found.editedBy !== null) return `the listing was edited by ${found.editedBy}`;
  return plain(found.body) === plain(expected) ? undefined : 'the listing was edited';
}

async function rightsProblem(
  github: Pick<Repository, 'permission'>,
  logins: ReadonlySet<string>,
): Promise<string | undefined> {
  for (const login of logins) {
    const permission = await github.permission(login);
    if (!suffices(permission, 'write'))
      return `${login}, who approved, has ${permission === 'none' ? 'no' : `only ${permission}`} access now`;
  }
  return undefined;
}

/** GitHub may store other line ends than it was sent. */
const plain = (body: string) => body.replace(/\r\n/g, '\n').trim();

/** Reason that a command does not fit the listing, in one sentence; undefined if it fits. `last`: its newest comment. */
export function misfit(
  command: CommandSignal<'approve' | 'reject' | Change['name']>,
  listing: { last: number; sum: string; undecided: ReadonlyMap<string, unknown> },
): string | undefined {
  if (command.value.comment < listing.last)
    return 'your comment is older than the listing it would decide on';
  const what = command.name === 'approve' ? command.value.what : 'all';
  if (what !== 'all' && 'digest' in what && !listing.sum.startsWith(what.digest))
    return `${what.digest} is not the listing that waits, which is ${listing.sum.slice(0, 12)}`;
  const unknown = idsOf(command).filter(id => !listing.undecided.has(id));
  const open = [...listing.undecided.keys()].join(', ');
  if (unknown.length > 0) return `${unknown.join(', ')} does not wait for a decision; what does: ${open}`;
  return undefined;
}

/** The actions a command names; none: everything that is listed. */
export function idsOf(command: Parameters<typeof misfit>[0]): string[] {
  if (command.name === 'reject') return command.value.ids;
  const what = command.name === 'approve' ? command.value.what : 'all';
  return typeof what === 'object' && 'ids' in what ? what.ids : [];
}
