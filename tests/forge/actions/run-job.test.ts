// A job carried out: its steps in order, what they see and tell, how they end, and what is left of them: nothing.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { StepSpec } from '../../../packages/forge/actions/planned-job.ts';
import type { StepState } from '../../../packages/forge/actions/planned-job.ts';
import { until } from '../../until.ts';
import { clockThatSkips, github, openRunner, type TestRunner } from './lone-runner.ts';

let opened: TestRunner | undefined;
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
});
const open = (...skipped: number[]) => (opened = openRunner(clockThatSkips(...skipped)));

const conclusions = (steps: StepState[]) =>
  Object.fromEntries(steps.map(({ name, conclusion }) => [name, conclusion]));

describe('shells', () => {
  test.each<[shell: string | undefined, script: string, conclusion: string]>([
    [undefined, 'false | true\necho $0 > /dev/null', 'success'],
    [undefined, 'false\ntrue', 'failure'],
    ['bash', 'false | true', 'failure'],
    ['bash', '[[ $- == *e* ]] && shopt -q -o pipefail', 'success'],
    ['sh', 'false | true', 'success'],
    ['sh', 'false\ntrue', 'failure'],
  ])('%s: %j', async (shell, run, conclusion) => {
    const ran = await open().run([{ run, ...(shell !== undefined && { shell }) }]);
    expect(ran.conclusion).toBe(conclusion);
  });

  test('a script that fails says with which code', async () => {
    const { remarks } = await open().run([{ run: 'exit 3' }]);
    expect(remarks).toEqual([{ level: 'error', message: 'Process completed with exit code 3.' }]);
  });

  test('defaults of the job hold where the step says nothing', async () => {
    const defaults = { shell: 'sh', 'working-directory': 'below' };
    const { log } = await open().run({
      defaults,
      steps: [
        { run: 'mkdir below', 'working-directory': '.' },
        { run: 'basename $(pwd); false | true' },
        { run: 'basename $(pwd)', 'working-directory': '.' },
      ],
    });
    expect(log.filter(line => /^(below|work)$/.test(line))).toEqual(['below', 'work']);
  });

  test('a folder that is not there fails the step', async () => {
    const { conclusion, remarks } = await open().run([{ run: 'true', 'working-directory': 'none' }]);
    expect([conclusion, remarks[0]?.message]).toEqual([
      'failure',
      expect.stringMatching(/work\.yml:10: .*cannot be started/),
    ]);
  });
});

describe('conditions', () => {
  test('a failed step leaves out what asks for success', async () => {
    const ran = await open().run([
      { id: 'bad', name: 'bad', run: 'false' },
      { name: 'plain', run: 'true' },
      { name: 'failure', if: 'failure()', run: 'true' },
      { name: 'outcome', if: "always() && steps.bad.outcome == 'failure'", run: 'true' },
      { name: 'cancelled', if: 'cancelled()', run: 'true' },
      { name: 'both', if: 'success() || failure()', run: 'true' },
    ]);
    expect(conclusions(ran.steps)).toMatchObject({
      bad: 'failure',
      plain: 'skipped',
      failure: 'success',
      outcome: 'success',
      cancelled: 'skipped',
      both: 'success',
    });
    expect(ran.conclusion).toBe('failure');
  });

  test('a tolerated failure is an outcome and no conclusion', async () => {
    const ran = await open().run([
      { id: 'bad', run: 'false', 'continue-on-error': '${{ true }}' },
      {
        name: 'next',
        run: 'test "${{ steps.bad.outcome }} ${{ steps.bad.conclusion }}" = "failure success"',
      },
    ]);
    expect(ran.conclusion).toBe('success');
  });

  test('a condition that cannot be evaluated fails the step, with its place', async () => {
    const { conclusion, remarks } = await open().run([{ if: 'nothing.here', run: 'true' }]);
    expect([conclusion, remarks[0]?.message]).toEqual([
      'failure',
      expect.stringMatching(/work\.yml:10: nothing\.here/),
    ]);
  });
});

