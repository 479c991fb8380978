// The issues that the engineering lead drafts, which do nothing, and how the team lead takes them over by number.
import { z } from 'zod';
import { canonical } from '@echelon/ground';
import { type DraftUse, draftFields } from '../comments/layer-reply.ts';
import { layerName } from '../layers.ts';
import { type Action, dependencyProblem, type IssuePlan, issueSchema, text } from './issue-plan.ts';
import { byPlace } from './places.ts';

/** Drafts, counted from 1, and the team lead's decision on each. */
export type Drafts = ReturnType<typeof draftsOf>;

/** Decision on one draft; `by`: the action that takes it. */
export type Said = DraftUse & { by?: Action };

export const draftsOf = (list: readonly IssuePlan[] = []) => ({ list, said: new Map() });

/** Revokes decisions on drafts: they may be taken again, and need not be. */
export function releaseDrafts({ said }: Drafts, isWithdrawn: (by: Action) => boolean): void {
  for (const [number, { by }] of said) if (by && isWithdrawn(by)) said.set(number, { left: 'withdrawn' });
}

const draftList = z.strictObject({ draft: z.array(issueSchema).min(1).max(50) });

/** True if a member of a block is meant to list drafts. */
export const isDraftList = (member: unknown): boolean => has(member, 'draft') && !has(member, 'action');

const has = (value: unknown, key: string): value is object =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);

/** The drafts that a member of a block lists, or why it lists none. */
export function readDrafts(member: unknown): IssuePlan[] | string {
  const { data, error } = draftList.safeParse(member);
  if (data) {
    const problem = dependencyProblem(data.draft);
    return problem === undefined ? data.draft : `draft: ${problem}`;
  }
  const { path = [], message = '' } = error.issues[0] ?? {};
  const [, index, ...field] = path;
  if (typeof index !== 'number') return `draft: ${message}`;
  return `draft ${index + 1}${field.length > 0 ? ` at ${field.join('.')}` : ''}: ${message}`;
}

const draft = z.int().min(1);
/** Fields beside them replace the draft's, and are read as those of any issue. */
const taken = z.looseObject({
  draft,
  replace: z
    .array(z.strictObject({ old: z.string().min(1), new: z.string() }))
    .max(50)
    .optional(),
});
type Taken = z.infer<typeof taken>;
const leaving = z.looseObject({
  left_out: z
    .array(z.strictObject({ draft, why: text.max(500) }))
    .max(50)
    .optional(),
});

/** A `create_issues` with its drafts written out. */
export interface WrittenOut {
  /** Undefined: it creates nothing, and only leaves drafts out. */
  member: unknown;
  /** By place in its list (from 0): the draft that is taken there, as it would be without a change. */
  inherited: ReadonlyMap<number, Inherited>;
  left: ReadonlyMap<number, Said>;
}

interface Inherited {
  draft: number;
  plan: IssuePlan;
}

/** Reason that a `create_issues` cannot be written out, a clause for the model. */
class Misfit extends Error {}

/** Writes out what a `create_issues` takes over by number, or says why that cannot be. `said`: so far, of each draft. */
export function writeOut(
  member: unknown,
  list: readonly IssuePlan[],
  said: ReadonlyMap<number, Said>,
): WrittenOut | string {
  try {
    const { left_out: leftOut = [], ...rest } = fitting(leaving, member, []);
    const issues = Array.isArray(rest['issues']) ? (rest['issues'] as unknown[]) : [];
    const takes = takesIn(issues, list);
    const spoken = new Set([...said].flatMap(([number, use]) => ('taken' in use ? number : [])));
    for (const { draft } of takes.values()) {
      if (spoken.has(draft)) throw new Misfit(`draft ${draft} is taken twice`);
      spoken.add(draft);
    }
    for (const { draft } of leftOut) {
      drafted(draft, list);
      if (spoken.has(draft)) throw new Misfit(`draft ${draft} is both taken and left out`);
    }
    const left = new Map(leftOut.map(({ draft, why }) => [draft, { left: why }]));
    if (left.size > 0 && issues.length === 0) return { member: undefined, inherited: new Map(), left };
    return { ...withDrafts(rest, { issues, takes, list }), left };
  } catch (error) {
    if (error instanceof Misfit) return error.message;
    throw error;
  }
}

