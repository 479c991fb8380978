// The check on the repository's own runner, by the workflow that `init` writes: what it finds, and what it leaves behind.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { caller } from '../../../src/app/github/octokit.ts';
import { tokenClient } from '../../../src/app/github/token-client.ts';
import { checkOnGithub } from '../../../src/doors/cli/doctor/on-github.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { bubblewrapFault } from '../../../packages/ground/workspace/isolation.ts';
import { differences, recordedIn } from '../../forge/recorded.ts';
import { messagesServer, says } from '../../engine/models/server.ts';
import { shortened } from '../../until.ts';
import { startCli } from '../cli/run-cli.ts';
import { type OneIssue, openOneIssue, person } from './one-issue.ts';

const recordings = join(import.meta.dirname, '../../forge/recorded');
const temporary = mkdtempSync(join(tmpdir(), 'echelon-check-'));
const fault = await bubblewrapFault();
const key = 'sk-ant-a-key-that-nobody-may-see';

let server: Awaited<ReturnType<typeof messagesServer>>;
let repository: OneIssue;
beforeAll(async () => {
  server = await messagesServer(
    Array.from({ length: 20 }, () => says([{ type: 'text', text: 'OK' }], 'end_turn')),
  );
  const files = { '.github/echelon.yml': 'test: sh test.sh\n', 'test.sh': 'test -e test.sh\n' };
  repository = await openOneIssue(files, { processes: true });
  repository.set('ANTHROPIC_API_KEY', key);
  repository.forge.setActionValue(person, 'work', 'variable', 'ANTHROPIC_BASE_URL', server.url);
}, 120_000);
afterAll(async () => {
  await repository.close();
  await server[Symbol.asyncDispose]();
  rmSync(temporary, { recursive: true, force: true });
});

/** By name: how each thing stands. */
async function check(write: boolean, record?: string) {
  const { forge } = repository;
  const findings = await checkOnGithub({
    client: tokenClient(forge.tokenFor(person), forge.api),
    calls: caller(systemClock, sharedWait(systemClock)),
    clock: { now: systemClock.now, sleep: async () => await setTimeout(100) },
    place: { owner: person, repo: 'work' },
    defaultBranch: 'main',
    ...{ write, record, say() {} },
  });
  return { findings, states: Object.fromEntries(findings.map(({ what, state }) => [what, state])) };
}

const mayOpenPulls = (may: boolean) =>
  repository.call('PUT', '/actions/permissions/workflow', { can_approve_pull_request_reviews: may });

test.skipIf(fault !== undefined)(
  'all is well, with --write: each thing was tried, nothing is left open, and no secret is in the record',
  async () => {
    await mayOpenPulls(true);
    const file = join(temporary, 'record.jsonl');
    const { findings, states } = await check(true, file);
    expect(findings.filter(({ state }) => state !== 'well')).toEqual([]);
    expect(Object.keys(states)).toEqual(
      expect.arrayContaining([
        'sandbox',
        'tests',
        'minutes',
        'dispatch',
        'comment',
        'branch',
        'draft pull request',
      ]),
    );
    const models = Object.keys(states).filter(what => what.startsWith('model '));
    expect(models.length).toBe(server.received.length);
    expect(await repository.call('GET', '/pulls?state=closed')).toMatchObject([{ draft: true }]);
    expect(await repository.call('GET', '/issues?state=open')).toEqual([]);
    const refs = await repository.call('GET', '/git/matching-refs/heads/echelon/');
    expect(refs).toEqual([]);
    const record = readFileSync(file, 'utf8');
    expect(record).toContain('"route":"/repos/{owner}/{repo}/pulls"');
    expect(record).not.toContain(key);
    expect(record).not.toContain('Echelon check');
    // A file that was recorded on GitHub goes into this folder, and shows where the local GitHub answers otherwise.
    for (const name of readdirSync(recordings))
      expect(
        differences(recordedIn(readFileSync(join(recordings, name), 'utf8')), recordedIn(record)),
      ).toEqual([]);
  },
  120_000,
);

test('where Actions may open no pull requests, it names the switch, and leaves no branch', async () => {
  await mayOpenPulls(false);
  const { findings } = await check(true);
  expect(findings.find(({ what }) => what === 'draft pull request')).toMatchObject({
    state: 'missing',
    detail: expect.stringContaining('Allow GitHub Actions to create and approve pull requests'),
  });
  expect(await repository.call('GET', '/git/matching-refs/heads/echelon/')).toEqual([]);
}, 120_000);

test.skipIf(fault !== undefined)(
  'the command: the check, and with --scripted a draft on branches of its own whose tests passed on the runner',
  async () => {
    const { forge } = repository;
    const env = { GITHUB_API_URL: forge.api, GITHUB_TOKEN: forge.tokenFor(person), ...shortened(5000) };
    const options = ['--on-github', '--scripted', '--json', '--repo', `${person}/work`];
    const { stdout, stderr } = await startCli(['doctor', ...options], { env }).ended;
    expect(stderr).toContain('the check runs: ');
    const { findings } = JSON.parse(stdout);
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: 'tests', state: 'well' }),
        expect.objectContaining({
          what: 'sample',
          state: 'well',
          detail: expect.stringContaining('tests exited 0 on the runner'),
        }),
      ]),
    );
    const pull = await repository.pull();
    expect(pull).toMatchObject({ draft: true, body: expect.stringContaining('no model was called') });
    const refs = z
      .array(z.object({ ref: z.string() }))
      .parse(await repository.call('GET', '/git/matching-refs/heads/echelon/'));
    const head = `refs/heads/${pull?.head.ref}`;
    expect(refs.map(({ ref }) => ref)).toEqual([head.replace(/-work$/, ''), head]);
  },
  240_000,
);
