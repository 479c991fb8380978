// Time until GitHub shows the App's answer: to a label, and to a command for a running run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Forge, type ForgeOptions, openForge } from '../../packages/forge/forge.ts';
import { createComment, react } from '../crash/calls.ts';
import { person, place } from '../crash/facts.ts';
import { openStory } from '../crash/story.ts';
import { installTestApp } from '../forge/fixture.ts';
import { repositoryOf } from './many.ts';

/** Milliseconds of each time; all lists have the same length. */
export interface Answers {
  label: number[];
  command: number[];
  /** Baselines of the same turns: a request to the forge, an empty Node process from its start to its end. */
  roundTrip: number[];
  process: number[];
}

interface Open {
  forge: Forge;
  close(): Promise<void>;
}
interface Door {
  name: string;
  /** Pause between two acts of a person (ms): the client keeps GitHub's distance between writes. */
  restMs: number;
  open(folder: string, source: string, onCall: NonNullable<ForgeOptions['onCall']>): Promise<Open>;
}

/** Turns that are counted, after one that is not. */
const TURNS = 7;
const path = process.env['PATH'] ?? '/usr/bin:/bin';
/** No layer answers while it is measured. */
const script = JSON.stringify({ version: 1, replies: [{ for: '*', text: 'Too late.', delay_ms: 600_000 }] });

export const doors: readonly Door[] = [
  {
    name: 'npm start',
    restMs: 200,
    async open(folder, source, onCall) {
      const plot = { directive: { title: '', body: '' }, script };
      const local = await openStory({ folder, source, path, plot, onCall, log() {} });
      return { forge: local.forge, close: () => local.close() };
    },
  },
  // Its writes are a second apart (`doors/app/github-limits.ts`).
  { name: 'probot run', restMs: 1_200, open: openProbot },
];

export async function answersBy({ open, restMs }: Door): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-answers-'));
  const lines = ['limits: { runs_per_hour: 100 }'];
  const source = repositoryOf({ fates: [], maxParallel: 1 }, join(folder, 'source'), lines);
  let seen = () => {};
  const onCall: ForgeOptions['onCall'] = ({ route }, phase) => {
    if (phase === 'applied' && [createComment, react].includes(route)) seen();
  };
  mkdirSync(join(folder, 'door'));
  const { forge, close } = await open(join(folder, 'door'), source, onCall);
  const does = async (path: string, body: object) => {
    await setTimeout(restMs);
    const answered = new Promise<void>(resolve => (seen = resolve));
    const began = performance.now();
    const { status } = await forge.call(person, 'POST', `/repos/${place.owner}/${place.name}${path}`, body);
    if (status >= 400) throw new Error(`POST ${path}: ${status}`);
    await answered;
    return performance.now() - began;
  };
  const answers: Answers = { label: [], command: [], roundTrip: [], process: [] };
  try {
    for (let turn = 0; turn <= TURNS; turn++) {
      const path = `/repos/${place.owner}/${place.name}/issues`;
      const { body } = await forge.call(person, 'POST', path, { title: `Turn ${turn}` });
      const { number } = body as { number: number };
      const label = await does(`/issues/${number}/labels`, { labels: ['echelon'] });
      const command = await does(`/issues/${number}/comments`, { body: '/pause' });
      const roundTrip = await timed(() => fetch(`${forge.api}/rate_limit`).then(answer => answer.text()));
      const empty = await timed(() => once(spawn(process.execPath, ['--eval', '']), 'exit'));
      if (turn === 0) continue;
      answers.label.push(label);
      answers.command.push(command);
      answers.roundTrip.push(roundTrip);
      answers.process.push(empty);
    }
    return answers;
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** The App in a process of its own, as `probot run` loads it, beside a provider that never answers. */
async function openProbot(folder: string, source: string, onCall: NonNullable<ForgeOptions['onCall']>) {
  const provider = createServer(() => {}).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const forge = await openForge({ folder: join(folder, 'forge'), onCall });
  forge.addUser(person);
  await forge.addRepository({ ...place, from: source });
  const port = await freePort();
  const { app } = installTestApp(forge, `http://127.0.0.1:${port}/api/github/webhooks`, 'echelon', place);
  const root = join(import.meta.dirname, '../..');
  const probot = spawn(
    process.execPath,
    [join(root, 'node_modules/probot/bin/probot.js'), 'run', join(root, 'src/doors/app/probot-app.ts')],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: path,
        HOME: folder,
        APP_ID: String(app.id),
        PRIVATE_KEY: app.privateKey,
        WEBHOOK_SECRET: app.webhookSecret,
        GHE_HOST: new URL(forge.url).host,
        GHE_PROTOCOL: 'http',
        ANTHROPIC_API_KEY: 'sk-ant-api03-NotAKey',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
        ...{ HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info' },
      },
    },
  );
  await new Promise<void>((resolve, reject) => {
    let said = '';
    probot.stdout.on('data', text => {
      said += text;
      if (said.includes('Listening on')) resolve();
    });
    probot.once('exit', () => reject(new Error(`probot ended: ${said.slice(-500)}`)));
  });
  return {
    forge,
    async close() {
      const gone = once(probot, 'exit');
      probot.kill('SIGKILL');
      await gone;
      provider.closeAllConnections();
      provider.close();
      await forge.close();
    },
  };
}

/** Probot takes 0 for 3000. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}