describe('what steps see', () => {
  test('variables: the job over the workflow, GITHUB_ENV over the job, the step over all', async () => {
    const { log } = await open().run({
      env: [
        { A: 'workflow', B: 'workflow', C: 'workflow' },
        { B: 'job', C: 'job' },
      ],
      steps: [
        { run: 'echo "C=file" >> "$GITHUB_ENV"; echo "D=file" >> "$GITHUB_ENV"; echo "now $C"' },
        { run: 'echo "$A $B $C $D $E ${{ env.C }}"', env: { D: 'step', E: '${{ env.A }}!' } },
        { run: 'echo "again $D"' },
      ],
    });
    expect(log).toEqual(
      expect.arrayContaining(['now job', 'workflow job file step workflow! file', 'again file']),
    );
  });

  test('outputs by id, over several lines, and the outputs of the job', async () => {
    const { outputs, log } = await open().run({
      outputs: {
        whole: '${{ steps.a.outputs.one }}-${{ steps.a.outputs.two }}',
        none: '${{ steps.a.outputs.x }}',
      },
      steps: [
        { id: 'a', run: 'printf "one=1\\ntwo<<E\\nx\\ny\\nE\\n" >> "$GITHUB_OUTPUT"' },
        { run: 'echo "seen ${{ steps.a.outputs.one }}"' },
      ],
    });
    expect(outputs).toEqual({ whole: '1-x\ny' });
    expect(log).toContain('seen 1');
  });

  test('additions to PATH, the last one first', async () => {
    const { log } = await open().run([
      {
        run: 'for n in a b; do mkdir $n; printf "#!/bin/sh\\necho $n" > $n/tool; chmod +x $n/tool; echo "$PWD/$n" >> "$GITHUB_PATH"; done',
      },
      { run: 'tool' },
    ]);
    expect(log).toContain('b');
  });

  test('the event, the folders, and the default variables', async () => {
    const contexts = { github: { ...github(), event: { action: 'labeled' } }, secrets: {} };
    const { log } = await open().run({
      contexts,
      steps: [
        { run: 'cat "$GITHUB_EVENT_PATH"; ls -A' },
        {
          run: 'for v in HOME RUNNER_TEMP RUNNER_TOOL_CACHE GITHUB_WORKSPACE TMPDIR; do test -w "${!v}" && echo "ok $v"; done',
        },
        {
          run: 'echo "$CI $GITHUB_ACTIONS $GITHUB_REPOSITORY $GITHUB_SHA $RUNNER_OS ${{ runner.os }} ${{ github.token }}"',
        },
      ],
    });
    expect(log).toContain('  "action": "labeled"');
    expect(log.filter(line => line.startsWith('ok ')).length).toBe(5);
    expect(log).toContain(`true true olga/work ${'0'.repeat(40)} Linux Linux ***`);
  });

  test("the environment holds nothing of the forge's own process", async () => {
    process.env['FORGE_TEST_CANARY'] = 'canary';
    try {
      const { log } = await open().run([{ run: 'env -0 | tr "\\0\\n" "\\n " | sed "s/=.*//" | sort' }]);
      const names = log.filter(line => /^[A-Z_]+$/.test(line) && !/^(GITHUB|RUNNER)_/.test(line));
      // Bash adds the last four.
      expect(new Set(names)).toEqual(
        new Set(
          ['CI', 'HOME', 'LANG', 'PATH', 'TMPDIR', 'OLDPWD', 'PWD', 'SHLVL', '_'].filter(
            name => name !== 'OLDPWD',
          ),
        ),
      );
    } finally {
      delete process.env['FORGE_TEST_CANARY'];
    }
  });

  test('steps are told as they go on', async () => {
    const seen: string[] = [];
    const onSteps = (steps: readonly StepState[]) =>
      seen.push(steps.map(({ status, conclusion }) => conclusion ?? status).join(' '));
    await open().run([{ run: 'true' }], { onSteps });
    expect(seen).toEqual([
      'in_progress',
      'success',
      'success in_progress',
      'success success',
      'success success in_progress',
      'success success success',
    ]);
  });
});

describe('secrets', () => {
  test('are masked in log and summary, in several forms', async () => {
    const secret = 'tiger-in-the-tank';
    const steps = [
      {
        run: 'echo "plain $S"; echo -n "$S" | base64; echo "::error::about $S"; echo "sum $S" >> "$GITHUB_STEP_SUMMARY"',
        env: { S: '${{ secrets.S }}' },
      },
      { run: 'echo "::add-mask::walrus-walrus"' },
      { run: 'echo "a walrus-walrus"' },
    ];
    const contexts = { github: github(), secrets: { S: secret } };
    const { log, summary } = await open().run({ contexts, steps }, { secrets: [secret] });
    expect(log).toEqual(expect.arrayContaining(['plain ***', 'a ***', '##[error]about ***']));
    const all = [...log, summary].join('\n');
    expect(all).not.toContain(secret);
    expect(all).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
    expect(summary).toBe('sum ***\n\n');
  });

  test('an output of the job that holds one is left out', async () => {
    const ran = await open().run(
      {
        outputs: { safe: 'x', bad: '${{ steps.a.outputs.s }}', token: '${{ github.token }}' },
        steps: [{ id: 'a', run: 'echo "s=tiger-in-the-tank" >> "$GITHUB_OUTPUT"' }],
      },
      { secrets: ['tiger-in-the-tank'] },
    );
    expect(ran.outputs).toEqual({ safe: 'x' });
    expect(ran.log).toContain("##[warning]Skip output 'bad' since it may contain secret.");
  });

  test('outputs of more than a megabyte fail the job', async () => {
    const ran = await open().run({
      outputs: { big: '${{ steps.a.outputs.s }}' },
      steps: [{ id: 'a', run: 'echo "s=$(head -c 600000 /dev/zero | tr "\\0" x)" >> "$GITHUB_OUTPUT"' }],
    });
    expect([ran.conclusion, ran.outputs]).toEqual(['failure', {}]);
  });
});

