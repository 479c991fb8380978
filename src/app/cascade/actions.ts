// The actions a layer may ask for: their schemas, and how they are taken out of a reply.
import { z } from 'zod';
import { codeSpan, neutral, oneLine, titleLine } from '../comments/neutral.ts';
import { isAbove, type Layer, layerName } from '../layers.ts';
import { partsIn, repeatedKey } from '../../lib/json-scan.ts';
import { dependencyProblem } from './dependencies.ts';
import { jsonBlocks } from './reply-blocks.ts';
import { messageOf } from '../../lib/message.ts';

const text = z.string().trim().min(1);
/** One line: nothing in it can begin another block where it is shown. */
const line = text.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'has a line end or control character');
/** So that a question fits a comment whole. */
const asked = text.max(8000);
/** `"#12"` names an existing issue, a number a place in the list (from 1). */
const reference = z.union([
  z.int().min(1),
  z.string().regex(/^#[1-9]\d{0,9}$/, 'an issue is named as "#12"'),
]);

/**
 * What is read of a reply is what is listed and what is created: from here on nobody changes a text.
 * `max` UTF-16 units, so that a listing with the whole text fits a comment.
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

const issueSchema = z.strictObject({
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

const actionSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('update_plan'),
    plan: posted(40_000),
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
export type Action = z.infer<typeof actionSchema>;

/** What a reply asked for, block by block. */
export interface ParsedReply {
  /** How many fenced json blocks there were. */
  blocks: number;
  actions: Action[];
  /** Blocks (or members of one) that are no action, with the reason and the line of the reply. */
  ignored: { line: number; reason: string }[];
  /** Actions the layer may not use. */
  dropped: { action: string; reason: string }[];
}

/** Blocks of a reply, and actions of one block, that are read. */
const MAX_BLOCKS = 50;
/** Members and entries of a block: 50 issues with all that an issue may name have fewer. */
const MAX_PARTS = 12_000;

/** Takes the actions out of a layer's reply: extract, parse, schema, role. Pure; never throws. */
export function parseReply(reply: string, layer: Pick<Layer, 'id' | 'may'>): ParsedReply {
  const parsed: ParsedReply = { blocks: 0, actions: [], ignored: [], dropped: [] };
  const blocks = jsonBlocks(reply);
  for (const { line, content } of blocks.slice(0, MAX_BLOCKS)) {
    parsed.blocks++;
    const ignore = (reason: string) => parsed.ignored.push({ line, reason });
    const members = membersOf(content);
    if (typeof members === 'string') {
      ignore(members);
      continue;
    }
    for (const [index, member] of members.entries()) {
      const place = members.length > 1 ? `action ${index + 1}: ` : '';
      const read = actionSchema.safeParse(renamed(member));
      if (!read.success) ignore(`${place}${whyNot(member, read.error)}`);
      else {
        const { data } = read;
        const reason = whyDropped(data, layer);
        const broken = data.action === 'create_issues' ? dependencyProblem(data.issues) : undefined;
        if (reason) parsed.dropped.push({ action: data.action, reason });
        else if (broken) ignore(`${place}create_issues: ${broken}`);
        else parsed.actions.push(data);
      }
    }
  }
  const beyond = blocks[MAX_BLOCKS];
  if (beyond)
    parsed.ignored.push({ line: beyond.line, reason: `only the first ${MAX_BLOCKS} blocks are read` });
  return parsed;
}

/** What a block holds, or the reason why it is ignored. */
function membersOf(content: string): unknown[] | string {
  if (partsIn(content) > MAX_PARTS) return `more than ${MAX_PARTS} members and entries`;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    return `not JSON: ${messageOf(error)}`;
  }
  const twice = repeatedKey(content);
  if (twice) return `the key "${twice.key.slice(0, 40)}" is there twice, and says two things`;
  const members: unknown[] = Array.isArray(value) ? value : [value];
  return members.length > MAX_BLOCKS ? `more than ${MAX_BLOCKS} actions in one list` : members;
}

/** Why the layer may not do this; undefined where it may. */
function whyDropped(action: Action, { id, may }: Pick<Layer, 'id' | 'may'>): string | undefined {
  if (!may.includes(action.action)) return `the ${layerName(id)} may not use ${action.action}`;
  if (action.action !== 'request_info' || action.target === 'ceo') return undefined;
  if (action.target === id) return `the ${layerName(id)} asks itself`;
  if (isAbove(action.target, id)) return undefined;
  return `the ${layerName(action.target)} stands below the ${layerName(id)}`;
}

/** The older name of `schedule` is accepted. */
function renamed(member: unknown): unknown {
  const old =
    member !== null &&
    typeof member === 'object' &&
    'action' in member &&
    member.action === 'invoke_cheenoski';
  return old ? { ...member, action: 'schedule' } : member;
}

function whyNot(member: unknown, error: z.ZodError): string {
  if (member === null || typeof member !== 'object' || !('action' in member))
    return 'no object with the key "action"';
  const first = error.issues[0];
  const place = first?.path.length ? ` at ${first.path.join('.')}` : '';
  return `${String(member.action).slice(0, 40)}${place}: ${first?.message ?? 'does not fit'}`;
}
