// The HTTP side of the forge: tells API calls, git and pages apart, and answers each.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyRefused, type ReadBody } from '@echelon/ground';
import type { Runner } from './actions/runner.ts';
import { type ApiRequest, failure, nameOf, runRoute } from './api.ts';
import { acceptedPermissions, requestId, tagged, type RateLimit, rateLimit } from './rate-limit.ts';
import { actor, type Identity, identify } from './auth.ts';
import { isBlobPath, serveBlob } from './blobs.ts';
import type { CallLog, ForgeCall } from './calls.ts';
import { settleRefs } from './repositories/refs.ts';
import type { Core } from './core.ts';
import { ApiError, needsToken } from './errors.ts';
import { type GitRequest, gitRequest, isGitPath, receivePush, serveGit } from './repositories/git-http.ts';
import { answerGraphql, isMutation } from './graphql.ts';
import type { Answer, Match } from './route.ts';
import type { Serial } from './serial.ts';
import type { Sender } from './apps/webhooks.ts';

export interface Serving {
  core: Core;
  find: (method: string, path: string) => Match | undefined;
  calls: CallLog;
  /** Counts calls of this login, and tells its limit. */
  count(actor: string | null, calls: number): RateLimit;
  /** Everything that touches the database goes through this, so that one call's effects never mix with another's. */
  oneAtATime: Serial;
  webhooks: Sender;
  workflows: Runner | undefined;
  readBody: ReadBody;
  /** Routes somebody asked for and the forge lacks. */
  missing: string[];
  pages: (request: IncomingMessage, response: ServerResponse) => unknown;
}

/** Route of a request: the API below `base`, GraphQL, or the rest of the site. */
function target(request: IncomingMessage) {
  // A proxy is sent the whole address: GET http://api.github.localhost/user
  const absolute = /^https?:\/\/([^/]+)(.*)$/i.exec(request.url ?? '');
  const host = absolute?.[1] ?? request.headers.host ?? '';
  const [path = '/', query = ''] = ((absolute ? absolute[2] : request.url) || '/').split(/\?(.*)/s);
  if (/^api\./i.test(host)) return { path, query, base: `http://${host}`, api: true, host };
  const api = path.startsWith('/api/v3/') || path === '/api/graphql';
  const below = path === '/api/graphql' ? '/graphql' : path.slice('/api/v3'.length);
  return { path: api ? below : path, query, api, host };
}

/** The forge under the name and the port that a client called it by: one that checks addresses goes to no other. */
function calledAs(core: Core, host: string): Core {
  const site = `${new URL(core.site).protocol}//${host}`;
  return host === '' || site === core.site ? core : { ...core, site, api: `${site}/api/v3`, own: core };
}

