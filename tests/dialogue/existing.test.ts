// The label on an issue that has open sub-issues, or a task list of issues: those are the plan, and no layer is asked for one.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { passes, plan, quietLeads, strategist, teamLead, toWork } from './script.ts';

interface Issue {
  id: number;
  number: number;
  title: string;
  body: string;
  labels: { name: string }[];
  pull_request?: object;
}

/** Files issues by sam, a stranger: text by title, below the directive. */
async function file(d: Dialogue, texts: Record<string, string>, isBelow = true): Promise<Issue[]> {
  const filed: Issue[] = [];
  for (const [title, body] of Object.entries(texts)) {
    const issue = await d.call<Issue>('sam', 'POST', '/issues', { title, body });
    if (isBelow) await d.call('you', 'POST', `/issues/${d.issue}/sub_issues`, { sub_issue_id: issue.id });
    filed.push(issue);
  }
  return filed;
}

const block = (d: Dialogue, issue: number, by: Issue | undefined) =>
  d.call('you', 'POST', `/issues/${issue}/dependencies/blocked_by`, { issue_id: by?.id });
const close = (d: Dialogue, issue: number) => d.call('you', 'PATCH', `/issues/${issue}`, { state: 'closed' });

const work = (title: string, name: string) => passes(`Title: "${title}"`, { [name]: `${title}\n` });

/** #2, #3 and #4, of which #3 waits for #2; listed. */
const openThree = playedOnce(
  { replies: [...work('Hang it', 'a.txt'), ...work('Light it', 'b.txt'), ...work('Dust', 'c.txt')] },
  async d => {
    const texts = { 'Hang it': 'On a hook.\n<!-- a template speaks -->', 'Light it': 'With oil.', Dust: '' };
    const [first] = await file(d, texts);
    await block(d, 3, first);
    await d.label();
  },
);

const issues = async (d: Dialogue) =>
  (await d.call<Issue[]>('you', 'GET', '/issues?state=all'))
    .filter(issue => !issue.pull_request)
    .map(({ number, title, body, labels }) => ({ number, title, body, labels }))
    .toReversed();
