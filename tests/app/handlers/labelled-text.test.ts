// People who changed an issue's text since it was labelled, and permission to begin a run with it.
import { expect, test } from 'vitest';
import { whyNotThisText } from '../../../src/app/handlers/labelled-text.ts';
import { place } from '../github/place.ts';

/** The label was put on by wanda at second 100. mia may write too, tom triages, sam is a stranger. */
const trigger = { by: 'wanda', at: Date.UTC(2026, 0, 1, 0, 0, 100) };
const roles: Record<string, string> = { wanda: 'write', mia: 'maintain', tom: 'triage' };

interface Change {
  what: 'title' | 'body';
  by: string | null;
  second: number;
}
const title = (by: string | null, second: number): Change => ({ what: 'title', by, second });
const body = (by: string | null, second: number): Change => ({ what: 'body', by, second });
const dated = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** GitHub with these changes in its history, a hundred a page. */
const issueWith = (changes: Change[]) =>
  place((url, { variables }) => {
    const login = /collaborators\/([^/]+)\/permission/.exec(url.pathname)?.[1];
    if (login !== undefined) {
      const role = roles[login] ?? 'read';
      return { body: { permission: role, role_name: role } };
    }
    if (url.pathname.endsWith('/events')) {
      const all = changes.flatMap(({ what, by, second }, id) => {
        const actor = by === null ? null : { login: by, type: 'User' };
        return what === 'title' ? [{ id, event: 'renamed', created_at: dated(second), actor }] : [];
      });
      const page = Number(url.searchParams.get('page'));
      const last = new URL(url);
      last.searchParams.set('page', String(Math.max(1, Math.ceil(all.length / 100))));
      const headers = { link: `<${last}>; rel="last"` };
      return { body: all.slice((page - 1) * 100, page * 100), headers };
    }
    // The newest first, as GitHub lists them today; the text as first written is among them.
    const all = changes
      .flatMap(({ what, by, second }) => {
        const editor = by === null ? null : { __typename: 'User', login: by };
        return what === 'body' ? [{ editedAt: dated(second), editor }] : [];
      })
      .toReversed();
    const from = Number((variables as { after: string | null }).after ?? 0);
    const nodes = all.slice(from, from + 100);
    const pageInfo = { hasNextPage: from + 100 < all.length, endCursor: String(from + 100) };
    return { body: { data: { repository: { issue: { userContentEdits: { pageInfo, nodes } } } } } };
  });

const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

const of = (what: string, by: string) =>
  `the ${what} was changed by ${by}, who has no write access, after the label was put on. Read the issue again`;

test.each<[string, Change[], string | undefined]>([
  ['nothing', [], undefined],
  ['changes before the label', [body('sam', 20), title('sam', 40), body('sam', 99)], undefined],
  ['a new title by an outsider', [title('sam', 120)], of('title', 'sam')],
  ['a new description by an outsider', [body('sam', 20), body('sam', 120)], of('description', 'sam')],
  ['an outsider’s text, then a writer’s', [body('sam', 120), body('mia', 130)], of('description', 'sam')],
  ['an outsider’s title, then a writer’s', [title('sam', 120), title('mia', 130)], of('title', 'sam')],
  ['a title and back again', [title('sam', 120), title('sam', 121)], of('title', 'sam')],
  ['an outsider in the second of the label', [body('sam', 100)], of('description', 'sam')],
  ['an outsider’s title in the second of the label', [title('sam', 100)], of('title', 'sam')],
  ['who put the label on', [body('wanda', 120), title('wanda', 130)], undefined],
  ['somebody else with write access', [title('mia', 120), body('mia', 130)], undefined],
  ['somebody who may only triage', [title('tom', 120)], of('title', 'tom')],
  ['an account that is gone', [body(null, 120)], of('description', 'an account that is gone')],
  ['an account that is gone, the title', [title(null, 120)], of('title', 'an account that is gone')],
  [
    'a stranger, page after page of a writer’s edits later',
    [body('sam', 101), ...many(250, n => body('mia', 110 + n))],
    of('description', 'sam'),
  ],
  [
    'a stranger’s title, page after page of a writer’s titles later',
    [title('sam', 101), ...many(250, n => title('mia', 110 + n))],
    of('title', 'sam'),
  ],
])('%s', async (_what, changes, why) => {
  const { github } = issueWith(changes);
  expect(await whyNotThisText(github, 1, trigger)).toBe(why);
});

test('more changes than are read: not begun, and said', async () => {
  const { github } = issueWith(many(6000, n => title('mia', 110 + n)));
  expect(await whyNotThisText(github, 1, trigger)).toMatch(/^the history of #1: there are more than/);
});

test('each editor’s permission is asked for once', async () => {
  const { github, asked } = issueWith(many(30, n => body('mia', 110 + n)));
  await whyNotThisText(github, 1, trigger);
  expect(asked.filter(path => path.includes('/collaborators/'))).toHaveLength(1);
});
