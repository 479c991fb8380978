// A comment on lines, as the API has it.
import { z } from 'zod';
import { Comment } from '../conversation.ts';

export const LineComment = Comment.extend({
  user: z.object({ id: z.number(), login: z.string() }).nullable(),
  pull_request_review_id: z.number().nullable(),
  in_reply_to_id: z.number().nullish(),
  path: z.string(),
  side: z.string().nullish(),
  diff_hunk: z.string(),
  /** Where it stands now; none once its lines have changed. */
  line: z.number().nullish(),
  start_line: z.number().nullish(),
  /** Where it was written to. */
  original_line: z.number().nullish(),
  original_start_line: z.number().nullish(),
});
export type LineComment = z.infer<typeof LineComment>;
