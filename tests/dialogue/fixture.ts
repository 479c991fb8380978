// A forge with the App on it, a small repository, and people: what is said there, and what comes of it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onThisMachine } from '../../packages/forge/runner/carry-out.ts';
import { type Forge, type ForgeOptions, openForge } from '../../packages/forge/forge.ts';
import { type Local, openLocal } from '../../src/doors/cli/local.ts';
import { advanceKey } from '../../src/app/handlers/deferred-work.ts';
import { isTesting } from '../../src/app/comments/view.ts';
import type { ProviderKeys } from '../../src/engine/models/provider-keys.ts';
import type { RunNotice } from '../../src/app/run-events.ts';
import type { Caps } from '../../src/app/config/caps.ts';
import { statusOf } from '../board.ts';
import { commit } from '../committed.ts';
import { madeOnce } from '../made-once.ts';
import { jobsIn } from './jobs.ts';
import { jobsHere, type StartJob } from './jobs-here.ts';
import type { Reply } from './script.ts';

interface Comment {
  id: number;
  body: string;
  user: { login: string };
}

export interface Given {
  /** Script for runs without a provider. */
  replies?: readonly Reply[];
  /** Keys and addresses of providers that are asked instead. */
  served?: ProviderKeys;
  /** Lines of `.github/echelon.yml`; the first line is there already, so they begin on line 2. */
  config?: string;
  /** Files of the repository besides `README.md` and `test.sh`. */
  files?: Record<string, string>;
  issue?: { title: string; body: string };
  /** Secrets of the process. */
  secrets?: readonly string[];
  /** The operator's caps. */
  caps?: Caps;
  /** The operator's test command; empty: none is known; null: the configuration says it. */
  test?: string | null;
  /** Logs session events. */
  debug?: boolean;
  onCall?: ForgeOptions['onCall'];
  /** Workflows of the repository run, on this machine. */
  runs?: true;
  /** Network settings of jobs. */
  reach?: Record<string, string>;
  /** Jobs are processes of their own: where they are killed, or outlive the App. */
  processes?: true;
  /** PATH of the host; default: this process's. */
  path?: string;
}

/** you: admin and owner of you/shelf; mia maintains, wanda writes, tom triages, rita reads, sam is a stranger. */
const people = { mia: 'maintain', wanda: 'write', tom: 'triage', rita: 'read' } as const;

const repository = { owner: 'you', name: 'shelf' };
const here = '/repos/you/shelf';
/** Long enough for a busy machine; a test that has come so far says what stood there. */
const patienceMs = 45_000;
const copying = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };

/** Saved state of a dialogue: everything that outlives its process, and that process's output. */
export interface Stand {
  data: string;
  issue: number;
  events: readonly RunNotice[];
  logged: readonly string[];
}

/** Opens forge and App on a folder. */
const open = (folder: string, given: Given, log: (line: string) => void, from = '', start?: StartJob) =>
  openLocal({
    folder,
    repository: { ...repository, from },
    person: 'you',
    logLevel: 'silent',
    ...(given.onCall && { onCall: given.onCall }),
    ...(given.runs && { runner: { carryOut: onThisMachine(process.env['PATH'] ?? '') } }),
    installations: {
      model: given.served
        ? { provider: 'served', keys: given.served }
        : {
            provider: 'scripted',
            script: JSON.stringify({ version: 1, replies: given.replies ?? [] }),
            file: 'script.json',
          },
      secrets: given.secrets ?? [],
      ...(given.caps && { caps: given.caps }),
      ...(given.debug && { debug: true }),
      ...(start && { start }),
      host: {
        path: given.path ?? process.env['PATH'] ?? '/usr/bin:/bin',
        // With a key, a repository needs the operator's permission to switch isolation off.
        allows: { isolationNone: given.served !== undefined, network: false },
        ...(given.reach && { reach: given.reach }),
      },
      test: given.test === null ? undefined : (given.test ?? 'sh test.sh'),
      log,
    },
  });

/** Initial state: forge and App with the repository and the people. Equal files share a folder. */
function before({ config = '', files }: Given): Promise<string> {
  const all = {
    'README.md': '# A shelf\n',
    'test.sh': 'test ! -e wrong\n',
    '.github/echelon.yml': `isolation: none\n${config}`,
    ...files,
  };
  const digest = createHash('sha256').update(JSON.stringify(all)).digest('hex');
  return madeOnce(`dialogue-${digest}`, async folder => {
    const source = mkdtempSync(join(tmpdir(), 'echelon-source-'));
    commit(source, all);
    const local = await open(folder, {}, () => {}, source);
    for (const [login, role] of Object.entries(people))
      local.forge.setPermission(repository.owner, repository.name, login, role);
    local.forge.addUser('sam');
    await local.idle();
    await local.close();
    rmSync(source, { recursive: true });
  });
}

