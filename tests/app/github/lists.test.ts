// Lists of a real repository and of one that answers what a test says, each read to its end.
import { expect, test } from 'vitest';
import { place } from './place.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** REST: a page of `all`, with the Link header that names the last one. */
function pageOf(url: URL, all: unknown[]) {
  const size = Number(url.searchParams.get('per_page') ?? 30);
  const page = Number(url.searchParams.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = new URL(url);
  link.searchParams.set('page', String(last));
  return {
    body: all.slice((page - 1) * size, page * size),
    headers: page < last ? { link: `<${link}>; rel="last"` } : {},
  };
}

const issue = (number: number) => ({
  number,
  id: number,
  body: `text ${number}`,
  user: { login: 'echelon[bot]' },
  updated_at: '2026-01-01T00:00:00Z',
  ...{ labels: [], repository_url: 'https://api.github.com/repos/you/shelf' },
});

test('open issues with the label: all of them, the oldest first', async () => {
  const { github, asked } = place(url => pageOf(url, range(250).map(issue)));
  const { issues, more } = await github.labelled('echelon');
  expect(issues.map(({ number }) => number)).toEqual(range(250));
  expect(more).toBe(false);
  expect(github.sent.read).toBe(3);
  expect(asked[0]).toContain('direction=asc');
});

test('open issues with the label, more than anybody needs: the oldest thousand, and that there are more', async () => {
  const { github } = place(url => pageOf(url, range(3000).map(issue)));
  const { issues, more } = await github.labelled('echelon');
  expect(issues.map(({ number }) => number)).toEqual(range(1000));
  expect(more).toBe(true);
  expect(github.sent.read).toBe(10);
});

test('issues by the bot itself: all of them', async () => {
  const { github, asked } = place(url => pageOf(url, range(101).map(issue)));
  expect((await github.ownIssues(60_000)).map(({ number }) => number)).toEqual(range(101));
  // GitHub's clock may be behind this one.
  expect(decodeURIComponent(asked[0]!)).toContain('since=1970-01-01T00:00:00.000Z');
});

test('a sub-issue that is one already is found on the second page', async () => {
  const { github } = place(url =>
    url.search === '' ? { status: 422, body: { message: 'duplicate' } } : pageOf(url, range(120).map(issue)),
  );
  await expect(github.addSubIssue(1, 120)).resolves.toBeUndefined();
});

interface Labelled {
  id: number;
  event: string;
  created_at: string;
  label?: { name: string };
  actor: { login: string; type: string } | null;
}
const labelled = (id: number, by: string, type = 'User', name = 'echelon'): Labelled => ({
  ...{ id, event: 'labeled', created_at: '2026-01-01T00:00:00Z' },
  ...{ label: { name }, actor: { login: by, type } },
});
const renamed = (id: number): Labelled => ({
  ...{ id, event: 'renamed', created_at: '2026-01-01T00:00:00Z' },
  ...{ actor: { login: 'sam', type: 'User' } },
});

test.each<[string, Labelled[], { id: number; by: string } | undefined]>([
  ['a person', [labelled(1, 'wanda')], { id: 1, by: 'wanda' }],
  ['nobody', [], undefined],
  ['a person, with another label', [labelled(1, 'wanda', 'User', 'bug')], undefined],
  ['a bot', [labelled(1, 'helper[bot]', 'Bot')], undefined],
  ['an organisation', [labelled(1, 'acme', 'Organization')], undefined],
  ['a kind of account that is not known', [labelled(1, 'x', 'Mannequin')], undefined],
  ['an account that is gone', [{ ...labelled(1, 'x'), actor: null }], undefined],
  ['a person, and a bot after them', [labelled(1, 'wanda'), labelled(2, 'helper[bot]', 'Bot')], undefined],
  [
    'a bot, and a person after it',
    [labelled(1, 'helper[bot]', 'Bot'), labelled(2, 'wanda')],
    { id: 2, by: 'wanda' },
  ],
  [
    'two persons, page after page of other events between',
    [labelled(1, 'wanda'), ...range(450).map(n => renamed(n + 1)), labelled(900, 'mia'), renamed(901)],
    { id: 900, by: 'mia' },
  ],
])('the label was put on by %s', async (_what, events, found) => {
  const { github } = place(url => pageOf(url, events));
  const answer = await github.labelling(1, 'echelon');
  expect(answer && { id: answer.id, by: answer.by }).toEqual(found);
});

test('the newest labelling of a long history costs two calls', async () => {
  const events = [labelled(1, 'wanda'), ...range(1500).map(n => renamed(n + 1)), labelled(2000, 'mia')];
  const { github } = place(url => pageOf(url, events));
  expect(await github.labelling(1, 'echelon')).toMatchObject({ by: 'mia' });
  expect(github.sent.read).toBe(2);
});

test('a labelling that is buried under thousands of events is not looked for without end', async () => {
  const events = [labelled(1, 'wanda'), ...range(9000).map(n => renamed(n + 1))];
  const { github } = place(url => pageOf(url, events));
  await expect(github.labelling(1, 'echelon')).rejects.toThrow('the history of #1');
  expect(github.sent.read).toBeLessThan(60);
});

test('revisions of a comment: all of them, whatever their order', async () => {
  const when = (n: number) => new Date(Date.UTC(2026, 0, 1) + ((n * 7) % 230) * 1000).toISOString();
  const nodes = range(230).map(n => ({ diff: `text ${(n * 7) % 230}`, editedAt: when(n), editor: null }));
  const { github } = place((_url, { variables }) => {
    const from = Number((variables as { after?: string }).after ?? 0);
    const size = 50;
    const window = nodes.slice(from, from + size);
    const pageInfo = { hasNextPage: from + size < nodes.length, endCursor: String(from + size) };
    return { body: { data: { node: { userContentEdits: { pageInfo, nodes: window } } } } };
  });
  const revisions = await github.revisions({ node: 'IC_1' });
  expect(revisions.map(({ body }) => body)).toEqual(range(230).map(n => `text ${230 - n}`));
  expect(github.sent.read).toBe(5);
});
