// Answers one API call: runs it in a transaction and puts what comes of it in GitHub's form.
import { jsonOf } from '@echelon/ground';
import { type Identity, identify } from './auth.ts';
import type { Core } from './core.ts';
import { ApiError } from './errors.ts';
import type { Answer, Match } from './route.ts';

export interface ApiRequest {
  method: string;
  /** Path below the API's base, still encoded: /repos/o/r/issues */
  path: string;
  query: string;
  /** The API's base as the caller addressed it. */
  base: string;
  accept: string;
  authorization: string | undefined;
  body: string;
}

/** Runs a call: all of its effects, or none and the failure as an answer. */
export async function transact(
  core: Core,
  request: ApiRequest,
  work: (identity: Identity, json: unknown) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await core.db.transactionOver(async () =>
      work(identify(core, request.authorization), parseBody(request.body)),
    );
  } catch (error) {
    return failure(error);
  }
}

/** Runs a matched route of the REST API. */
export const runRoute = (core: Core, match: Match, request: ApiRequest): Promise<Answer> =>
  transact(core, request, (identity, json) =>
    match.route.run({
      core,
      identity,
      params: match.params,
      query: new URLSearchParams(request.query),
      url: request.base + request.path,
      accept: request.accept,
      json,
    }),
  );

/** The answer for what was thrown. What is not an ApiError is a fault of the forge, and says so. */
export function failure(error: unknown): Answer {
  if (error instanceof ApiError) return { status: error.status, body: error.body() };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 500, body: { message: `The forge failed: ${text}`, status: '500' } };
}

function parseBody(body: string): unknown {
  if (body.trim() === '') return {};
  const value = jsonOf(body);
  // GitHub's words, which do not say where.
  if (value === undefined) throw new ApiError(400, 'Problems parsing JSON');
  // A client that has nothing to say writes it so.
  if (value === null) return {};
  if (typeof value !== 'object') throw new ApiError(400, 'Body should be a JSON object');
  return value;
}

/** The caller, for the log: a login, `app:slug`, or null. */
export function nameOf(identity: Identity): string | null {
  switch (identity.kind) {
    case 'nobody':
      return null;
    case 'app':
      return `app:${identity.app.slug}`;
    case 'user':
    case 'installation':
      return identity.user.login;
  }
}
