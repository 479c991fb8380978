// A commit of the mirror brought to a branch of GitHub: made anew over the API, so that GitHub signs it, or else pushed.
import {
  BranchElsewhere,
  type IndexChange,
  isOnBranch,
  type Mirror,
  PushRefused,
  rawChanges,
  readCommit,
} from '@echelon/ground/workspace';
import { pushForbidden } from '../../comments/replies.ts';
import type { TreeEntry, TreeMode } from '../../github/git-data.ts';
import type { Config } from '../../config/config.ts';
import type { EngineerContext } from '../slots/context.ts';
import { holdsChecks, isHeld, withHold, withoutHold } from './held-checks.ts';

type Context = Pick<EngineerContext, 'github' | 'mirror' | 'sent'> & {
  config: Pick<Config, 'checks'>;
};

/**
 * `commit`: the branch's head now. `below`: what commits of the mirror that it stands on became. `held`: it keeps checks from
 * starting. `unsigned`: it was pushed, and why the API could not carry it.
 */
export type Sent =
  | { commit: string; below?: Record<string, string>; held?: true; unsigned?: string }
  | { refused: string; elsewhere?: true };

interface Sending {
  branch: string;
  /** In the mirror. */
  commit: string;
  /** Required head of the branch; null: it must not exist. */
  expect: string | null;
}

/** Entries that a tree may get, characters of text in all, and files that are stored by a call each. */
const MAX_ENTRIES = 1000;
const MAX_TEXT = 1_000_000;
const MAX_BLOBS = 20;
const MAX_BLOB_BYTES = 10 << 20;

/**
 * Makes the commit, and those it stands on that GitHub does not have, and points the branch at it. `isUnread`: its checks
 * wait for a person where the repository wants that.
 */
export async function sendCommit(ctx: Context, what: Sending, isUnread = true): Promise<Sent> {
  const mirror = await ctx.mirror();
  const held = isUnread && holdsChecks(ctx);
  let { commit } = what;
  if (held) {
    const { isOwn, message, ...rest } = await readCommit(mirror, commit);
    if (isOwn) commit = await mirror.commitTree({ ...rest, message: withHold(message) });
  }
  const sent = await send(ctx, mirror, { ...what, commit });
  return held && 'commit' in sent ? { ...sent, held } : sent;
}

async function send(ctx: Context, mirror: Mirror, what: Sending): Promise<Sent> {
  const { branch, commit, expect } = what;
  const below = new Map<string, string>();
  try {
    const made = await makeOnGitHub(ctx, mirror, commit, below);
    if ('cannot' in made) return await push(mirror, what, made.cannot);
    const how = expect === null ? 'create' : await howToMove(ctx, mirror, what);
    const moved = await ctx.github.pointBranch(branch, made.id, how);
    if ('refused' in moved) {
      const now = await mirror.remoteBranch(branch);
      if (now !== made.id && now !== expect) throw new BranchElsewhere(branch, expect, now);
      if (now !== made.id) throw new PushRefused(branch, moved.refused);
    }
    below.delete(commit);
    // Branches stacked on it are made from this commit.
    await mirror.fetch();
    return { commit: made.id, ...(below.size > 0 && { below: Object.fromEntries(below) }) };
  } catch (error) {
    if (error instanceof BranchElsewhere) return { refused: error.message, elsewhere: true };
    if (error instanceof PushRefused) return { refused: pushForbidden(error.branch, error.reason) };
    throw error;
  }
}

/** Finds the commit of an earlier process: the branch's head has the same tree, message and parents. */
export async function findSent(ctx: Context, { branch, commit }: Sending): Promise<Sent | undefined> {
  const mirror = await ctx.mirror();
  const head = await mirror.remoteBranch(branch);
  if (head === null) return undefined;
  await mirror.fetch();
  const below = new Map<string, string>();
  if (!(await isSame(ctx, mirror, [commit, head], below))) return undefined;
  below.delete(commit);
  const { message } = await readCommit(mirror, head);
  return {
    commit: head,
    ...(isHeld(message) && { held: true }),
    ...(below.size > 0 && { below: Object.fromEntries(below) }),
  };
}

/** Keeps what a step has sent, for the commits that stand on it. */
export function noteSent({ sent }: Context, commit: string, result: Sent): void {
  if ('refused' in result) return;
  sent.set(commit, result.commit);
  for (const [local, id] of Object.entries(result.below ?? {})) sent.set(local, id);
}

async function isSame(
  ctx: Context,
  mirror: Mirror,
  [ours, theirs]: [string, string],
  same: Map<string, string>,
): Promise<boolean> {
  if (ours === theirs || ctx.sent.get(ours) === theirs) return true;
  if ((await mirror.resolve(theirs)) === undefined) return false;
  const [own, other] = [await readCommit(mirror, ours), await readCommit(mirror, theirs)];
  const isLike =
    own.isOwn &&
    own.tree === other.tree &&
    withoutHold(own.message).trim() === withoutHold(other.message).trim() &&
    own.parents.length === other.parents.length;
  if (!isLike) return false;
  for (const [at, parent] of own.parents.entries())
    if (!(await isSame(ctx, mirror, [parent, other.parents[at] ?? ''], same))) return false;
  same.set(ours, theirs);
  return true;
}

