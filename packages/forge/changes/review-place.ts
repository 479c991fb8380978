// Where a review comment stands in a pull request's diff.
import { z } from 'zod';
import type { FileChange } from '../commits.ts';
import { invalid, invalidField } from '../errors.ts';

export const lineComment = z.object({
  path: z.string(),
  body: z.string(),
  line: z.int().positive().optional(),
  start_line: z.int().positive().optional(),
  side: z.enum(['LEFT', 'RIGHT']).default('RIGHT'),
  subject_type: z.enum(['line', 'file']).default('line'),
});

interface Place {
  /** The hunk down to the line. */
  diff_hunk: string;
  /** Lines below the file's first @@. */
  position: number | null;
}

/** Where a line stands in the diff; 422 for a line or file that the diff has not. */
export function placeOf(files: FileChange[], comment: z.infer<typeof lineComment>): Place {
  const file = files.find(each => each.path === comment.path);
  if (!file) throw invalidField('PullRequestReviewComment', 'path', 'invalid');
  if (comment.subject_type === 'file') return { diff_hunk: '', position: null };
  if (comment.start_line !== undefined && comment.start_line >= (comment.line ?? 0))
    throw invalid(
      'PullRequestReviewComment',
      'start_line must precede the end line.',
      'pull_request_review_thread.start_line',
    );
  let hunk: string[] = [];
  let line = 0;
  for (const [position, text] of (file.patch ?? '').split('\n').entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
    if (header) {
      hunk = [text];
      line = Number(comment.side === 'LEFT' ? header[1] : header[2]);
      continue;
    }
    hunk.push(text);
    if (text.startsWith(comment.side === 'LEFT' ? '+' : '-') || text.startsWith('\\')) continue;
    if (line++ === comment.line) return { diff_hunk: hunk.join('\n'), position };
  }
  throw invalidField('PullRequestReviewComment', 'line', 'invalid');
}
