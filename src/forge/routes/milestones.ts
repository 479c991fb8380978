// Milestones of a repository.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { changeMilestone, deleteMilestone, openMilestone } from '../changes/milestones.ts';
import { checkLength, writeScopes } from '../changes/permitted.ts';
import { timestamp } from '../core.ts';
import { invalid, invalidField, notFound } from '../errors.ts';
import { pageOf } from '../page.ts';
import { labelJson } from '../render/issue.ts';
import { milestoneJson } from '../render/milestone.ts';
import { created, noContent, ok, parse, type RepositoryCall, type Route, read, write } from '../route.ts';
import {
  findMilestone,
  findMilestoneTitled,
  labelsOfMilestone,
  listMilestones,
  type Milestone,
} from '../store/milestones.ts';
import { readScopes } from './issue-input.ts';

const time = z
  .string()
  .refine(text => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)))
  .transform(text => timestamp(Date.parse(text)));
const change = z.object({
  title: z.string().optional(),
  state: z.enum(['open', 'closed']).optional(),
  description: z.string().nullish(),
  due_on: time.nullish(),
});
const newMilestone = change.required({ title: true });

function milestoneOf(call: RepositoryCall): Milestone {
  const milestone = findMilestone(call.core, call.repository.id, Number(call.params['milestone_number']));
  if (!milestone) throw notFound();
  return milestone;
}

const show = (call: RepositoryCall, milestone: Milestone) =>
  milestoneJson(call.core, call.repository, milestone);

/** GitHub's limit of a title, in characters. */
const longestTitle = 255;

function checkTexts(
  { core, repository }: RepositoryCall,
  { title, description }: z.infer<typeof change>,
  self?: Milestone,
): void {
  if (title?.trim() === '') throw invalidField('Milestone', 'title', 'missing_field');
  if (title !== undefined && title.length > longestTitle)
    throw invalid('Milestone', `title is too long (maximum is ${longestTitle} characters)`, 'title');
  const twin = title === undefined ? undefined : findMilestoneTitled(core, repository.id, title);
  if (twin && twin.id !== self?.id) throw invalidField('Milestone', 'title', 'already_exists');
  checkLength('Milestone', description, 'description');
}

const pushers: Need = { role: 'write', scopes: writeScopes };

export const milestoneRoutes: Route[] = [
  read('/milestones', readScopes, call => {
    const { core, repository, query } = call;
    const state = query.get('state') ?? 'open';
    const found = listMilestones(core, repository.id, {
      state: state === 'all' ? undefined : state === 'closed' ? 'closed' : 'open',
      by: query.get('sort') === 'completeness' ? 'completeness' : 'due_on',
      descending: query.get('direction') === 'desc',
    });
    return pageOf(
      call,
      found.map(milestone => show(call, milestone)),
    );
  }),
  write('POST', '/milestones', pushers, call => {
    const { core, by, repository } = call;
    const input = parse(call, 'Milestone', newMilestone);
    checkTexts(call, input);
    const { title, state = 'open', description = null, due_on = null } = input;
    return created(show(call, openMilestone(core, by, repository, { title, state, description, due_on })));
  }),
  read('/milestones/{milestone_number}', readScopes, call => ok(show(call, milestoneOf(call)))),
  write('PATCH', '/milestones/{milestone_number}', pushers, call => {
    const milestone = milestoneOf(call);
    const input = parse(call, 'Milestone', change);
    checkTexts(call, input, milestone);
    return ok(show(call, changeMilestone(call.core, call.by, milestone, input)));
  }),
  write('DELETE', '/milestones/{milestone_number}', pushers, call => {
    deleteMilestone(call.core, call.by, milestoneOf(call));
    return noContent();
  }),
  read('/milestones/{milestone_number}/labels', readScopes, call =>
    pageOf(
      call,
      labelsOfMilestone(call.core, milestoneOf(call).id).map(label =>
        labelJson(call.core, call.repository, label),
      ),
    ),
  ),
];
