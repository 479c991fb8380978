// The validator itself: it finds the route, and it finds what is wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routeOf, validateAnswer, validateRequest } from './validate.ts';

const R = '/repos/{owner}/{repo}';

test.each([
  ['/repos/o/r/issues/comments/5/reactions', `${R}/issues/comments/{comment_id}/reactions`],
  ['/repos/o/r/issues/5/comments?page=2', `${R}/issues/{issue_number}/comments`],
  ['/repos/o/r/git/ref/heads/a/b', `${R}/git/ref/{ref}`],
  ['/repos/o/r/commits/a/b/check-runs', `${R}/commits/{ref}/check-runs`],
  ['/repos/o/r/commits/a/b', `${R}/commits/{ref}`],
  ['/repos/o/r/contents/', `${R}/contents/{path}`],
  ['/repos/o/r/contents/a/b.md', `${R}/contents/{path}`],
])('GET %s is %s', (path, template) => {
  expect(routeOf('GET', path)).toBe(`GET ${template}`);
});

const label = {
  id: 1,
  node_id: 'LA_1',
  url: 'http://a.test/labels/bug',
  name: 'bug',
  description: null,
  color: 'd73a4a',
  default: true,
};
const error = { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' };
const at = '/repos/o/r/labels/bug';
const named = `GET ${R}/labels/{name}`;

test.each<[what: string, args: Parameters<typeof validateAnswer>, violations: string[]]>([
  ['a right answer', ['GET', at, 200, label], []],
  ['a right refusal', ['GET', at, 404, error], []],
  ['a refusal that the description leaves out', ['GET', at, 401, error], []],
  ['an answer without a body', ['DELETE', at, 204, ''], []],
  [
    'a diff',
    ['GET', '/repos/o/r/pulls/1', 200, 'diff --git', 'application/vnd.github.diff; charset=utf-8'],
    [],
  ],
  ['a wrong type', ['GET', at, 200, { ...label, color: 5 }], [`${named} 200 /color: must be string, got 5`]],
  [
    'a missing field',
    ['GET', at, 200, { ...label, node_id: undefined }],
    [
      `${named} 200 /: must have required property 'node_id', got {"id":1,"url":"http://a.test/labels/bug","name":"bug","descr`,
    ],
  ],
  [
    'a value outside its enumeration',
    [
      'POST',
      '/repos/o/r/issues/comments/1/reactions',
      201,
      { id: 1, node_id: 'a', user: null, content: 'ok', created_at: '2026-01-01T00:00:00Z' },
    ],
    [
      `POST ${R}/issues/comments/{comment_id}/reactions 201 /content: must be equal to one of the allowed values (["+1","-1","laugh","confused","heart","hooray","rocket","eyes"]), got "ok"`,
    ],
  ],
  [
    'a route that GitHub lacks',
    ['GET', '/repos/o/r/nonsense', 200, {}],
    ["GET /repos/o/r/nonsense: GitHub's description has no such route"],
  ],
  [
    'a status that the route lacks',
    ['DELETE', at, 200, ''],
    [`DELETE ${R}/labels/{name} 200: the description has no such status (it has 204)`],
  ],
  [
    'a body where there must be none',
    ['DELETE', at, 204, 'gone'],
    [`DELETE ${R}/labels/{name} 204 /: must have no body`],
  ],
  [
    'a media type that the route lacks',
    ['GET', at, 200, '<p>', 'text/html'],
    [`${named} 200: the description has no media type text/html (it has application/json)`],
  ],
])('%s', (_what, args, violations) => {
  expect(validateAnswer(...args)).toEqual(violations);
});

test('a request is held against the description too', () => {
  const path = '/repos/o/r/labels';
  expect(validateRequest('POST', path, { name: 'bug' })).toEqual([]);
  expect(validateRequest('POST', path, { name: 1 })).toEqual([
    `POST ${R}/labels request /name: must be string, got 1`,
  ]);
});

test('the extract is structure only', () => {
  const text = readFileSync(join(import.meta.dirname, 'extract.json'), 'utf8');
  const extract: { routes: object; schemas: Record<string, unknown> } = JSON.parse(text);
  const structure = JSON.stringify([extract.routes, extract.schemas]);
  // Prose is a string; a property of one of these names would be a schema.
  expect(
    /"(title|summary|description|example|operationId)":"|"(externalDocs|x-[\w-]+)":/.exec(structure),
  ).toBeNull();
  for (const [, name = ''] of text.matchAll(/"#\/schemas\/([^"]+)"/g))
    expect(extract.schemas).toHaveProperty([name]);
  expect(text.length).toBeLessThan(700_000);
});
