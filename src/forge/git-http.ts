// Git over HTTP: git http-backend behind the forge's own tokens and roles.
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Identity, authorize, identify } from './auth.ts';
import type { Core } from './core.ts';
import { ApiError } from './errors.ts';
import { gitCommand } from './git.ts';
import { findRepository, type Repository } from './store/repositories.ts';

export interface GitRequest {
  repository: Repository;
  identity: Identity;
  /** Path below the repository: /info/refs */
  path: string;
  query: string;
  pushes: boolean;
}

const services =
  /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/(?:info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/.*))$/;

/** Whether a path is one that git clients ask for. */
export const isGitPath = (path: string): boolean => services.test(path);

/** Who asks for what; throws an ApiError for those who may not. */
export function gitRequest(
  core: Core,
  path: string,
  query: string,
  authorization: string | undefined,
): GitRequest {
  const [, owner = '', name = '', rest = ''] = services.exec(path) ?? [];
  const identity = identify(core, authorization);
  const repository = findRepository(core, decodeURIComponent(owner), decodeURIComponent(name));
  const unknown = () => new ApiError(identity.kind === 'nobody' ? 401 : 404, 'Repository not found.');
  if (!repository) throw unknown();
  const pushes =
    rest === '/git-receive-pack' || new URLSearchParams(query).get('service') === 'git-receive-pack';
  try {
    authorize(core, identity, repository, {
      role: pushes ? 'write' : 'read',
      scopes: [pushes ? 'contents:write' : 'contents:read'],
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw unknown();
    throw error;
  }
  return { repository, identity, path: rest, query, pushes };
}

export interface GitAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Runs git http-backend. The answer of a push is held back until `settled` is done; a fetch streams through. */
export function serveGit(
  core: Core,
  request: GitRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  settled: (answer: GitAnswer) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const [program, args] = gitCommand(['http-backend'], variablesOf(core, request, incoming));
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    incoming.pipe(child.stdin);
    child.stdin.on('error', () => {});
    child.on('error', reject);
    const held: Buffer[] = [];
    let head: Head | undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      if (request.pushes || !head) {
        held.push(chunk);
        head = request.pushes ? undefined : parseHead(Buffer.concat(held));
        if (!head) return;
        outgoing.writeHead(head.status, head.headers);
        outgoing.write(head.rest);
        held.length = 0;
      } else if (!outgoing.write(chunk)) {
        child.stdout.pause();
        outgoing.once('drain', () => child.stdout.resume());
      }
    });
    outgoing.on('close', () => child.kill());
    child.on('close', () => {
      if (!request.pushes && outgoing.headersSent) {
        outgoing.end();
        return resolve();
      }
      const whole = parseHead(Buffer.concat(held));
      const answer = whole
        ? { status: whole.status, headers: whole.headers, body: whole.rest }
        : { status: 500, headers: {}, body: Buffer.from('git http-backend gave no answer') };
      settled(answer).then(resolve, reject);
    });
  });
}

/** What git's own CGI program is told of the request. */
function variablesOf(core: Core, request: GitRequest, incoming: IncomingMessage): Record<string, string> {
  const { repository } = request;
  const variables: Record<string, string> = {
    GIT_PROJECT_ROOT: join(core.folder, 'git'),
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${repository.owner}/${repository.name}.git${request.path}`,
    QUERY_STRING: request.query,
    REQUEST_METHOD: incoming.method ?? 'GET',
    CONTENT_TYPE: incoming.headers['content-type'] ?? '',
    REMOTE_ADDR: '127.0.0.1',
  };
  const add = (name: string, value: string | string[] | undefined) => {
    if (typeof value === 'string') variables[name] = value;
  };
  add('CONTENT_LENGTH', incoming.headers['content-length']);
  add('HTTP_CONTENT_ENCODING', incoming.headers['content-encoding']);
  add('GIT_PROTOCOL', incoming.headers['git-protocol']);
  if (request.identity.kind === 'user' || request.identity.kind === 'installation')
    variables['REMOTE_USER'] = request.identity.user.login;
  return variables;
}

interface Head {
  status: number;
  headers: Record<string, string>;
  rest: Buffer;
}

/** The CGI head of what http-backend wrote; undefined while it is incomplete. */
function parseHead(output: Buffer): Head | undefined {
  const end = output.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const headers: Record<string, string> = {};
  for (const line of output.subarray(0, end).toString().split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status = '200', ...others } = headers;
  return { status: Number.parseInt(status, 10), headers: others, rest: output.subarray(end + 4) };
}
