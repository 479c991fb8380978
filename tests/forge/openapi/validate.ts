// Holds one HTTP exchange against GitHub's published description (extract.json): is this an answer GitHub gives?
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

interface Route {
  /** Status -> media type -> schema; a status without media types is an answer without a body. */
  answers: Record<string, Record<string, object>>;
  request?: object;
  /** Parameters that may hold slashes (`path`, `ref`). */
  multi?: string[];
}

interface Extract {
  routes: Record<string, Route>;
  schemas: Record<string, object>;
}

/** Differences of GitHub's real answers from its description. `route` may be `*`; `schema` null: any text. */
interface Deviation {
  route: string;
  status: number;
  mediaType?: string;
  schema: object | null;
  reason: string;
}

const named = (schema: string) => ({ $ref: `github#/schemas/${schema}` });

/** Known deviations of the description from api.github.com; every other difference is a violation. */
export const deviations: readonly Deviation[] = [
  ...[
    [400, 'a body that is no JSON is refused on every route that reads one ("Problems parsing JSON")'],
    [401, 'bad credentials are refused on every route; the description says so on few'],
    [403, 'missing permission and rate limits are answered on every route; the description says so on some'],
    [404, 'what the caller may not see is "Not Found" on every route; the description says so on most'],
    [429, 'secondary rate limits are answered on every route'],
  ].map(([status, reason]) => ({
    route: '*',
    status: Number(status),
    schema: named('basic-error'),
    reason: `${reason}`,
  })),
  {
    route: '*',
    status: 422,
    schema: named('validation-error'),
    reason: 'bad fields are refused on every route that reads a body',
  },
  {
    route: '*',
    status: 422,
    schema: named('validation-error-simple'),
    reason:
      'some refusals carry plain sentences instead of objects, also where the description has objects only',
  },
  ...[
    'POST /repos/{owner}/{repo}/actions/variables',
    'PATCH /repos/{owner}/{repo}/actions/variables/{name}',
  ].map(route => ({
    route,
    status: 409,
    schema: named('basic-error'),
    reason: 'a variable of the name is there; clients tell it by this status (gh variable set)',
  })),
  {
    route: 'GET /app/installations',
    status: 200,
    schema: { type: 'array', items: named('installation') },
    reason:
      'the description wants an account to be a user and an enterprise at once; it is either, as elsewhere',
  },
  {
    route: 'PUT /repos/{owner}/{repo}/contents/{path}',
    status: 409,
    schema: named('basic-error'),
    reason: 'the description wants exactly one of two forms, but every answer of the plain one fits both',
  },
  {
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    status: 200,
    mediaType: 'application/vnd.github.diff',
    schema: null,
    reason: 'documented in prose: the diff media type gives the diff as text',
  },
  {
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    status: 200,
    mediaType: 'application/vnd.github.patch',
    schema: null,
    reason: 'documented in prose: the patch media type gives the patch as text',
  },
  {
    route: 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
    status: 200,
    mediaType: 'application/vnd.github.raw',
    schema: null,
    reason: 'documented in prose: the raw media type gives the file itself',
  },
  {
    route: 'GET /repos/{owner}/{repo}/contents/{path}',
    status: 200,
    mediaType: 'application/vnd.github.raw',
    schema: null,
    reason: 'documented in prose: the raw media type gives the file itself',
  },
  {
    route: 'GET /repos/{owner}/{repo}/readme',
    status: 200,
    mediaType: 'application/vnd.github.raw',
    schema: null,
    reason: 'documented in prose: the raw media type gives the file itself',
  },
];

const extract: Extract = JSON.parse(readFileSync(join(import.meta.dirname, 'extract.json'), 'utf8'));
const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, logger: false });
addFormats.default(ajv);
ajv.addSchema(extract, 'github');
const compiled = new Map<string, ValidateFunction>();

/** The route of the description that a concrete call belongs to (`GET /repos/{owner}/{repo}`), or undefined. */
export function routeOf(method: string, path: string): string | undefined {
  const plain = path.split('?')[0] ?? path;
  return routes.find(({ name, pattern }) => name.startsWith(`${method} `) && pattern.test(plain))?.name;
}