/** Plays one issue's story, from its first word or from where another one was left. Disposed of with what it started. */
export async function openDialogue(given: Given, stand?: Stand) {
  const from = stand?.data ?? (await before(given));
  const root = mkdtempSync(join(tmpdir(), 'echelon-dialogue-'));
  const data = join(root, 'data');
  cpSync(from, data, copying);
  const logged: string[] = [...(stand?.logged ?? [])];
  const events: RunNotice[] = [...(stand?.events ?? [])];
  const ours = jobsHere();
  const start = given.processes ? undefined : ours.start;
  const reopen = () => open(data, given, line => void logged.push(line), '', start);
  const remove = () => {
    try {
      rmSync(root, { recursive: true, force: true });
    } catch {
      // Folders left by commands may be nested too deeply for Node's own removal.
      execFileSync('rm', ['-rf', '--', root]);
    }
  };
  let local: Local = await reopen().catch(error => {
    remove();
    throw error;
  });
  const listen = () => local.installations.bus.on(notice => void events.push(notice));
  listen();

  async function call<T>(login: string, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await local.forge.call(login, method, here + path, body);
    if (answer.status >= 400)
      throw new Error(`${method} ${path} by ${login}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }
  /** The first word: somebody files the issue. */
  async function first(): Promise<number> {
    const { title, body } = given.issue ?? { title: 'Tidy the shelf', body: 'Books lie on their sides.' };
    return (await call<{ number: number }>('you', 'POST', '/issues', { title, body })).number;
  }
  const issue = stand?.issue ?? (await first());

  /** Tests at the base run, or those of all together: their end moves a run on that no error has stopped. */
  const testsRun = () =>
    local.installations.repositories().some(({ views, failures: stopped, kept }) =>
      // Of a run that waits for the provider the view is the one before.
      [...views].some(
        ([of, view]) =>
          isTesting(view) && ((!stopped.has(of) && !kept.has(advanceKey(of))) || dialogue.jobsRun()),
      ),
    );
  /** Everything that was sent has been worked off: webhooks delivered, handlers and queues at rest, tests known. */
  async function settled() {
    const deadline = AbortSignal.timeout(patienceMs);
    for (let quiet = 0; quiet < 3; quiet++) {
      await local.forge.webhooksSettled();
      await local.installations.idle();
      if (!testsRun()) continue;
      if (deadline.aborted) throw new Error('did not come to rest: tests are waited for');
      // Their end moves the run on, which has to come to rest as well.
      quiet = -1;
      await setTimeout(5);
    }
  }
  const comments = async (of = issue): Promise<Comment[]> =>
    (await call<Comment[]>('you', 'GET', `/issues/${of}/comments?per_page=100`)).map(
      ({ id, body, user }) => ({
        id,
        body,
        user: { login: user.login },
      }),
    );

  const dialogue = {
    issue,
    events,
    logged,
    get local() {
      return local;
    },
    get forge() {
      return local.forge;
    },
    call,
    settled,
    comments,
    folder: root,
    async label(by = 'you', name = 'echelon') {
      await call(by, 'POST', `/issues/${issue}/labels`, { labels: [name] });
      await settled();
    },
    /** Puts the label on, and waits for the end of the run. */
    async run() {
      await dialogue.label();
      await dialogue.ended();
    },
    /** Answers the comment's id once everything it led to at once is done. */
    async comment(login: string, text: string, on = issue): Promise<number> {
      const { id } = await call<Comment>(login, 'POST', `/issues/${on}/comments`, { body: text });
      await settled();
      return id;
    },
    async edit(login: string, comment: number, text: string) {
      await call(login, 'PATCH', `/issues/comments/${comment}`, { body: text });
    },
    /** Takes the label off and puts it on again. */
    async relabel(by = 'you') {
      await call(by, 'DELETE', `/issues/${issue}/labels/echelon`);
      await dialogue.label(by);
    },
    /** Pushes a file to the default branch. */
    async putFile(path: string, text: string) {
      const at = `/contents/${path}`;
      const { sha } = await call<{ sha: string }>('you', 'GET', at);
      const content = Buffer.from(text).toString('base64');
      await call('you', 'PUT', at, { message: 'Change a file', content, sha });
    },
    permit: (login: string, role: 'read' | 'write') =>
      local.forge.setPermission(repository.owner, repository.name, login, role),
    /** Waits, from one event of the run to the next, until `holds`. */
    async until(what: string, holds: () => boolean | Promise<boolean>) {
      const deadline = AbortSignal.timeout(patienceMs);
      for (;;) {
        const { promise: next, resolve } = Promise.withResolvers<void>();
        const off = local.installations.bus.on(() => resolve());
        try {
          await settled();
          if (await holds()) return;
          deadline.addEventListener('abort', () => resolve(), { once: true });
          await next;
        } finally {
          off();
        }
        if (deadline.aborted)
          throw new Error(
            `did not come to: ${what}\n${[...(await dialogue.said()), ...logged].join('\n---\n')}`,
          );
      }
    },
    /** Waits for something that a job does and nobody tells of: looks again and again. */
    async progress(what: string, holds: () => boolean) {
      const deadline = AbortSignal.timeout(patienceMs);
      while (!holds()) {
        if (deadline.aborted) throw new Error(`did not come to: ${what}`);
        await setTimeout(10);
      }
    },
    ...jobsIn(join(data, 'jobs')),
    /** Until the run came to an end. */
    ended: () =>
      dialogue.until('the end of the run', () => events.some(event => event.type === 'run_settled')),
    /**
     * The App's comments, one text each, without the run comment and layers' replies. Times, ids and markers are
     * replaced by constants.
     */
    async said(on = issue): Promise<string[]> {
      return (await comments(on))
        .filter(byApp)
        .filter(isNotBoard)
        .map(({ body }) => alike(body.replace(layerReply, '')));
    },
    /** Layers' replies, folded in the run's comments. */
    async replies(): Promise<string[]> {
      const texts = (await comments()).filter(byApp).map(({ body }) => body.match(layerReply) ?? []);
      return texts.flat().map(alike);
    },
    /** The same as one text, for a snapshot of a whole story. */
    story: async (on = issue) => (await dialogue.said(on)).join('\n=====\n'),
    /** The comments that list what waits for approval. */
    listings: async () => (await comments()).filter(({ body }) => body.startsWith('### Approve? ')),
    /** The branches that were made. */
    branches: async () =>
      (await call<{ name: string }[]>('you', 'GET', '/branches?per_page=100'))
        .map(({ name }) => name)
        .filter(name => name !== 'main'),
    /** The App's last word. */
    async last(on = issue): Promise<string> {
      return (await dialogue.said(on)).at(-1) ?? '';
    },
    /** The run comment, which also holds the record. */
    async board(): Promise<Comment> {
      const found = (await comments()).filter(byApp).findLast(comment => !isNotBoard(comment));
      if (!found) throw new Error('there is no run comment');
      return found;
    },
    status: async () => statusOf((await dialogue.board()).body),
    /** Those that say it was seen first: a run that looks at its issue just then may answer before. */
    reactions: async (comment: number) =>
      (await call<{ content: string }[]>('you', 'GET', `/issues/comments/${comment}/reactions`))
        .map(({ content }) => content)
        .sort((a, b) => Number(b === 'eyes') - Number(a === 'eyes')),
    /** Another process: everything is dropped and opened again from the folder. */
    restart: () => dialogue.whileAway(async () => {}),
    /** Things that happen while the App does not run: its webhooks are lost. */
    async whileAway(happens: (forge: Forge) => Promise<void>) {
      await local.close();
      const alone = await openForge({ folder: join(data, 'forge') });
      try {
        await happens(alone);
        await alone.webhooksSettled();
      } finally {
        await alone.close();
      }
      local = await reopen();
      listen();
      await settled();
    },
    /** Ends here, and leaves in `folder` a copy of everything that outlives the process. */
    async leave(folder: string): Promise<Stand> {
      await settled();
      await dialogue.progress('the end of every job', () => !dialogue.jobsRun());
      await settled();
      await local.close();
      cpSync(data, folder, copying);
      return { data: folder, issue, events, logged };
    },
    async [Symbol.asyncDispose]() {
      const killed = ours.killed();
      await local.stopJobs();
      await local.close();
      await ours.settled();
      remove();
      if (killed > 0) throw new Error('an engineer was killed: give the dialogue `processes`');
    },
  };
  if (stand) await settled();
  return dialogue;
}

export type Dialogue = Awaited<ReturnType<typeof openDialogue>>;

const byApp = ({ user }: Comment) => user.login === 'echelon[bot]';
const isNotBoard = ({ body }: Comment) => !body.includes('<!-- echelon:record');

/** A layer's reply, folded under a sentence: every line of its words is quoted. */
const layerReply =
  /\n\n<details><summary>(?:Strategist|Engineering lead|Team lead): [^\n]*<\/summary>\n[\s\S]*?\n<\/details>/g;

/** The text without what differs from run to run. */
export const alike = (text: string) =>
  text
    .replace(/\s*<!-- echelon:(op|note)=[0-9a-f]{20} -->/g, '')
    .replace(/(\d+ min )?\d+(\.\d)? s\b/g, 'N s')
    // The duration of the base tests is part of an estimate.
    .replace(/\b\d+ minutes? \(\d+ to \d+\)/g, 'N minutes (N to N)')
    .replace(/\b\d+ min \(\d+ to \d+\)/g, 'N min (N to N)')
    .replace(/\b[0-9a-f]{8,64}\b/g, '<hex>')
    .trim();