const pulls = async (d: Dialogue) =>
  (await d.call<Issue[]>('you', 'GET', '/pulls')).map(({ body }) => /Closes #\d+/.exec(body)?.[0]).sort();

test('listed with text and order, approved, and worked: nothing is created or changed, no layer asked', async () => {
  await using d = await openThree();
  const before = await issues(d);
  const said = await d.last();
  expect(said).toContain('### Approve? 3 issues');
  expect(said).toContain('**No layer was asked.**');
  expect(said).toContain('#### a1: take up 3 issues\n\n**1.** #2 · `Hang it` · about');
  expect(said).toContain('**2.** #3 · `Light it` · after no. 1 · about');
  expect(said).toContain('<summary>The text of no. 1</summary>\n\n```\nOn a hook.\n```\n');
  await d.comment('wanda', '/approve');
  await d.ended();
  expect(await issues(d)).toEqual(before);
  expect(await pulls(d)).toEqual(['Closes #2', 'Closes #3', 'Closes #4']);
  expect(d.events.filter(({ type }) => type === 'message')).toEqual([]);
});

test('edited or closed after the listing: the approval does not count, and what stands now is listed', async () => {
  await using d = await openThree();
  await d.call('sam', 'PATCH', '/issues/3', { body: 'With gas.' });
  expect(await d.reactions(await d.comment('wanda', '/approve'))).toContain('confused');
  expect(await d.last()).toContain('The approval does not count: the text of #3 was changed since.');
  expect(await d.last()).toContain('\nWith gas.\n');
  await close(d, 2);
  await d.comment('wanda', '/approve');
  expect(await d.last()).toContain('#2 cannot be worked as it was listed: it is closed.');
  expect(await d.last()).toContain('#2 is left out: it is closed.\n\n**No layer');
  // Nothing waits for it.
  expect(await d.last()).toContain('a1: take up 2 issues\n\n**2.** #3 · `Light it` · about');
  expect(await d.reactions(await d.comment('wanda', '/pause\n/approve'))).toEqual(['eyes', 'rocket']);
});

test('/drop and /add change the plan, /edit names the issue itself; another process creates nothing twice', async () => {
  await using d = await openThree();
  await d.comment('wanda', '/edit 3 Dust more');
  expect(await d.last()).toContain('no. 3 is #4: edit that issue itself');
  await d.comment('wanda', '/drop 3\n/add Sweep\nThe floor.');
  expect(await d.last()).toContain('a1: take up 2 issues, create 1 issue');
  await d.comment('wanda', '/pause\n/approve');
  await d.restart();
  const titles = (await issues(d)).map(({ title }) => title);
  expect(titles).toEqual(['Tidy the shelf', 'Hang it', 'Light it', 'Dust', 'Sweep']);
});

test('what a run before has made is no plan: the layers are asked again', async () => {
  const replies = [...toWork({ title: 'Dust' }), ...work('Dust', 'dust.txt')];
  await using d = await openDialogue({ config: 'approval: none\n', replies });
  await d.run();
  await d.relabel();
  expect(await d.story()).not.toContain('**No layer was asked.**');
});

test('rejected: the layers plan instead', async () => {
  const one = { ...strategist('One.', plan('One.')), when: 'take up 3 issues: too many' };
  await using d = await openThree({ replies: [one, ...quietLeads.slice(1), teamLead('Nothing.')] });
  await d.comment('wanda', '/reject too many');
  const asked = d.events.flatMap(event => (event.type === 'message' ? [event.layer] : []));
  expect(asked).toEqual(['2ic', 'eng-lead', 'team-lead']);
});

test('what is said and done on such an issue reaches its run', async () => {
  await using d = await openThree();
  await d.comment('wanda', '/pause\n/approve');
  // As on GitHub Actions, where no process knows of runs.
  for (const { views } of d.local.installations.repositories()) views.clear();
  await d.comment('rita', '/status', 4);
  expect(await d.last(4)).toContain('#1');
  await close(d, 4);
  await d.settled();
  expect((await d.board()).body).toContain('#4 Dust | cancelled');
});

test('a task list of issues, where there are no sub-issues: its open items, and none that is hidden', async () => {
  const body =
    '<!--\n- [ ] #99\n-->\n- [x] #2\n- [ ] https://github.com/you/shelf/issues/3\n* [ ] #4 first\n\n```\n- [ ] #98\n```';
  await using d = await openDialogue({
    ...{ replies: work('Dust', 'dust.txt'), issue: { title: 'Tidy', body } },
  });
  await file(d, { Wash: 'Done.', Dust: 'All of it.', Sweep: 'The floor.' }, false);
  await d.label();
  await d.comment('wanda', '/approve without 2');
  await d.ended();
  expect(await pulls(d)).toEqual(['Closes #3']);
});

const circle = { 2: 4, 4: 3, 3: 2 };
test.for<[config: string, tasks: string, blocks: object, said: string]>([
  ['', '', circle, 'not begin: the dependencies form a cycle: #2 -> #4 -> #3 -> #2.'],
  ['limits: { issues: 2 }\n', '', {}, 'not begin: 3 open issues are its plan, and a run may work 2 ('],
  ['', '- [ ] #99', {}, 'not begin: its task list names #99, which is no other issue.'],
  ['', '- [ ] you/other#1', {}, 'not begin: you/other#1 is an issue of another repository.'],
  ['dry_run: true\n', '', {}, 'Dry run: #2, #3, #4 would be taken up.'],
])('nothing is listed: %j %s %j', async ([config, body, blocks, said]) => {
  await using d = await openDialogue({ config, issue: { title: 'Tidy', body } });
  const filed = body === '' ? await file(d, { One: '1', Two: '2', Three: '3' }) : [];
  for (const [issue, by] of Object.entries(blocks)) await block(d, Number(issue), filed[by - 2]);
  await d.label();
  expect(await d.last()).toContain(said);
});