describe('the end of a job', () => {
  /** Runs steps of which one writes `ready`, and cancels then. */
  async function cancelled(runner: TestRunner, ...steps: Partial<StepSpec>[]) {
    const abort = new AbortController();
    const running = runner.run(steps, { signal: abort.signal });
    await until('the step is at work', () => found(runner, 'ready') || undefined);
    abort.abort(new Error('cancelled'));
    return running;
  }

  const found = (runner: TestRunner, name: string) =>
    existsSync(runner.work) &&
    readdirSync(runner.work, { recursive: true }).some(path => String(path).endsWith(name));

  test('a cancelled step hears SIGINT and may clean up', async () => {
    const { conclusion, steps, log } = await cancelled(
      open(),
      {
        name: 'long',
        run: 'trap "echo interrupted; exit 0" INT; touch ready; while :; do read -t 0.05 < <(:) || :; done',
      },
      { name: 'plain', run: 'true' },
      { name: 'always', if: 'always()', run: 'echo "status ${{ job.status }}"' },
    );
    expect(conclusion).toBe('cancelled');
    expect(conclusions(steps)).toMatchObject({ long: 'cancelled', plain: 'skipped', always: 'success' });
    expect(log).toEqual(expect.arrayContaining(['interrupted', 'status cancelled']));
  });

  test('one that ignores SIGINT hears SIGTERM after 7.5 s, and is killed 2.5 s later', async () => {
    const run =
      'trap "" INT; trap "echo terminated" TERM; touch ready; while :; do read -t 0.05 < <(:) || :; done';
    const { conclusion, log } = await cancelled(open(7500, 2500), { run });
    expect([conclusion, log.includes('##[error]The operation was canceled.')]).toEqual(['cancelled', true]);
  });

  test('a step that asked for always() goes on', async () => {
    const runner = open();
    const abort = new AbortController();
    const go = `${runner.work}-go`;
    const stays = `touch ready; for _ in {1..1000}; do [ -e '${go}' ] && exit 0; sleep 0.02; done; exit 1`;
    const running = runner.run([{ name: 'stays', if: 'always()', run: stays }], { signal: abort.signal });
    await until('the step is at work', () => found(runner, 'ready') || undefined);
    abort.abort(new Error('cancelled'));
    writeFileSync(go, '');
    expect(conclusions((await running).steps)['stays']).toBe('success');
    rmSync(go);
  });

  test('a step past its time fails', async () => {
    const { conclusion, log } = await open(60_000, 7500, 2500).run([
      { name: 'slow', run: 'sleep 600', 'timeout-minutes': '${{ 1 }}' },
    ]);
    expect(conclusion).toBe('failure');
    expect(log).toContain("##[error]The action 'slow' has timed out after 1 minutes.");
  });

  test('a job past its time is cancelled, as GitHub has it', async () => {
    const ran = await open(120_000, 7500, 2500).run({ timeoutMinutes: 2, steps: [{ run: 'sleep 600' }] });
    expect(ran.conclusion).toBe('cancelled');
    expect(ran.remarks[0]?.message).toBe('The job has exceeded the maximum execution time of 2 minutes.');
  });

  test('a job that was cancelled before it began does nothing', async () => {
    const ran = await open().run([{ run: 'true' }], { signal: AbortSignal.abort() });
    expect(ran).toMatchObject({ conclusion: 'cancelled', steps: [] });
  });

  test('what was left running is ended, and the folders are gone', async () => {
    const runner = open();
    const { log, conclusion } = await runner.run([
      {
        run: 'sleep 600 > /dev/null 2>&1 & echo "pid $!"; (setsid sleep 600 > /dev/null 2>&1 & echo "pid $!")',
      },
      { run: 'cd / && (setsid sleep 600 > /dev/null 2>&1 & echo "pid $!")' },
      { run: 'env -i sh -c "sleep 600 > /dev/null 2>&1 & echo pid \\$!"' },
      { run: 'mkdir -p a/b && touch a/b/c && chmod 0 a/b a' },
    ]);
    const pids = log.flatMap(line => /^pid (\d+)$/.exec(line)?.[1] ?? []);
    expect([conclusion, pids.length]).toEqual(['success', 4]);
    await until('they ended', () => pids.every(pid => !existsSync(`/proc/${pid}/exe`)) || undefined);
    expect(readdirSync(runner.work)).toEqual([]);
  });
});
