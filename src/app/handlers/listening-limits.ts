// Limits on answering: people with write access always, others a few times an hour, to protect GitHub's rate limit.
import { type Clock, HOUR_MS } from '@echelon/ground';
import { type ThreadComments, saidBefore } from '../github/once.ts';
import type { PlainComment } from '../github/comments.ts';
import { type Permission, type Repository, suffices } from '../github/repository.ts';

/** Comments of one person without write access that are answered within an hour. */
const PER_PERSON = 5;
/** The same for all of them together, on one issue. */
const PER_ISSUE = 20;
/** Age from which a comment is not answered any more (milliseconds). */
const KEPT_MS = 24 * HOUR_MS;
/** Time for which a permission is reused, where only this limit depends on it (milliseconds). */
const PERMISSION_MS = 5 * 60_000;
/**
 * People without write access whose permission is looked up one by one, on one issue within an hour. Then the list of all
 * who have it decides, so that a flood of strangers costs few calls and holds nobody back who may give commands.
 */
const LOOKUPS = 20;

/** A comment with a command by somebody without write access. `at` in milliseconds since the epoch. */
export interface Asked {
  issue: number;
  by: string;
  at: number;
}

export interface Hearing {
  /** Those that are answered, by the comment's id. */
  heard: Map<number, Asked>;
  /** Issues whose own comments have been looked at for what was answered before this process began. */
  seen: Map<number, Promise<void>>;
  /** Comments whose edit was met already. */
  edited: Set<number>;
  permissions: Map<string, { permission: Promise<Permission>; until: number }>;
  /** Lookups of an hour that are under way or found no write access. */
  lookups: Set<Asked>;
  writers: { logins: Promise<ReadonlySet<string> | undefined>; until: number } | undefined;
}

/** Members of a repository context that are used here. */
interface Hearer {
  github: Repository;
  clock: Clock;
  hearing: Hearing;
}

export const newHearing = (): Hearing => ({
  heard: new Map(),
  seen: new Map(),
  edited: new Set(),
  permissions: new Map(),
  lookups: new Set(),
  writers: undefined,
});

/** True if one more comment may be answered after these. */
export function hasRoom(heard: Iterable<Asked>, { issue, by, at }: Asked): boolean {
  let ofPerson = 0;
  let onIssue = 0;
  for (const each of heard) {
    if (each.at > at || at - each.at >= HOUR_MS) continue;
    if (each.by === by) ofPerson += 1;
    if (each.issue === issue) onIssue += 1;
  }
  return ofPerson < PER_PERSON && onIssue < PER_ISSUE;
}

type CommentHeard = Pick<PlainComment, 'id' | 'author' | 'createdAt'>;

/**
 * False if a comment with commands exceeds the limits and gets no reply. The check then costs no call to GitHub.
 * `place`: the issue's comments, if they have been read.
 */
export async function isHeard(
  ctx: Hearer,
  issue: number,
  { id, author: by, createdAt: at }: CommentHeard,
  place?: { comments: readonly (CommentHeard & ThreadComments['comments'][number])[] },
): Promise<boolean> {
  if (await mayWrite(ctx, issue, by)) return true;
  const { heard, seen } = ctx.hearing;
  const now = ctx.clock.now();
  for (const [key, asked] of heard) if (now - asked.at >= KEPT_MS) heard.delete(key);
  if (heard.has(id)) return true;
  const asked = { issue, by, at };
  if (now - at >= KEPT_MS || !hasRoom(heard.values(), asked)) return false;
  let looked = seen.get(issue);
  if (!looked) {
    looked = answeredBefore(ctx, issue, place?.comments);
    seen.set(issue, looked);
    // Told below to whoever waits for it; the next one asks again.
    looked.catch(() => seen.delete(issue));
  }
  await looked;
  if (heard.has(id)) return true;
  if (!hasRoom(heard.values(), asked)) return false;
  heard.set(id, asked);
  return true;
}

/** Takes what was answered on the issue before: an answer names its comment. */
async function answeredBefore(
  ctx: Hearer,
  issue: number,
  given: readonly (CommentHeard & ThreadComments['comments'][number])[] | undefined,
): Promise<void> {
  const { github } = ctx;
  const from = ctx.clock.now() - KEPT_MS;
  const comments = (given ?? (await github.comments(issue))).filter(({ createdAt }) => createdAt > from);
  const own = comments.filter(({ author }) => author === github.bot);
  for (const { id, author, createdAt } of comments) {
    const answer = saidBefore(github, { number: issue, comments: own }, answerKey(id));
    if (answer.at === undefined || (await mayWrite(ctx, issue, author))) continue;
    ctx.hearing.heard.set(id, { issue, by: author, at: createdAt });
  }
}

export const answerKey = (comment: number) => `answer/${comment}`;

/** By the permission as it was a few minutes ago at most: for what is done by right it is asked for anew. */
export async function mayWrite(ctx: Hearer, issue: number, login: string): Promise<boolean> {
  const { permissions, lookups } = ctx.hearing;
  const now = ctx.clock.now();
  for (const [key, { until }] of permissions) if (until <= now) permissions.delete(key);
  for (const each of lookups) if (now - each.at >= HOUR_MS) lookups.delete(each);
  let known = permissions.get(login);
  if (!known) {
    const before = [...lookups].filter(each => each.issue === issue).length;
    const writers = before < LOOKUPS ? undefined : await writersOf(ctx);
    if (writers) return writers.has(login.toLowerCase());
    known = { permission: lookUp(ctx, { issue, by: login, at: now }), until: now + PERMISSION_MS };
    permissions.set(login, known);
    // Told below to whoever waits for it; the next one asks again.
    known.permission.catch(() => permissions.delete(login));
  }
  return suffices(await known.permission, 'write');
}

async function lookUp({ github, hearing }: Hearer, lookup: Asked): Promise<Permission> {
  hearing.lookups.add(lookup);
  const permission = await github.permission(lookup.by);
  if (suffices(permission, 'write')) hearing.lookups.delete(lookup);
  return permission;
}

async function writersOf({ github, clock, hearing }: Hearer): Promise<ReadonlySet<string> | undefined> {
  const now = clock.now();
  if (!hearing.writers || hearing.writers.until <= now) {
    hearing.writers = { logins: github.writers(), until: now + PERMISSION_MS };
    hearing.writers.logins.catch(() => (hearing.writers = undefined));
  }
  return await hearing.writers.logins;
}
