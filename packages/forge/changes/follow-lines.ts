// Comments on lines go with their lines when the head of a pull request moves; they are outdated once these change.
import type { Core } from '../core.ts';
import { repositoryFolder, tryGit } from '../git.ts';
import type { Pull, ReviewComment } from '../store/pulls.ts';
import type { Repository } from '../store/repositories.ts';

/** A change as the header of a hunk without context has it: lines of the old file, and how many came for them. */
interface Change {
  /** The first of them; where none is replaced, the line behind which others came. */
  start: number;
  count: number;
  came: number;
}

/** What changed in a file; undefined where that cannot be said line by line. */
async function changesOf(
  folder: string,
  before: string,
  after: string,
  path: string,
): Promise<Change[] | undefined> {
  const range = ['diff', '-U0', '--no-renames', before, after, '--', path];
  const { code, stdout } = await tryGit(folder, ['--literal-pathspecs', ...range]);
  const text = stdout.toString();
  if (code !== 0 || /^Binary files /m.test(text)) return undefined;
  return [...text.matchAll(/^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm)].map(
    ([, start, count = '1', came = '1']) => ({
      start: Number(start),
      count: Number(count),
      came: Number(came),
    }),
  );
}

/** By how much these lines moved; undefined when one of them, or what stands between them, changed. */
function movedBy(changes: readonly Change[], first: number, last: number): number | undefined {
  let moved = 0;
  for (const { start, count, came } of changes) {
    // What came behind the last line, or goes there, moves nothing.
    if (count === 0 ? start >= last : start > last) continue;
    if (count === 0 ? start >= first : start + count > first) return undefined;
    moved += came - count;
  }
  return moved;
}

/** `pull` as it was, before its head moved to `after`. Lines of the base stay where they are. */
export async function followLines(
  core: Core,
  repository: Repository,
  pull: Pull,
  after: string,
): Promise<void> {
  const comments = core.db.all<ReviewComment & { line: number }>(
    "SELECT * FROM review_comments WHERE pull_id = ? AND side = 'RIGHT' AND line IS NOT NULL",
    pull.id,
  );
  const folder = repositoryFolder(core, repository);
  for (const [path, own] of Map.groupBy(comments, comment => comment.path)) {
    const changes = await changesOf(folder, pull.head_sha, after, path);
    for (const { id, line, start_line, commit_id, ...comment } of own) {
      const by = changes && movedBy(changes, start_line ?? line, line);
      const isMoved = comment.original_commit_id !== null;
      core.db.update('review_comments', id, {
        ...(!isMoved && {
          original_line: line,
          original_start_line: start_line,
          original_commit_id: commit_id,
        }),
        ...(by === undefined
          ? { line: null, start_line: null, position: null }
          : { line: line + by, start_line: start_line === null ? null : start_line + by, commit_id: after }),
      });
    }
  }
}
