// `npm start` without credentials: the local forge with the App on it, used through its pages and ended in every way.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endAll, root, runCli } from './run-cli.ts';
import { board, commentsOf, pullsOf, type Serving, sample, serving } from './serving.ts';
import { until } from '../../until.ts';
import { Visitor } from '../../visitor.ts';

const temporary = mkdtempSync(join(tmpdir(), 'echelon-serve-test-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

afterEach(endAll);

const start = (data: string, port = '0') => serving(['--data', data, '--port', port]);
const folder = (name: string) => mkdtempSync(join(temporary, `${name}-`));
const banner = 'The scripted model is playing';
const directive = readFileSync(join(root, 'tests/sample/directive.md'), 'utf8');
const heading = 'Find a book, and see how far along it is';
const body = directive.split('\n').slice(1).join('\n').trim();

/** All that people see of the sample. */
async function everything(at: Serving) {
  const paths = ['/issues?state=all&per_page=100', '/issues/comments?per_page=100', '/branches?per_page=100'];
  return [...(await Promise.all(paths.map(path => at.api('GET', sample + path)))), await pullsOf(at)];
}

test('the sample, through the pages: a kill right after the first job began loses nothing and does nothing twice, and what ends at SIGTERM with 0 is the same after a new start', {
  timeout: 180_000,
}, async () => {
  const data = folder('story');
  const killed = await start(data);
  expect(killed.ran.stdout).toContain(`the local forge is at ${killed.url}/you/sample?key=`);
  expect((await fetch(`${killed.url}/you/sample`)).status).toBe(403);
  const first = new Visitor(killed.url, killed.key);
  await first.read('/you/sample/issues/new');
  const issue = await first.send('/you/sample/issues', { title: heading, body });
  expect(issue).toBe('/you/sample/issues/1');
  await first.read(issue);
  await first.send(`${issue}/labels`, { label: 'echelon' });
  await board(killed, 1, 'waiting');
  await first.read(issue);
  expect(await first.press('Approve')).toBe(issue);
  const jobs = join(data, 'jobs');
  // The first one ran the tests at the base.
  await until('a job of an engineer began', () => filesNamed(jobs, 'pid.json')[1], { every: 5 });
  expect(killed.ran.stderr).toBe('');
  killed.kill('SIGKILL');
  await killed.ended;

  const at = await start(data, new URL(killed.url).port);
  expect([at.token, at.key]).toEqual([killed.token, killed.key]);
  await board(at, 1, 'completed');
  const pulls = await pullsOf(at);
  expect(pulls.map(pull => pull.draft)).toEqual([true, true, true, true]);
  expect(new Set(pulls.map(pull => pull.head.ref)).size).toBe(4);
  for (const pull of pulls) expect(pull.body).toContain('**Tests**: `npm test` exited 0');
  const issues = (await at.api('GET', `${sample}/issues?state=all&per_page=100`)) as {
    number: number;
    pull_request?: unknown;
  }[];
  expect(issues.filter(issue => !issue.pull_request)).toHaveLength(5);
  for (const { number } of issues) {
    const bodies = (await commentsOf(at, number)).map(comment => comment.body);
    expect(new Set(bodies).size, `comments of #${number}`).toBe(bodies.length);
  }

  const visitor = new Visitor(at.url, at.key);
  const places = ['', '/issues', '/issues/new', '/issues/1', '/pulls', `/pull/${pulls[0]?.number}`];
  for (const path of ['/', '/deliveries', ...places.map(place => `/you/sample${place}`)]) {
    const { status, text } = await visitor.read(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text, path).toContain(banner);
  }
  const lost = await visitor.read('/you/nothing');
  expect(lost).toMatchObject({ status: 404, text: expect.stringContaining(banner) });

  const before = await everything(at);
  at.kill('SIGTERM');
  expect((await at.ended).code).toBe(0);
  expect(at.ran.stderr).toBe('');
  const again = await start(data, new URL(at.url).port);
  expect([again.token, again.key]).toEqual([at.token, at.key]);
  expect(await everything(again)).toEqual(before);
});

describe('the local forge', () => {
  const linux = process.platform === 'linux';
  test.skipIf(!linux)(
    `is reached on 127.0.0.1 and on no other address${linux ? '' : ' (skipped: 127.0.0.2 is Linux only)'}`,
    async () => {
      const at = await start(folder('bound'));
      const port = Number(new URL(at.url).port);
      const reached = (host: string) =>
        new Promise<string>(resolve => {
          const socket = connect(port, host);
          socket.once('connect', () => resolve('connected'));
          socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
          socket.once('close', () => socket.destroy());
        });
      expect(await reached('127.0.0.1')).toBe('connected');
      // One that listens on every address listens on this one too.
      expect(await reached('127.0.0.2')).toBe('ECONNREFUSED');
      expect(await reached('::1')).not.toBe('connected');
    },
  );

  test("serves a repository of one's own with a script of replies for it", async () => {
    const replies = join(temporary, 'replies.json');
    writeFileSync(replies, '{"version": 1, "replies": []}');
    const repo = join(temporary, 'mine');
    execFileSync('git', ['init', '--quiet', repo]);
    const as = ['-c', 'user.name=you', '-c', 'user.email=you@example.com'];
    execFileSync('git', [...as, 'commit', '--quiet', '--allow-empty', '--message', 'One'], { cwd: repo });
    const data = folder('own');
    const at = await serving(['--data', data, '--port', '0', '--repo', repo, '--script', replies]);
    await at.api('GET', '/repos/you/mine');
    at.kill('SIGTERM');
    await at.ended;
    const again = await serving(['--data', data, '--port', '0', '--script', replies]);
    await again.api('GET', '/repos/you/mine');
  });
});

describe('what is asked for wrongly', () => {
  test('a port in use: a sentence, and the same folder works on another port', {
    timeout: 30_000,
  }, async () => {
    const taken = createServer();
    await new Promise<void>(done => taken.listen(0, '127.0.0.1', done));
    const { port } = taken.address() as AddressInfo;
    try {
      const data = folder('port');
      const ran = await runCli(['serve', '--port', String(port), '--data', data]);
      expect(ran).toEqual({
        code: 1,
        stdout: '',
        stderr: `echelon serve: port ${port} is in use; choose another with --port\n`,
      });
      const at = await start(data);
      await at.api('GET', sample);
    } finally {
      await new Promise(done => taken.close(done));
    }
  });

  test('a data folder in use: a sentence, and it is free again at the end, by SIGKILL too', {
    timeout: 60_000,
  }, async () => {
    const data = folder('used');
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const at = await start(data);
      const second = await runCli(['serve', '--port', '0', '--data', data], { refused: true });
      expect(second).toMatchObject({ code: 2, stdout: '' });
      expect(second.stderr).toMatch(/^--data \S+ is in use by another process; .*\n$/);
      at.kill(signal);
      await at.ended;
    }
    expect(existsSync(join(data, 'lock'))).toBe(false);
  });

  const bare = join(temporary, 'bare');
  mkdirSync(bare);
  const unborn = join(temporary, 'unborn');
  execFileSync('git', ['init', '--quiet', unborn]);
  const file = join(temporary, 'file');
  writeFileSync(file, '');

  const own = join(temporary, 'own');
  execFileSync('git', ['init', '--quiet', own]);
  const as = ['-c', 'user.name=you', '-c', 'user.email=you@example.com'];
  execFileSync('git', [...as, 'commit', '--quiet', '--allow-empty', '--message', 'One'], { cwd: own });
  const kept = join(temporary, 'kept');
  mkdirSync(join(kept, 'forge/git/you/own.git'), { recursive: true });
  const needed = 'needs ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment, or --script <file>';

  const never = join(temporary, 'never-made');
  test.each<{ args: string[]; env?: Record<string, string>; says: string[] }>([
    { args: ['--repo', '/no/such'], says: ['--repo /no/such: not found'] },
    { args: ['--repo', bare], says: [`--repo ${bare}: not a git repository`] },
    { args: ['--repo', unborn], says: [`--repo ${unborn}: has no commit yet`] },
    { args: ['--repo', file], says: [`--repo ${file}: not a git repository`] },
    { args: ['--repo', own], says: [`--repo ${needed}: the sample's script fits the sample only`] },
    { args: ['--repo', own], env: { ANTHROPIC_API_KEY: ' ' }, says: [`--repo ${needed}`] },
    { args: ['--data', kept], says: [`the repository that --data ${kept} holds ${needed}`] },
    { args: ['--port', 'abc'], says: ['--port abc: not a port'] },
    { args: ['--port', '70000'], says: ['--port 70000: not a port'] },
    { args: ['--port='], says: ['--port : not a port'] },
    { args: [], env: { PORT: 'abc' }, says: ['PORT: abc is not a port'] },
    { args: ['--prot', '1'], says: ['unknown option --prot; did you mean --port?'] },
    { args: ['--data', file], says: [file] },
    { args: ['--script', '/no/script'], says: ['--script /no/script: not found'] },
    { args: ['extra', '--port', 'x', '--repo', '/no'], says: ['extra', '--port x', '/no: not found'] },
    { args: [], env: { APP_ID: '1' }, says: ['PRIVATE_KEY and WEBHOOK_SECRET'] },
    { args: [], env: { APP_ID: '1', WEBHOOK_SECRET: 's' }, says: ['PRIVATE_KEY'] },
    {
      args: [],
      env: { APP_ID: '1', WEBHOOK_SECRET: 's', PRIVATE_KEY: 'no key' },
      says: ['PRIVATE_KEY: not a private key'],
    },
    { args: [], env: { LOG_LEVEL: 'loud' }, says: ['LOG_LEVEL: loud is not a level'] },
  ])('$args $env', async ({ args, env, says }) => {
    const ran = await runCli(['serve', ...(args.includes('--data') ? [] : ['--data', never]), ...args], {
      ...(env && { env }),
      refused: true,
    });
    expect(ran.code).toBeOneOf([1, 2]);
    expect(ran.stdout).toBe('');
    for (const text of says) expect(ran.stderr).toContain(text);
    expect(ran.stderr).not.toContain('    at ');
    expect(existsSync(never)).toBe(false);
  });
});

/** Paths of the files with that name in the folders of `parent`. */
function filesNamed(parent: string, name: string): string[] {
  try {
    return readdirSync(parent, { recursive: true, encoding: 'utf8' }).filter(path =>
      path.endsWith(`/${name}`),
    );
  } catch {
    return [];
  }
}

describe('a file of variables', () => {
  const cwd = folder('dotenv');
  const started = (args: string[], env: Record<string, string> = {}) =>
    runCli(['serve', '--data', cwd, ...args], { cwd, env, refused: true });
  beforeAll(() => writeFileSync(join(cwd, '.env'), 'PORT=from-the-file\nANTHROPIC_BASE_URL=nowhere\n'));

  test('that lies in the folder of the start sets nothing, and is named', async () => {
    const { stderr } = await started([], { PORT: 'set' });
    expect(stderr).toContain('PORT: set is not a port');
    expect(stderr).not.toContain('ANTHROPIC_BASE_URL');
    expect(stderr).toContain('--env .env takes its variables up');
  });
  test('that is named sets what is not set', async () => {
    const file = ['--env', '.env'];
    const address = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    expect((await started(file)).stderr).toContain('ANTHROPIC_BASE_URL: not an address');
    expect((await started(file, { ...address, PORT: 'set' })).stderr).toContain('PORT: set is not a port');
    expect((await started(file, address)).stderr).toContain('PORT: from-the-file is not a port');
    expect((await started(['--env', 'none'])).stderr).toContain('--env none: ');
  });
});

test('HOST: the forge listens there, and one that is not of this machine is named', async () => {
  const at = await serving(['--data', folder('host'), '--port', '0'], { env: { HOST: '127.0.0.3' } });
  expect(new URL(at.url).hostname).toBe('127.0.0.3');
  expect((await fetch(`${at.url}/`)).status).toBe(403);
  const ran = await runCli(['serve', '--data', folder('nohost'), '--port', '0'], {
    env: { HOST: '192.0.2.1' },
  });
  expect([ran.code, ran.stderr]).toEqual([
    1,
    expect.stringContaining('HOST: 192.0.2.1 is no address of this machine'),
  ]);
});