/**
 * Violations of an answer, one sentence each, `<route> <status> <JSON pointer>: <what>`; empty when nothing is.
 * `path` has no `/api/v3` in front, its query is ignored; `body` is the parsed JSON, the text of another media type,
 * or undefined or '' for no body; `mediaType` is the answer's content type, parameters ignored.
 */
export function validateAnswer(
  method: string,
  path: string,
  status: number,
  body: unknown,
  mediaType = 'application/json',
): string[] {
  const name = routeOf(method.toUpperCase(), path);
  if (name === undefined) return [`${method} ${path}: GitHub's description has no such route`];
  const media = mediaType.split(';')[0]?.trim() ?? mediaType;
  const answer = extract.routes[name]?.answers[status];
  const known = deviations.filter(
    each =>
      (each.route === '*' || each.route === name) &&
      each.status === status &&
      (each.mediaType ?? media) === media,
  );
  const empty = body === undefined || body === '' || body === null;
  const declared = answer !== undefined && Object.keys(answer).length > 0;
  const schemas = known.map(({ schema }) => schema);
  if (declared && media in answer) schemas.unshift(part('routes', name, 'answers', `${status}`, media));
  else if (declared && media.endsWith('+json') && 'application/json' in answer)
    schemas.unshift(part('routes', name, 'answers', `${status}`, 'application/json'));
  if (answer !== undefined && !declared)
    return empty || schemas.length > 0 ? [] : [`${name} ${status} /: must have no body`];
  if (schemas.length === 0)
    return answer === undefined
      ? [
          `${name} ${status}: the description has no such status (it has ${Object.keys(extract.routes[name]!.answers)})`,
        ]
      : [`${name} ${status}: the description has no media type ${media} (it has ${Object.keys(answer)})`];
  const found = schemas.map(schema => (schema === null ? [] : violations(schema, body)));
  return found.some(list => list.length === 0)
    ? []
    : (found[0] ?? []).map(what => `${name} ${status} ${what}`);
}

/** Violations in a request's JSON body, as for answers; also a body for a route that takes none. */
export function validateRequest(method: string, path: string, body: unknown): string[] {
  const name = routeOf(method.toUpperCase(), path);
  if (name === undefined) return [`${method} ${path}: GitHub's description has no such route`];
  if (extract.routes[name]?.request === undefined)
    return body === undefined ? [] : [`${name}: the description has no request body`];
  if (body === undefined) return [];
  return violations(part('routes', name, 'request'), body).map(what => `${name} request ${what}`);
}

/** Routes with the most literal segments first, so that `issues/comments/1` is not taken for an issue's comments. */
const routes = Object.entries(extract.routes)
  .map(([name, { multi = [] }]) => {
    const segments = (name.split(' ')[1] ?? '').slice(1).split('/');
    const parts = segments.map((segment, at) => {
      const parameter = /^\{(.+)\}$/.exec(segment)?.[1];
      if (parameter === undefined) return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      // The last one may be empty: `contents/` is the root folder.
      return !multi.includes(parameter) ? '[^/]+' : at === segments.length - 1 ? '.*' : '.+';
    });
    return {
      name,
      literal: parts.filter(part => /^\w/.test(part)).length,
      pattern: new RegExp(`^/${parts.join('/')}$`),
    };
  })
  .sort((a, b) => b.literal - a.literal);

function violations(schema: object, body: unknown): string[] {
  const key = JSON.stringify(schema);
  let check = compiled.get(key);
  if (check === undefined) {
    check = ajv.compile(schema);
    compiled.set(key, check);
  }
  if (check(body)) return [];
  const found = (check.errors ?? []).map(({ instancePath, message = '', params, data }) => {
    const allowed = 'allowedValues' in params ? ` (${JSON.stringify(params['allowedValues'])})` : '';
    const got = JSON.stringify(data)?.slice(0, 60) ?? 'undefined';
    return `${instancePath || '/'}: ${message}${allowed}, got ${got}`;
  });
  return [...new Set(found)];
}

function part(...keys: string[]): object {
  const path = keys.map(key => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  return { $ref: `github#/${path}` };
}