/** REST has no expected head: a branch that must not be lost is looked at first. */
async function howToMove(
  { sent }: Context,
  mirror: Mirror,
  { branch, commit, expect }: Sending,
): Promise<'forward' | 'force'> {
  const { parents } = await readCommit(mirror, commit);
  if (parents.some(parent => (sent.get(parent) ?? parent) === expect)) return 'forward';
  const now = await mirror.remoteBranch(branch);
  if (now !== expect) throw new BranchElsewhere(branch, expect, now);
  return 'force';
}

async function push(mirror: Mirror, what: Sending, unsigned: string): Promise<Sent> {
  await mirror.push(what);
  return { commit: what.commit, unsigned };
}

type OnGitHub = { id: string } | { cannot: string };

/** Its id on GitHub, where it is made unless it is there. `cannot`: why the API does not carry it. */
async function makeOnGitHub(
  ctx: Context,
  mirror: Mirror,
  commit: string,
  made: Map<string, string>,
): Promise<OnGitHub> {
  const known = ctx.sent.get(commit) ?? made.get(commit);
  if (known !== undefined) return { id: known };
  const { tree, parents, message, isOwn } = await readCommit(mirror, commit);
  if (!isOwn || (await isOnBranch(mirror, commit))) return { id: commit };
  const ids: string[] = [];
  for (const parent of parents) {
    const below = await makeOnGitHub(ctx, mirror, parent, made);
    if ('cannot' in below) return below;
    ids.push(below.id);
  }
  const stored = await storeTree(ctx, mirror, { tree, parents });
  if (stored !== undefined) return { cannot: stored };
  const own = await ctx.github.storeCommit({ tree, parents: ids, message });
  if ('refused' in own) return { cannot: own.refused };
  made.set(commit, own.sha);
  return { id: own.sha };
}

/** Has GitHub store the tree of a commit; answers why it does not. Trees are named by content: the same id is the same files. */
async function storeTree(
  ctx: Context,
  mirror: Mirror,
  { tree, parents }: { tree: string; parents: string[] },
): Promise<string | undefined> {
  const [first = '', ...others] = parents;
  const changes = await rawChanges(['diff-tree', '-r', first, tree], await mirror.options());
  if (changes.length === 0) return undefined;
  if (changes.length > MAX_ENTRIES) return `it changes more than ${MAX_ENTRIES} files`;
  // A merge takes most files as another parent has them: GitHub has those.
  const taken = new Set<string>();
  for (const other of others) {
    const differing = await rawChanges(['diff-tree', '-r', other, tree], await mirror.options());
    const differs = new Set(differing.map(({ path }) => path));
    for (const { path } of changes) if (!differs.has(path)) taken.add(path);
  }
  const entries = await entriesOf(ctx, mirror, changes, taken);
  if ('cannot' in entries) return entries.cannot;
  const stored = await ctx.github.storeTree(await mirror.treeOf(first), entries.entries);
  if ('refused' in stored) return stored.refused;
  return stored.sha === tree ? undefined : 'GitHub made another tree of the same files';
}

async function entriesOf(
  { github }: Context,
  mirror: Mirror,
  changes: readonly IndexChange[],
  taken: ReadonlySet<string>,
): Promise<{ entries: TreeEntry[] } | { cannot: string }> {
  const entries: TreeEntry[] = [];
  let [room, blobs] = [MAX_TEXT, MAX_BLOBS];
  for (const { path, newMode: mode, newOid: sha } of changes) {
    if (mode === '000000') {
      entries.push({ path, mode: '100644', file: null });
      continue;
    }
    if (!isMode(mode)) return { cannot: `${path} is neither a file nor a link` };
    const entry = { path, mode };
    if (taken.has(path)) {
      entries.push({ ...entry, file: { sha } });
      continue;
    }
    const bytes = (await mirror.object(sha, MAX_BLOB_BYTES))?.bytes;
    if (!bytes) return { cannot: `${path} is larger than ${MAX_BLOB_BYTES >> 20} MB` };
    const text = bytes.length <= room ? textOf(bytes) : undefined;
    if (text !== undefined) {
      room -= bytes.length;
      entries.push({ ...entry, file: { text } });
      continue;
    }
    if (blobs-- === 0) return { cannot: `it has more than ${MAX_BLOBS} large or binary files` };
    const blob = await github.storeBlob(bytes);
    if ('refused' in blob) return { cannot: blob.refused };
    entries.push({ ...entry, file: blob });
  }
  return { entries };
}

const isMode = (mode: string): mode is TreeMode => ['100644', '100755', '120000'].includes(mode);

/** Undefined: it is no text that JSON carries without a loss. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined;
}
