// Changes by a person to a request that waits for approval, without a model call.
import { z } from 'zod';
import type { CommandSignal } from '../commands/table.ts';
import { code } from '../comments/neutral.ts';
import type { Listed } from './context.ts';
import { type IssuePlan, issueSchema } from './issue-plan.ts';
import { issuesIn } from './places.ts';

/** Commands that change the request. */
export const changes = ['drop', 'edit', 'add'] as const;
export type Change = CommandSignal<(typeof changes)[number]>;

const byHand = z.object({
  title: issueSchema.shape.title.exactOptional(),
  body: issueSchema.shape.body.exactOptional(),
});

/**
 * The undecided actions after a change, and the sentence above the next listing; or a clause why it cannot be. The layers'
 * own plans change, so that whoever is shown them sees the person's. `room`: for so many issues more.
 */
export function changed(
  actions: readonly Listed[],
  { name, value }: Change,
  room: number,
): { actions: readonly Listed[]; said: string } | string {
  const how = ` by ${code(value.by)}.`;
  if (name === 'drop') {
    const left = without(actions, value.places);
    return typeof left === 'string' ? left : { actions: left, said: `${named(value.places)} left out${how}` };
  }
  const { data, error } = byHand.safeParse(value);
  if (!data) return error.issues.map(({ path, message }) => `the ${path.join('.')} ${message}`).join('; ');
  if (name === 'edit') {
    const open = openIssues(actions);
    const found = open.get(value.place);
    if (!found) return waitsNot([value.place], open);
    if (found.plan.existing !== undefined)
      return `${named([value.place])} is #${found.plan.existing}: edit that issue itself, and its new text is listed before it is worked`;
    Object.assign(found.plan, data);
    return { actions: marked(actions, found), said: `${named([value.place])} changed${how}` };
  }
  const last = actions.find(({ grows }) => grows);
  if (last?.action.action !== 'create_issues')
    return 'no issues wait for a decision that it could be added to';
  if (room < 1) return 'this run may create no more issues';
  const { title = '', body = '' } = data;
  const place = last.before + last.action.issues.push({ title, body });
  for (const { action } of actions) if (action.action === 'schedule') action.issues?.push(place);
  return { actions: marked(actions, last), said: `${named([place])} added${how}` };
}

const marked = (actions: readonly Listed[], { id }: Listed): Listed[] =>
  actions.map(each => (each.id === id ? { ...each, byHand: true } : each));

/** The actions without the issues at these places, on which none that stays may depend; or a clause why it cannot be. */
export function without(actions: readonly Listed[], places: readonly number[]): Listed[] | string {
  if (places.length === 0) return [...actions];
  const open = openIssues(actions);
  const unknown = places.filter(place => !open.has(place));
  if (unknown.length > 0) return waitsNot(unknown, open);
  const gone = new Set(places);
  const needing = new Set<number>();
  for (const [place, { plan, before }] of open)
    for (const on of plan.depends_on ?? [])
      if (typeof on === 'number' && gone.has(before + on) && !gone.has(place)) needing.add(place);
  if (needing.size > 0) {
    const all = [...places, ...needing].join(' ');
    return `${named([...needing])} needs ${named(places)}: /drop ${all} leaves all of it out`;
  }
  const left: Listed[] = [];
  for (const each of actions) {
    const { id, action, before } = each;
    if (action.action === 'create_issues') {
      const done = new Map(each.done);
      for (const place of places) if (open.get(place)?.id === id) done.set(place - before, null);
      if (done.size === action.issues.length)
        return `nothing would be left of ${id}: /reject ${id} with the reason tells the layer, /cancel ends the run`;
      left.push({ ...each, done, byHand: true });
    } else if (action.action === 'schedule' && action.issues) {
      const issues = action.issues.filter(issue => typeof issue !== 'number' || !gone.has(issue));
      if (issues.length > 0) left.push({ ...each, action: { ...action, issues } });
    } else left.push(each);
  }
  return left;
}

const waitsNot = (places: readonly number[], open: ReadonlyMap<number, unknown>) =>
  `${named(places)} does not wait for a decision; what does: ${open.size > 0 ? named([...open.keys()]) : 'no issue'}`;

/** Issues that would be created, by their places. */
function openIssues(actions: readonly Listed[]): Map<number, Listed & { plan: IssuePlan }> {
  const open = new Map<number, Listed & { plan: IssuePlan }>();
  for (const each of actions)
    for (const [at, plan] of issuesIn(each).entries())
      if (!each.done.has(at + 1)) open.set(each.before + at + 1, { ...each, plan });
  return open;
}

const named = (places: readonly number[]): string => `no. ${places.join(', no. ')}`;
