// Parts of the story: each calls the routes of one thing, refusals included.
import type { Story } from './story.ts';

/** Who and what the story is about; olga owns the repository, sam may only read it. */
export interface Cast {
  /** `/repos/olga/work`. */
  R: string;
  /** Tokens: the app itself, its installation, sam. */
  jwt: string;
  bot: string;
  stranger: string;
  installation: number;
}

/** Milestones, and an issue under one. */
export async function milestones(story: Story, { R, bot, stranger }: Cast): Promise<void> {
  const body = { title: 'One', description: 'First', due_on: '2030-01-01T00:00:00Z' };
  const made = await story.call(201, 'POST', `${R}/milestones`, { body });
  await story.call(422, 'POST', `${R}/milestones`, { body });
  await story.call(422, 'POST', `${R}/milestones`, { body: {}, wrong: true });
  await story.call(201, 'POST', `${R}/milestones`, { body: { title: 'Of a bot' }, as: bot });
  await story.call(403, 'POST', `${R}/milestones`, { body: { title: 'Mine' }, as: stranger });
  const milestone = `${R}/milestones/${made.at('number')}`;
  await story.call(200, 'PATCH', milestone, { body: { state: 'closed' } });
  await story.call(422, 'PATCH', milestone, { body: { state: 'lost' }, wrong: true });
  await story.call(200, 'GET', milestone);
  await story.call(404, 'GET', `${R}/milestones/99`);
  await story.call(200, 'GET', `${R}/milestones?state=all&sort=completeness&direction=desc`);
  const planned = { title: 'Planned', labels: ['bug'], milestone: made.at('number') };
  const issue = await story.call(201, 'POST', `${R}/issues`, { body: planned });
  await story.call(422, 'POST', `${R}/issues`, { body: { title: 'Unplanned', milestone: 99 } });
  await story.call(200, 'GET', `${milestone}/labels`);
  await story.call(200, 'GET', `${R}/issues?milestone=${made.at('number')}&state=all`);
  await story.call(422, 'GET', `${R}/issues?milestone=99`);
  await story.call(200, 'PATCH', `${R}/issues/${issue.at('number')}`, { body: { milestone: null } });
  await story.call(200, 'GET', `${R}/issues/${issue.at('number')}/timeline`);
  await story.call(204, 'DELETE', milestone);
  await story.call(404, 'DELETE', milestone);
}
