// GitHub's own command line reads the forge: `gh api`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../fixture.ts';
import { type Desk, ghMissing, openDesk } from './gh.ts';

describe.skipIf(ghMissing !== '')(`gh api${ghMissing}`, () => {
  let gh: Desk;
  beforeAll(async () => {
    gh = await openDesk();
    for (const title of ['First', 'Second', 'Third'])
      await gh.opened.as('olga').issues.create({ ...at, title });
    await gh.opened.as('olga').pulls.create({ ...at, title: 'Turn', head: 'feature', base: 'main' });
  });
  afterAll(() => gh[Symbol.asyncDispose]());

  const api = (...args: string[]) => gh.ok(['api', ...args]);

  test('reads the user', async () => {
    expect(await api('user', '--jq', '.login')).toBe('olga\n');
  });

  test('lists pull requests', async () => {
    const path = 'repos/olga/work/pulls';
    expect(await api(path, '--jq', '.[] | [.number, .title, .draft] | @tsv')).toBe('4\tTurn\tfalse\n');
  });

  test('follows the pages of a list', async () => {
    const path = 'repos/olga/work/issues?per_page=2';
    expect(await api(path, '--paginate', '--jq', '.[].title')).toBe('Turn\nThird\nSecond\nFirst\n');
  });

  test('follows the pages of GraphQL', async () => {
    const query = `query ($endCursor: String) { repository(owner: "olga", name: "work") {
      issues(first: 2, after: $endCursor) { nodes { title } pageInfo { hasNextPage endCursor } } } }`;
    const titles = '.data.repository.issues.nodes[].title';
    const asked = await api('graphql', '--paginate', '-f', `query=${query}`, '--jq', titles);
    expect(asked).toBe('First\nSecond\nThird\n');
  });

  test('creates an issue', async () => {
    const path = 'repos/olga/work/issues';
    const made = await api(path, '-f', 'title=Fourth', '-f', 'labels[]=bug', '--jq', '.labels[].name');
    expect(made).toBe('bug\n');
  });

  test('tells a refusal', async () => {
    expect(await gh.run(['api', 'user'], { token: 'ghp_nonsense' })).toMatchObject({
      stderr: 'gh: Bad credentials (HTTP 401)\n',
    });
    expect(await gh.run(['api', 'repos/olga/none'])).toMatchObject({ stderr: 'gh: Not Found (HTTP 404)\n' });
  });
});
