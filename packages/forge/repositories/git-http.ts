// Git over HTTP (gitprotocol-http): git itself behind the forge's own tokens and roles.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { rulesetsOf, refusedPush } from './rules.ts';
import { type Identity, authorize, identify } from '../auth.ts';
import type { Core } from '../core.ts';
import { ApiError, needsToken } from '../errors.ts';
import { GitError, type GitResult, repositoryFolder, startGit, tryGit } from './git.ts';
import { findRepository, type Repository } from './repository-rows.ts';

export interface GitRequest {
  repository: Repository;
  identity: Identity;
  service: 'git-upload-pack' | 'git-receive-pack';
  /** Asks which refs there are; else it sends or wants objects. */
  lists: boolean;
}

const paths = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** True for paths that git clients request. */
export const isGitPath = (path: string): boolean => paths.test(path);

/** Caller and repository of a request; throws an ApiError for those without permission. */
export function gitRequest(
  core: Core,
  path: string,
  query: string,
  authorization: string | undefined,
): GitRequest {
  const [, owner = '', name = '', rest = ''] = paths.exec(path) ?? [];
  const identity = identify(core, authorization);
  if (core.isExposed && identity.kind === 'nobody') throw needsToken();
  const repository = findRepository(core, decodeURIComponent(owner), decodeURIComponent(name));
  const unknown = () => new ApiError(identity.kind === 'nobody' ? 401 : 404, 'Repository not found.');
  if (!repository) throw unknown();
  const lists = rest === 'info/refs';
  const service = lists ? new URLSearchParams(query).get('service') : rest;
  const pushes = service === 'git-receive-pack';
  try {
    authorize(core, identity, repository, {
      role: pushes ? 'write' : 'read',
      scopes: [pushes ? 'contents:write' : 'contents:read'],
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw unknown();
    throw error;
  }
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack')
    throw new ApiError(403, 'Please upgrade your git client.');
  return { repository, identity, service, lists };
}

interface GitAnswer {
  headers: Record<string, string>;
  body: Buffer;
}

/** Answers as `git http-backend` does, without its three processes: all but pushes, streaming through. */
export function serveGit(
  core: Core,
  request: GitRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { service, lists } = request;
  if (lists && service === 'git-upload-pack' && protocolOf(incoming) === 'version=2')
    return advertise(repositoryFolder(core, request.repository), outgoing);
  const child = start(core, request, incoming);
  outgoing.on('close', () => child.kill());
  outgoing.writeHead(200, headersOf(service, lists ? 'advertisement' : 'result'));
  if (lists && !/version=2/.test(protocolOf(incoming))) outgoing.write(opening(service));
  child.stdout.pipe(outgoing);
  return new Promise((resolve, reject) => child.on('error', reject).on('close', () => resolve()));
}

/** By a repository's configuration, what git says that it can do in version 2 of the protocol: nothing of the refs. */
const abilities = new Map<string, Promise<GitResult>>();

async function advertise(folder: string, outgoing: ServerResponse): Promise<void> {
  const settings = await readFile(join(folder, 'config'), 'utf8');
  const args = ['upload-pack', '--http-backend-info-refs', '.'];
  const asked = abilities.get(settings) ?? tryGit(folder, args, { variables: { GIT_PROTOCOL: 'version=2' } });
  abilities.set(settings, asked);
  const { code, stdout, stderr } = await asked;
  if (code !== 0) {
    // A failure may be temporary.
    abilities.delete(settings);
    throw new GitError(args, code, stderr);
  }
  outgoing.writeHead(200, headersOf('git-upload-pack', 'advertisement')).end(stdout);
}

/** Carries out a push, and answers what is to be sent. One that has come in whole takes effect, whoever still waits. */
export async function receivePush(
  core: Core,
  request: GitRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<GitAnswer> {
  const { repository, service } = request;
  let body = bodyOf(incoming);
  if (rulesetsOf(repository).length > 0) {
    const whole = await buffer(body);
    const refused = await refusedPush(core, repository, whole);
    if (refused) return { headers: headersOf(service, 'result'), body: refused };
    body = Readable.from([whole]);
  }
  const child = start(core, request, incoming, body);
  outgoing.on('close', () => child.stdin.destroy());
  const held: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => held.push(chunk));
  const headers = headersOf(service, 'result');
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', () => resolve({ headers, body: Buffer.concat(held) })),
  );
}

const headersOf = (service: string, what: 'advertisement' | 'result') => ({
  'content-type': `application/x-${service}-${what}`,
  'cache-control': 'no-cache, max-age=0, must-revalidate',
});

const protocolOf = ({ headers }: IncomingMessage): string => String(headers['git-protocol'] ?? '');

const bodyOf = (incoming: IncomingMessage): Readable =>
  incoming.headers['content-encoding'] === 'gzip' ? incoming.pipe(createGunzip()) : incoming;

/** Starts the service, with the request's body as its input. */
function start(
  core: Core,
  { repository, service, lists }: GitRequest,
  incoming: IncomingMessage,
  body = bodyOf(incoming),
) {
  const child = startGit(
    repositoryFolder(core, repository),
    [service.slice('git-'.length), lists ? '--http-backend-info-refs' : '--stateless-rpc', '.'],
    { GIT_PROTOCOL: protocolOf(incoming) },
  );
  child.stderr.resume();
  // git may end without reading all; what it answers says why.
  child.stdin.on('error', () => {});
  body.on('error', () => child.stdin.destroy()).pipe(child.stdin);
  return child;
}

/** Before version 2 of the protocol the list begins with a packet that names the service, and an empty one. */
function opening(service: string): string {
  const line = `# service=${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
}
