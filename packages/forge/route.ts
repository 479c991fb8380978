// Routes of the REST API: a method and a path template in the words of GitHub's description, and what to do.
import type { z } from 'zod';
import { actor, authorize, type Identity, type Need } from './auth.ts';
import type { By } from './emit.ts';
import type { Core } from './core.ts';
import { ApiError, type FieldError, found } from './errors.ts';
import { repositoryFolder } from './repositories/git.ts';
import { findRepository, type Repository, type Role } from './repositories/repository-rows.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Answer {
  status: number;
  /** An object for JSON, a string or bytes as they are, undefined for no body. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Call {
  core: Core;
  identity: Identity;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Address of this call without its query, as the caller wrote it: the base of Link headers. */
  url: string;
  accept: string;
  /** The parsed body; an empty object when there was none. */
  json: unknown;
}

export interface RepositoryCall extends Call {
  repository: Repository;
  /** Folder of the bare repository. */
  folder: string;
  /** The caller's role; see `authorize`. */
  role: Role;
}

export interface WriteCall extends RepositoryCall {
  by: By;
}

export interface Route {
  method: Method;
  template: string;
  /** Permissions of an app, as `issues:write`: any one of them is enough. */
  scopes: readonly string[];
  run(call: Call): Answer | Promise<Answer>;
}

export const route = (
  method: Method,
  template: string,
  run: Route['run'],
  scopes: readonly string[] = [],
): Route => ({ method, template, scopes, run });

function enter(call: Call, need: Need): RepositoryCall {
  const repository = found(findRepository(call.core, call.params['owner'] ?? '', call.params['repo'] ?? ''));
  const role = authorize(call.core, call.identity, repository, need);
  return { ...call, repository, role, folder: repositoryFolder(call.core, repository) };
}

/** A GET below /repos/{owner}/{repo}; `scopes` as in Need. */
export const read = (
  path: string,
  scopes: string[],
  run: (call: RepositoryCall) => Answer | Promise<Answer>,
): Route =>
  route('GET', `/repos/{owner}/{repo}${path}`, call => run(enter(call, { role: 'read', scopes })), scopes);

/** A GET below /repos/{owner}/{repo} that takes more than reading the repository. */
export const readBy = (
  need: Need,
  path: string,
  run: (call: RepositoryCall) => Answer | Promise<Answer>,
): Route =>
  read(path, need.scopes, call => {
    authorize(call.core, call.identity, call.repository, need);
    return run(call);
  });

/** A changing call below /repos/{owner}/{repo}. */
export const write = (
  method: Method,
  path: string,
  need: Need,
  run: (call: WriteCall) => Answer | Promise<Answer>,
): Route =>
  route(
    method,
    `/repos/{owner}/{repo}${path}`,
    call => run({ ...enter(call, need), by: actor(call.identity) }),
    need.scopes,
  );

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const noContent = (): Answer => ({ status: 204 });

/**
 * The body by its schema. Unknown keys are ignored, as GitHub does; a missing or wrong one is 422 with
 * `resource`, `field` and `code`.
 */
export function parse<T extends z.ZodType>(call: Call, resource: string, schema: T): z.infer<T> {
  const result = schema.safeParse(call.json);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue): FieldError => {
    const field = String(issue.path[0] ?? '');
    const missing = call.json !== null && typeof call.json === 'object' && !Object.hasOwn(call.json, field);
    return { resource, field, code: missing ? 'missing_field' : 'invalid' };
  });
  throw new ApiError(422, 'Validation Failed', errors);
}

interface Compiled {
  route: Route;
  pattern: RegExp;
  names: string[];
}

/** Parameters that may hold slashes. */
const long = new Set(['ref', 'name']);

function compile(each: Route): Compiled {
  const names: string[] = [];
  const pattern = each.template.replace(/\/\{(\w+)\}/g, (_whole, name: string) => {
    names.push(name);
    if (name === 'path') return '(?:/(.*))?';
    return long.has(name) ? '/(.+)' : '/([^/]+)';
  });
  return { route: each, names, pattern: new RegExp(`^${pattern}/?$`) };
}

export type Match = { route: Route; params: Record<string, string> };

/** A function that finds the route of a call: the longer template and literal parts win over parameters. */
export function router(routes: Route[]): (method: string, path: string) => Match | undefined {
  const weight = ({ template }: Route) =>
    template.split('/').reduce((sum, part) => sum + (part.startsWith('{') ? 10 : 11), 0);
  const compiled = [...routes].sort((a, b) => weight(b) - weight(a)).map(compile);
  const table = Map.groupBy(compiled, (each): string => each.route.method);
  return (method, path) => {
    for (const { route: found, pattern, names } of table.get(method === 'HEAD' ? 'GET' : method) ?? []) {
      const match = pattern.exec(path);
      if (!match) continue;
      const params = names.map((name, index) => [name, decode(match[index + 1] ?? '')]);
      return { route: found, params: Object.fromEntries(params) };
    }
    return undefined;
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A URIError says nothing more.
    throw new ApiError(400, 'Malformed percent-encoding in the path');
  }
}