/** True if only this machine can reach the host name. */
export const isLoopback = (name: string): boolean =>
  /^(localhost|([\w-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(name);

/** A name of another site that was made to resolve to this machine (DNS rebinding) is no way in. */
function isOwnHost(host: string, site: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return isLoopback(name) || name === new URL(site).hostname.toLowerCase();
}

export async function serve(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { core } = serving;
  const { path, query, base, api, host } = target(request);
  try {
    if (!URL.canParse(`http://${host}`)) throw new ApiError(400, `${host} is no address of a host`);
    if (!isOwnHost(host, core.site))
      throw new ApiError(403, `The forge answers on this machine's own names only, not on ${host}.`);
    if (api) {
      // Behind the name that a proxy was sent there are no pages: those are where a browser finds them.
      const here = base === undefined ? calledAs(core, host) : { ...core, api: base, own: core };
      const asked = { path, query, base: here.api };
      return await serveApi({ ...serving, core: here }, request, response, asked);
    }
    if (isBlobPath(path)) return await serveBlob(core, path, query, response);
    if (isGitPath(path)) return await serveGitRequest(serving, request, response, path, query);
    await serving.pages(request, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    // Do not wait for the rest of a rejected body.
    else send(core, response, failure(error), request.complete ? {} : { connection: 'close' });
  } finally {
    // Only now, when the answer is on its way: an app never hears of a change before its author does.
    serving.webhooks.kick();
    serving.workflows?.kick();
  }
}

async function serveApi(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  { path, query, base }: { path: string; query: string; base: string },
): Promise<void> {
  const { core } = serving;
  // No name holds it, and git cannot be handed it.
  if (/%00/.test(`${path}?${query}`)) throw new ApiError(400, 'The address holds a NUL');
  const method = request.method ?? 'GET';
  const apiRequest: ApiRequest = {
    method,
    path,
    query,
    base,
    accept: request.headers.accept ?? '',
    authorization: request.headers.authorization,
    body: await bodyOf(serving, request),
  };
  const graphql = path === '/graphql' && method === 'POST';
  const match = graphql ? undefined : serving.find(method, path);
  const template = match && `${match.route.method} ${match.route.template}`;
  const route = graphql ? 'POST /graphql' : template;
  if (route === undefined) return send(core, response, missing(serving, method, path));
  const identity = callerOf(core, apiRequest.authorization);
  if (core.isExposed && identity.kind === 'nobody') throw needsToken();
  const caller = nameOf(identity);
  const writes = graphql ? await isMutation(apiRequest.body) : method !== 'GET' && method !== 'HEAD';
  await inPhases(
    serving,
    response,
    {
      method,
      route,
      path,
      kind: writes ? 'write' : 'read',
      actor: caller,
    },
    () =>
      serving.oneAtATime(() =>
        graphql ? answerGraphql(core, apiRequest) : runRoute(core, match!, apiRequest),
      ),
    (result, logged) => {
      const answer = tagged(method, result, request.headers['if-none-match']);
      if (answer.status === 304) logged.unchanged = true;
      // A 304 costs nothing of the rate limit.
      const rate = serving.count(caller, answer.status === 304 ? 0 : 1);
      const accepted = acceptedPermissions(identity, match?.route);
      send(core, response, method === 'HEAD' ? { ...answer, body: undefined } : answer, accepted, rate);
    },
  );
}

/** Runs a call between its two phases; a throw in either cuts the connection, but for an answer thrown in the first. */
async function inPhases<T>(
  serving: Serving,
  response: ServerResponse,
  call: Omit<ForgeCall, 'n'>,
  work: () => Promise<T>,
  answer: (result: T, logged: ForgeCall) => void,
): Promise<void> {
  let logged: ForgeCall;
  try {
    logged = await serving.calls.begin(call);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // A crash that a test asked for: nothing was done, nothing is answered.
    return void response.destroy();
  }
  const result = await work();
  try {
    await serving.calls.applied(logged);
  } catch {
    // A crash that a test asked for: it was done, and nothing is answered.
    return void response.destroy();
  }
  answer(result, logged);
}

async function serveGitRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const { core } = serving;
  let asked: GitRequest;
  try {
    asked = gitRequest(core, path, query, request.headers.authorization);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const basic = error.status === 401 ? { 'www-authenticate': 'Basic realm="forge"' } : {};
    response.writeHead(error.status, { 'content-type': 'text/plain', ...basic });
    return void response.end(`${error.message}\n`);
  }
  if (asked.lists || asked.service === 'git-upload-pack') return serveGit(core, asked, request, response);
  const by = actor(asked.identity);
  const call = {
    method: 'POST',
    route: 'POST /{owner}/{repo}.git/git-receive-pack',
    path,
    kind: 'write',
  } as const;
  await inPhases(
    serving,
    response,
    { ...call, actor: by.user.login },
    async () => {
      const answer = await receivePush(core, asked, request, response);
      await serving.oneAtATime(() =>
        core.db.transactionOver(() => settleRefs({ core, by, repository: asked.repository })),
      );
      return answer;
    },
    ({ headers, body }) => {
      response.writeHead(200, headers);
      response.end(body);
    },
  );
}

function missing(serving: Serving, method: string, path: string): Answer {
  serving.missing.push(`${method} ${path}`);
  return {
    status: 404,
    body: { message: `${method} ${path} is not served by the local GitHub`, status: '404' },
  };
}

function callerOf(core: Core, authorization: string | undefined): Identity {
  try {
    return identify(core, authorization);
  } catch {
    // The route rejects callers that cannot be identified.
    return { kind: 'nobody' };
  }
}

function send(
  core: Core,
  response: ServerResponse,
  { status, body, headers }: Answer,
  more: Record<string, string> = {},
  rate = rateLimit(core),
): void {
  if (response.destroyed) return;
  const text =
    body === undefined
      ? undefined
      : typeof body === 'string' || body instanceof Uint8Array
        ? body
        : JSON.stringify(body);
  response.writeHead(status, {
    date: new Date(core.clock.now()).toUTCString(),
    server: 'forge',
    'x-github-request-id': requestId(),
    'x-github-media-type': 'github.v3; format=json',
    'x-github-api-version-selected': '2022-11-28',
    'x-ratelimit-limit': rate.limit,
    'x-ratelimit-remaining': rate.remaining,
    'x-ratelimit-used': rate.used,
    'x-ratelimit-reset': rate.reset,
    'x-ratelimit-resource': 'core',
    ...(text !== undefined && {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    }),
    ...headers,
    ...more,
  });
  response.end(text);
}

async function bodyOf({ readBody }: Serving, request: IncomingMessage): Promise<string> {
  try {
    return await readBody(request, async text => text);
  } catch (error) {
    throw error instanceof BodyRefused ? new ApiError(error.status, error.message) : error;
  }
}
