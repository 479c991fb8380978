// An issue as a layer plans it, and what a field of an action may be.
import { z } from 'zod';
import { codeSpan, neutral, oneLine, titleLine } from '../comments/neutral.ts';

export const text = z.string().trim().min(1);
/** One line: nothing in it can begin another block where it is shown. */
export const line = text.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'has a line end or control character');
/** `"#12"` names an existing issue, a number a place in the list (from 1). */
const reference = z.union([
  z.int().min(1),
  z.string().regex(/^#[1-9]\d{0,9}$/, 'an issue is named as "#12"'),
]);

/**
 * What is read of a reply is what is listed and what is created: from here on nobody changes a text.
 * `max` UTF-16 units, so that a listing with the whole text fits a comment.
 */
export const posted = (max: number) =>
  text
    .max(max)
    .transform(body =>
      neutral(body)
        .replace(/^(?:[^\S\n]*\n)+/, '')
        .trimEnd(),
    )
    .refine(body => body !== '', 'nothing of it can be seen')
    .refine(body => body.length <= max, `is longer than ${max} characters as it would be posted`)
    .refine(body => !/`{51}/.test(body), 'has more than 50 backticks in a row');
/** A name of one line that can be shown as it is. */
export const name = (max: number) =>
  line
    .max(max)
    .transform(oneLine)
    .refine(each => each !== '' && codeSpan(each).includes(each), 'cannot be shown as it is');

/** GitHub takes titles of up to 256 characters. */
const MAX_TITLE = 250;

export const issueSchema = z.strictObject({
  title: line
    .max(200)
    .transform(title => titleLine(title))
    .refine(title => title.replace(/[\s\p{Cf}]/gu, '') !== '', 'nothing of it can be seen')
    .refine(
      title => title.length <= MAX_TITLE,
      `is longer than ${MAX_TITLE} characters as it would be posted`,
    ),
  body: posted(30_000),
  labels: z.array(name(50)).max(20).optional(),
  assignee: name(39).optional(),
  domain: line.max(40).optional(),
  depends_on: z.array(reference).max(50).optional(),
  paths: z.array(name(300)).max(100).optional(),
  estimate_minutes: z.number().positive().max(10_000).optional(),
});
export type IssuePlan = z.infer<typeof issueSchema>;