/** Drafts that a list takes over, by place (from 0). */
function takesIn(issues: readonly unknown[], list: readonly IssuePlan[]): Map<number, Taken> {
  const takes = new Map<number, Taken>();
  for (const [index, issue] of issues.entries()) {
    if (!has(issue, 'draft')) continue;
    const read = fitting(taken, issue, ['issues', index]);
    drafted(read.draft, list);
    takes.set(index, read);
  }
  return takes;
}

/** Every draft in its place, changed as is said beside its number. */
function withDrafts(
  rest: object,
  given: { issues: readonly unknown[]; takes: ReadonlyMap<number, Taken>; list: readonly IssuePlan[] },
): Pick<WrittenOut, 'member' | 'inherited'> {
  const placeOf = new Map(Array.from(given.takes, ([index, { draft }]) => [draft, index + 1]));
  const inherited = new Map<number, Inherited>();
  const issues = [...given.issues];
  for (const [index, { draft, replace = [], ...changes }] of given.takes) {
    const plan = { ...drafted(draft, given.list) };
    // A replaced text has numbers of its own.
    if (replace.length === 0) plan.body = byPlace(plan.body, placeOf);
    if (plan.depends_on && !('depends_on' in changes))
      plan.depends_on = plan.depends_on.map(on => {
        const place = typeof on === 'number' ? placeOf.get(on) : on;
        if (place !== undefined) return place;
        throw new Misfit(
          `issue ${index + 1} (draft ${draft}) depends on draft ${on}, which this list does not take: give it a depends_on of its own`,
        );
      });
    if (replace.length > 0 && 'body' in changes)
      throw new Misfit(`draft ${draft} has both a body and parts to replace`);
    const body = replace.reduce((text, each) => replaced(text, each, draft), plan.body);
    inherited.set(index, { draft, plan });
    issues[index] = { ...plan, body, ...changes };
  }
  return { member: { ...rest, issues }, inherited };
}

function drafted(number: number, list: readonly IssuePlan[]): IssuePlan {
  const found = list[number - 1];
  if (found) return found;
  throw new Misfit(
    `there is no draft ${number}${list.length > 0 ? `, only 1 to ${list.length}` : `: the ${layerName('eng-lead')} has drafted nothing`}`,
  );
}

/** A body with one of its parts mended, which must be there exactly once: else it is not known which is meant. */
function replaced(body: string, part: { old: string; new: string }, draft: number): string {
  const [before, after, ...more] = body.split(part.old);
  if (before !== undefined && after !== undefined && more.length === 0) return before + part.new + after;
  const shown = JSON.stringify(part.old.slice(0, 60));
  throw new Misfit(
    `draft ${draft}: ${shown} is ${after === undefined ? 'not in its body' : 'in its body more than once'}`,
  );
}

function fitting<Of extends z.ZodType>(schema: Of, value: unknown, at: readonly PropertyKey[]): z.infer<Of> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw new Misfit(`at ${[...at, ...(first?.path ?? [])].join('.')}: ${first?.message ?? 'does not fit'}`);
}

/** An action's decisions on drafts, now that its issues are read. */
export function saidBy(action: Action | undefined, { inherited, left }: WrittenOut): Map<number, Said> {
  const issues = action?.action === 'create_issues' ? action.issues : [];
  const said = new Map(left);
  for (const [index, { draft, plan }] of inherited) {
    const issue = issues[index];
    const changed = draftFields.filter(field => canonical(issue?.[field]) !== canonical(plan[field]));
    said.set(draft, { taken: changed, ...(action && { by: action }) });
  }
  return said;
}

/** The drafts as the next layers read them. */
export function shownDrafts(list: readonly IssuePlan[]): string {
  return list
    .map((plan, index) => {
      const { title, body, ...rest } = plan;
      return `### Draft ${index + 1}: ${title}\n${canonical(rest)}\n\n${body}`;
    })
    .join('\n\n');
}
