// A forge of its own for each test, in a temporary folder that goes with it.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { type Forge, type ForgeOptions, openForge } from '../../packages/forge/forge.ts';
import type { RegisteredApp } from '../../packages/forge/operator.ts';
import { git } from '../../packages/forge/repositories/git.ts';

/** Names every test may count on: olga owns olga/work, wanda may write, tom triages, sam is a stranger. */
export const at = { owner: 'olga', repo: 'work' };

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export class TestForge {
  readonly root: string;
  #forge: Forge;
  #options: Partial<ForgeOptions>;

  constructor(root: string, forge: Forge, options: Partial<ForgeOptions>) {
    this.root = root;
    this.#forge = forge;
    this.#options = options;
  }

  get forge(): Forge {
    return this.#forge;
  }

  /** A client as the user of that login; null is nobody. It does not retry and does not log. */
  as(login: string | null): Octokit {
    const auth = login === null ? {} : { auth: this.forge.tokenFor(login) };
    return new Octokit({ baseUrl: this.forge.api, log: silent, ...auth });
  }

  /** A client as the installation of an app. */
  asApp(app: RegisteredApp, installationId: number): Octokit {
    const auth = { appId: app.id, privateKey: app.privateKey, installationId };
    return new Octokit({ baseUrl: this.forge.api, log: silent, authStrategy: createAppAuth, auth });
  }

  /** Asks somebody for a review of a pull request of olga/work. */
  async requestReview(login: string, pull_number: number, reviewer: string): Promise<void> {
    const { data } = await this.as(login).pulls.get({ ...at, pull_number });
    const { data: people } = await this.as('olga').repos.listCollaborators(at);
    const userIds = people.filter(each => each.login === reviewer).map(({ node_id }) => node_id);
    const change = `mutation ($input: RequestReviewsInput!) {
      requestReviews(input: $input) { pullRequest { id } } }`;
    const input = { pullRequestId: data.node_id, userIds, union: true };
    await this.as(login).graphql(change, { input });
  }

  /** A clone of olga/work over HTTP with that user's token; returns its folder. */
  async clone(login: string, name = 'clone'): Promise<string> {
    const folder = join(this.root, name);
    await git(this.root, ['clone', '--quiet', this.remote(login), folder]);
    await git(folder, ['config', 'user.name', login]);
    await git(folder, ['config', 'user.email', `${login}@users.noreply.github.com`]);
    return folder;
  }

  remote(login: string): string {
    const url = new URL(`${this.forge.url}/olga/work.git`);
    url.username = 'x-access-token';
    url.password = this.forge.tokenFor(login);
    return url.href;
  }

  /** Closes the forge and opens it again from its folder, with other options if given. */
  async reopen(options: Partial<ForgeOptions> = {}): Promise<void> {
    await this.#forge.close();
    this.#options = { ...this.#options, ...options };
    this.#forge = await openForge({ ...this.#options, folder: this.#forge.folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forge.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Opens a forge with the people above and olga/work: `main` with two files, `feature` one commit ahead. */
export async function openTestForge(options: Partial<ForgeOptions> = {}): Promise<TestForge> {
  const root = mkdtempSync(join(tmpdir(), 'forge-test-'));
  const folder = join(root, 'forge');
  // Under a clock of its own the repository was made at that time too.
  if (options.clock === undefined) cpSync(await (begun ??= begin()), folder, { recursive: true });
  const forge = await openForge({ ...options, folder });
  if (options.clock !== undefined) await people(forge, await (source ??= makeSource()));
  return new TestForge(root, forge, options);
}

async function people(forge: Forge, from: string): Promise<void> {
  await forge.addRepository({ ...names, from });
  for (const login of ['wanda', 'tom', 'sam']) forge.addUser(login);
  forge.setPermission(at.owner, at.repo, 'wanda', 'write');
  forge.setPermission(at.owner, at.repo, 'tom', 'triage');
}

/** Made once in a process: the folder of a forge with all that. */
let begun: Promise<string> | undefined;

async function begin(): Promise<string> {
  const folder = ownFolder();
  const forge = await openForge({ folder });
  await people(forge, await (source ??= makeSource()));
  await forge.close();
  return folder;
}

/** Made once in a process: a forge only reads it. */
let source: Promise<string> | undefined;

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forge-source-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function makeSource(): Promise<string> {
  const folder = ownFolder();
  await git(folder, ['init', '--quiet', '--initial-branch=main', '.']);
  await commit(
    folder,
    { 'README.md': '# Work\n', 'src/sum.js': 'export const sum = (a, b) => a + b;\n' },
    'Begin',
  );
  await git(folder, ['checkout', '--quiet', '-b', 'feature']);
  await commit(folder, { 'src/sum.js': 'export const sum = (a, b) => b + a;\n' }, 'Turn it round');
  await git(folder, ['checkout', '--quiet', 'main']);
  return folder;
}

const names = { owner: at.owner, name: at.repo };

/** Writes files into a work tree and commits them; returns the commit. */
export async function commit(
  folder: string,
  files: Record<string, string>,
  message: string,
): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await git(folder, ['add', '--all']);
  const who = ['-c', 'user.name=olga', '-c', 'user.email=olga@users.noreply.github.com'];
  await git(folder, [...who, 'commit', '--quiet', '--message', message]);
  return git(folder, ['rev-parse', 'HEAD']);
}

export interface Received {
  event: string;
  action: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  raw: string;
  payload: Record<string, unknown>;
}

/** A webhook receiver that keeps what it gets and answers with `status`. */
export async function openReceiver(status = 200) {
  const received: Received[] = [];
  const receiver = { url: '', received, status, [Symbol.asyncDispose]: async () => {} };
  const server = createServer((request, response) => {
    let raw = '';
    request.setEncoding('utf8');
    request.on('data', chunk => (raw += chunk));
    request.on('end', () => {
      const payload = JSON.parse(raw);
      received.push({
        event: String(request.headers['x-github-event']),
        action: payload.action,
        headers: request.headers,
        raw,
        payload,
      });
      response.writeHead(receiver.status).end('heard');
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  receiver.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`;
  receiver[Symbol.asyncDispose] = () =>
    new Promise(done => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return receiver;
}

/** Registers an app with all the permissions and events that the forge knows, installed on olga/work or elsewhere. */
export function installTestApp(forge: Forge, webhookUrl: string, slug = 'echelon', on = names) {
  const app = forge.registerApp({
    slug,
    name: slug,
    webhookUrl,
    events: [
      'issues',
      'issue_comment',
      'pull_request',
      'pull_request_review',
      'pull_request_review_comment',
      'push',
      'check_run',
      'workflow_run',
      'workflow_job',
    ],
    permissions: {
      issues: 'write',
      pull_requests: 'write',
      contents: 'write',
      checks: 'write',
      statuses: 'write',
      actions: 'write',
    },
  });
  return { app, installation: forge.installApp(slug, on.owner, on.name) };
}

/** The status and message of the refusal that a call ends with; fails when it succeeds. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ status: number; message: string; data: unknown }> {
  try {
    await call;
  } catch (error) {
    const { status, response } = Object(error) as {
      status?: number;
      response?: { data?: { message?: string } };
    };
    if (status === undefined || !response) throw error;
    return { status, message: response.data?.message ?? '', data: response.data };
  }
  throw new Error('the call succeeded');
}
