// `npm run demo -- --via actions`: a story to the last merge, worked by the workflows of this repository on a forge that runs them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Outcome } from './demo-outcome.ts';
import { playsAll } from '../../crash/sample.ts';
import { type Ran, runCli } from './run-cli.ts';

const temporary = mkdtempSync(join(tmpdir(), 'echelon-demo-actions-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Without the run's own id. Pull requests, which have the numbers in which issues happen to be done, by their branch. */
function comparable({ run, issues, pulls, comments, calls }: Outcome) {
  const named = (branch: string) => branch.replace(/^echelon\/[^/]+\//, '');
  return {
    run,
    issues: issues.map(({ pull: _, ...issue }) => ({ ...issue, branch: named(issue.branch ?? '') })),
    pulls: pulls
      .map(({ number: _, ...pull }) => ({ ...pull, head: named(pull.head), base: named(pull.base) }))
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
  test('ends with all merged, one of them after a round of review', () => {
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('the scripted model plays script.json; no language model is asked');
    expect(ran.stderr).toMatch(/requests changes on #\d+/);
    expect(outcome.run).toMatchObject({ status: 'completed', phase: 'done' });
    expect([outcome.comments, outcome.calls.model]).toEqual([6, 27]);
    expect(
      outcome.issues.map(({ domain, state, merged, attempts }) => [domain, state, merged, attempts]),
    ).toEqual(['backend', 'frontend', 'frontend', 'docs'].map(domain => [domain, 'done', true, 1]));
    for (const { number, branch, pull } of outcome.issues)
      expect(outcome.pulls.find(each => each.number === pull)).toMatchObject({
        ...{ base: 'main', draft: false, head: branch, rounds: number === 2 ? 2 : 1 },
        tests: { command: 'npm test', exit_code: 0 },
      });
  });

  test.runIf(playsAll)(
    'ends as by the App: the same issues, branches, pull requests, comments and calls',
    async () => {
      const app = await runCli(['demo', '--json', '--story', 'review'], { env: { TMPDIR: temporary } });
      expect(app.code, app.stderr).toBe(0);
      expect(app.stderr).toContain('round 1 is answered');
      expect(comparable(outcome)).toEqual(
        comparable(Outcome.parse(JSON.parse(app.stdout.trim().split('\n').at(-1)!))),
      );
    },
    600_000,
  );

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
