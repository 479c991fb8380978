// Parts of the story: each calls the routes of one thing, refusals included.
import type { Story } from './story.ts';

/** People and repository of the story; olga owns the repository, sam may only read it. */
export interface Cast {
  /** `/repos/olga/work`. */
  R: string;
  /** Tokens: the app itself, its installation, sam. */
  jwt: string;
  bot: string;
  stranger: string;
  installation: number;
}

/** Settings of a repository. */
export async function about(story: Story, { R, stranger }: Cast): Promise<void> {
  await story.call(200, 'PATCH', R, { body: { description: 'Sums', homepage: 'https://sum.example/' } });
  await story.call(422, 'PATCH', R, { body: { default_branch: 'none' } });
  await story.call(422, 'PATCH', R, { body: { private: 'no' }, wrong: true });
  await story.call(403, 'PATCH', R, { body: { description: 'Mine' }, as: stranger });
}

/** The search of issues. */
export async function search(story: Story, { stranger }: Cast): Promise<void> {
  await story.call(200, 'GET', '/search/issues?q=repo:olga/work+is:issue&per_page=1&sort=updated');
  await story.call(200, 'GET', '/search/issues?q=is:pr', { as: stranger });
  await story.call(200, 'GET', '/search/issues?q=is:open', { as: null });
  await story.call(422, 'GET', '/search/issues?q=repo:olga/none');
  await story.call(422, 'GET', '/search/issues');
}

/** A commit made object by object: blob, tree, commit. */
export async function gitData(story: Story, { R, stranger }: Cast): Promise<void> {
  const body = { content: 'bmV3', encoding: 'base64' };
  const sha = (await story.call(201, 'POST', `${R}/git/blobs`, { body })).at('sha');
  await story.call(422, 'POST', `${R}/git/blobs`, { body: { content: 1 }, wrong: true });
  await story.call(403, 'POST', `${R}/git/blobs`, { body, as: stranger });
  const entry = { path: 'a/b.txt', mode: '100644', type: 'blob', sha };
  const base = (await story.call(200, 'GET', `${R}/git/ref/heads/main`)).at('object', 'sha');
  const made = await story.call(201, 'POST', `${R}/git/trees`, { body: { base_tree: base, tree: [entry] } });
  await story.call(422, 'POST', `${R}/git/trees`, { body: { tree: [{ ...entry, path: '../x' }] } });
  await story.call(422, 'POST', `${R}/git/trees`, { body: { tree: [] } });
  const author = { name: 'Eve', email: 'eve@example.com', date: '2020-01-01T00:00:00Z' };
  const commit = { message: 'Made', tree: made.at('sha'), parents: [base], author };
  await story.call(201, 'POST', `${R}/git/commits`, { body: commit });
}
