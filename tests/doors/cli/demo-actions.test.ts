// `npm run demo -- --via actions`: a story to the last merge, worked by the workflows of this repository on a forge that runs them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Ran, runCli } from './run-cli.ts';

/** What both ways have to agree on. Pull requests have the numbers in which issues happen to be done. */
const Outcome = z.object({
  run: z.object({ status: z.string(), cost_usd: z.number() }),
  issues: z.array(
    z.object({
      number: z.int(),
      title: z.string(),
      state: z.string(),
      attempts: z.int(),
      branch: z.string(),
      merged: z.boolean(),
    }),
  ),
  pulls: z.array(
    z.object({
      draft: z.boolean(),
      head: z.string(),
      base: z.string(),
      title: z.string(),
      tests: z.object({ command: z.string(), exit_code: z.number() }),
      rounds: z.int(),
    }),
  ),
  comments: z.int(),
  calls: z.object({ model: z.int(), github_read: z.int(), github_write: z.int() }),
  jobs: z.int(),
});
type Outcome = z.infer<typeof Outcome>;

const temporary = mkdtempSync(join(tmpdir(), 'echelon-demo-actions-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Without the run's own id, and pull requests by their branch. */
function comparable({ run, issues, pulls, comments, calls }: Outcome) {
  const named = (branch: string) => branch.replace(/^echelon\/[^/]+\//, '');
  return {
    run,
    issues: issues.map(issue => ({ ...issue, branch: named(issue.branch) })),
    pulls: pulls
      .map(pull => ({ ...pull, head: named(pull.head), base: named(pull.base) }))
      .sort((a, b) => a.head.localeCompare(b.head)),
    comments,
    model: calls.model,
  };
}

describe('the review', () => {
  let ran: Ran;
  let outcome: Outcome;
  beforeAll(async () => {
    ran = await runCli(['demo', '--json', '--story', 'review', '--via', 'actions'], {
      env: { TMPDIR: temporary },
    });
    outcome = Outcome.parse(JSON.parse(ran.stdout));
  }, 600_000);

  // An engineer answers the reviewer, and a person merges in the order given.
  test('ends as by the App: the same issues, branches, pull requests, comments and model calls', async () => {
    const app = await runCli(['demo', '--json', '--story', 'review'], { env: { TMPDIR: temporary } });
    expect(app.stderr).toContain('the scripted model plays script.json; no language model is asked');
    expect([ran.code, app.code], ran.stderr + app.stderr).toEqual([0, 0]);
    const byApp = Outcome.parse(JSON.parse(app.stdout.trim().split('\n').at(-1)!));
    expect(byApp.run.status).toBe('completed');
    expect(byApp.issues.map(({ state, merged }) => [state, merged])).toEqual(Array(4).fill(['done', true]));
    expect(byApp.pulls.every(pull => pull.base === 'main')).toBe(true);
    expect(app.stderr).toMatch(/requests changes on #\d+/);
    expect(app.stderr).toContain('round 1 is answered');
    expect(comparable(outcome)).toEqual(comparable(byApp));
  }, 600_000);

  test('each issue has an engineer and a job that delivers; the tests at the base too', () => {
    const engineers = outcome.issues.reduce((sum, { attempts }) => sum + attempts, 1);
    expect(outcome.jobs).toBeGreaterThanOrEqual(2 * engineers);
  });

  test('stays far below the calls an hour that a token of Actions has', () => {
    expect(outcome.calls.github_read + outcome.calls.github_write).toBeLessThan(300);
  });

  test('no folder of it is left', () => {
    expect(readdirSync(temporary)).toEqual([]);
  });
});
