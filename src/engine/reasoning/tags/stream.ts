// The tags of a reply while it comes in, in small parts.
import type { TagProblem } from './fault.ts';
import { Scanner, type TagBlock } from './scan.ts';

export interface TagStream {
  /**
   * The blocks that `delta` completes, in order. A block on a line that begins like a fence is complete when its
   * line is; tags behind a block that is open come when it is closed, or at the end.
   */
  push(delta: string): TagBlock[];
  /** The blocks that are left, and all problems. Called once. */
  end(): { blocks: TagBlock[]; problems: TagProblem[] };
}

/**
 * Finds what `scanTags` finds in the whole text. A delta is only searched for the one string without which the
 * scanner cannot go on; what it left unread is put together once that has come. So all deltas together cost what
 * the text costs, in whatever parts it comes.
 */
export function tagStream(): TagStream {
  const scanner = new Scanner();
  let whole = '';
  let unread = '';
  let wanted = '>}}';
  /** The last characters of `unread`, in which `wanted` may have begun. */
  let tail = '';

  return {
    push(delta) {
      whole += delta;
      unread += delta;
      const seen = tail + delta;
      if (!seen.includes(wanted)) {
        tail = lastOf(seen, wanted.length - 1);
        return [];
      }
      const { blocks, rest } = scanner.read(unread, false);
      unread = unread.slice(rest.offset);
      wanted = rest.wanted;
      tail = lastOf(unread, wanted.length - 1);
      return blocks;
    },
    end() {
      const { blocks } = scanner.read(unread, true);
      return { blocks, problems: scanner.problems(whole) };
    },
  };
}

function lastOf(text: string, count: number): string {
  return count > 0 ? text.slice(-count) : '';
}
