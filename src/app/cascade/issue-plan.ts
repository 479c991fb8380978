// An issue as a layer plans it, and the dependencies within a list of them.
import { z } from 'zod';
import { codeSpan, neutral, oneLine, titleLine } from '../comments/neutral.ts';

export const text = z.string().trim().min(1);
/** One line: nothing in it can begin another block where it is shown. */
const line = text.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'has a line end or control character');
/** `"#12"` names an existing issue, a number a place in the list (from 1). */
const reference = z.union([
  z.int().min(1),
  z.string().regex(/^#[1-9]\d{0,9}$/, 'an issue is named as "#12"'),
]);

/**
 * A text of a reply as it is listed and posted: nothing changes it from here on. Of at most `max` UTF-16 units, so
 * that a listing with the whole text fits a comment.
 */
const posted = (max: number) =>
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
const name = (max: number) =>
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
/** `existing`: the number of an issue that is there already; no layer can say it. */
export type IssuePlan = z.infer<typeof issueSchema> & { existing?: number };

/** An open issue that is there before the run. `after`: numbers of the open issues that block it. */
export const Existing = z.object({ number: z.int(), after: z.array(z.int()) });
export type Existing = z.infer<typeof Existing>;

/** The part of a planned issue that counts: a number is a place in the list (from 1), `"#12"` an issue that exists. */
interface Dependent {
  depends_on?: readonly (number | string)[] | undefined;
}

/** Says what is wrong with the dependencies of a list of issues: an unknown place, oneself, a cycle. `named`: by place. */
export function dependencyProblem(
  issues: readonly Dependent[],
  named: (place: number) => string = String,
): string | undefined {
  const edges = issues.map(issue => (issue.depends_on ?? []).filter(each => typeof each === 'number'));
  for (const [index, places] of edges.entries())
    for (const place of places) {
      if (place > issues.length)
        return `issue ${index + 1} depends on ${place}, but the list has ${issues.length}`;
      if (place === index + 1) return `issue ${place} depends on itself`;
    }
  const state: ('open' | 'done' | undefined)[] = [];
  const cycle = (index: number, path: number[]): number[] | undefined => {
    if (state[index] === 'done') return undefined;
    if (state[index] === 'open') return [...path.slice(path.indexOf(index)), index];
    state[index] = 'open';
    for (const place of edges[index] ?? []) {
      const found = cycle(place - 1, [...path, index]);
      if (found) return found;
    }
    state[index] = 'done';
    return undefined;
  };
  for (const index of edges.keys()) {
    const found = cycle(index, []);
    if (found) return `the dependencies form a cycle: ${found.map(each => named(each + 1)).join(' -> ')}`;
  }
  return undefined;
}

/** Places (from 0) so that each comes after what it depends on; the list's own order otherwise. */
export function inDependencyOrder(plans: readonly Dependent[]): number[] {
  const done: number[] = [];
  const visit = (index: number) => {
    if (done.includes(index)) return;
    for (const place of plans[index]!.depends_on ?? []) if (typeof place === 'number') visit(place - 1);
    done.push(index);
  };
  for (const index of plans.keys()) visit(index);
  return done;
}

/** So that a question fits a comment whole. */
const asked = text.max(8000);

const scheduleFields = {
  label: name(50).optional(),
  issues: z
    .array(z.union([z.int().min(1), z.string().regex(/^#[1-9]\d{0,9}$/)]))
    .max(100)
    .optional(),
  max_parallel: z.int().min(1).max(20).optional(),
};

/** A branch name git takes: the common subset, on the safe side of `git check-ref-format`. */
const branch = text
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'not a branch name')
  .refine(name => !/\.\.|\/\/|\/\.|\.lock(\/|$)|[./]$/.test(name), 'not a branch name');

export const actionSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('update_plan'),
    plan: z
      .unknown()
      .refine(plan => plan !== undefined, 'stands neither here nor under a heading "Plan" of the reply')
      .pipe(posted(40_000)),
    workstreams: z.array(line).max(50).optional(),
  }),
  z.strictObject({ action: z.literal('create_issues'), issues: z.array(issueSchema).min(1).max(50) }),
  z.strictObject({ action: z.literal('schedule'), ...scheduleFields }),
  z.strictObject({ action: z.literal('create_branch'), branch_name: branch, from: branch.optional() }),
  z.strictObject({
    action: z.literal('request_review'),
    pr_number: z.int().min(1),
    focus: posted(2000).optional(),
  }),
  z.strictObject({
    action: z.literal('request_info'),
    target: z.enum(['2ic', 'eng-lead', 'team-lead', 'ceo']),
    question: asked,
  }),
  z.strictObject({ action: z.literal('escalate'), reason: asked, decision_needed: asked }),
]);
type Asked = z.infer<typeof actionSchema>;
export type Action =
  | Exclude<Asked, { action: 'create_issues' }>
  | { action: 'create_issues'; issues: IssuePlan[] };
