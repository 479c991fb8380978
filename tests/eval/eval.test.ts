// `npm run eval`: its directives, its scores, and the whole of it on sessions in `recorded/`, which were written by hand,
// played by the scripted model and recorded: no language model has answered here.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { block, issues, plan, strategist, teamLead, work } from '../dialogue/script.ts';
import { lacking } from './commands.ts';
import { directives } from './directives.ts';
import { playMini } from './mini.ts';
import { help, planOf } from './plan.ts';
import { type Row, skippedRow, table, totalsOf } from './report.ts';
import { type RolesScore, scoreRoles } from './roles.ts';

const root = mkdtempSync(join(tmpdir(), 'echelon-eval-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const all = directives();
const first = all[0]!;

test('there are ten directives in four languages', () => {
  expect(all).toHaveLength(10);
  expect(new Set(all.map(({ language }) => language))).toEqual(
    new Set(['JavaScript', 'TypeScript', 'Python', 'shell']),
  );
});

test.each(all)('$id: the project is green, and what is hidden is red until it is solved', directive => {
  const tree = mkdtempSync(join(root, `${directive.id}-`));
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const exit = (command: string) => spawnSync(command, { cwd: tree, shell: true, env }).status;
  const lay = (part: string, into = tree) => cpSync(join(directive.folder, part), into, { recursive: true });
  lay('project');
  expect(exit(directive.test)).toBe(0);
  lay('hidden', join(tree, 'hidden'));
  expect(exit(directive.hidden)).not.toBe(0);
  lay('solution');
  expect(exit(directive.hidden)).toBe(0);
});

const eval_ = (...args: string[]) => {
  const temporary = mkdtempSync(join(root, 'run-'));
  const cache = join(import.meta.dirname, '../../src/doors/compile-cache.js');
  const child = spawn(process.execPath, ['--import', cache, join(import.meta.dirname, 'run.ts'), ...args], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>(resolve => child.on('close', resolve));
  return { child, exit, temporary };
};

/** Runs it to its end on what is recorded; nothing it made is left then. */
async function evaluated(...args: string[]) {
  const model = `scripted:${join(import.meta.dirname, 'recorded')}`;
  const { child, exit, temporary } = eval_('--model', model, '--json', ...args);
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  expect(readdirSync(temporary)).toEqual([]);
  const { totals, directives: rows } = JSON.parse(stdout || '{}') as {
    totals: ReturnType<typeof totalsOf>;
    directives: Row[];
  };
  return { status, stderr, totals, rows };
}

const good = { valid: true, acyclic: true, criteria: true, paths: true, issues: 1, why: [] };

// The engineer of js-slug goes on only where `ls hidden` has found nothing.
test('two directives are played to their end: roles, hidden tests, what was used', {
  timeout: 180_000,
}, async () => {
  const { status, stderr, totals, rows } = await evaluated('--only', 'js-slug,py-roman');
  const played = {
    passed: true,
    roles: good,
    engineer: { issues: 1, delivered: 1, rounds: 1, hidden: true },
  };
  expect({ rows, stderr }).toMatchObject({
    rows: [
      { directive: 'js-slug', ...played, calls: 7, tokens: { input: 21_000, output: 1870 } },
      { directive: 'py-roman', ...played, calls: 5, cost_usd: expect.closeTo(0.088) },
    ],
    stderr: expect.stringContaining('[2/2] py-roman (Python): Read Roman numerals'),
  });
  expect(totals).toMatchObject({ played: 2, passed: 2, skipped: 0, calls: 12 });
  expect(stderr).toMatch(/^py-roman +yes +yes +yes +yes +1\/1 +yes +5 +14900 +1430 +0\.088 +\d+ +passed$/m);
  expect(status).toBe(0);
});

test('a wrong result that its own tests and its evaluator accept has failed', {
  timeout: 120_000,
}, async () => {
  const { status, rows } = await evaluated('--only', 'sh-rotate', '--engineer');
  expect(rows).toMatchObject([
    {
      ...{ directive: 'sh-rotate', passed: false },
      engineer: { issues: 1, delivered: 1, hidden: false },
      why: [expect.stringContaining('the hidden tests failed: failed: an empty file was rotated')],
    },
  ]);
  expect(rows[0]).not.toHaveProperty('roles');
  expect(status).toBe(1);
});

test('the layers alone work on nothing; where the budget is used up nothing more is played', {
  timeout: 120_000,
}, async () => {
  const { status, rows } = await evaluated('--only', 'js-slug,py-roman', '--roles', '--budget', '0.04');
  expect(rows).toMatchObject([
    { directive: 'js-slug', passed: true, roles: good, calls: 3 },
    {
      directive: 'py-roman',
      passed: false,
      calls: 0,
      why: [expect.stringContaining('the budget is used up')],
    },
  ]);
  expect(rows[0]).not.toHaveProperty('engineer');
  expect(status).toBe(1);
});

/** A copy of the project of js-slug, and a check that it was solved. */
function ownProject() {
  const { project, folder, hidden } = directives().find(({ id }) => id === 'js-slug')!;
  const own = mkdtempSync(join(root, 'own-'));
  cpSync(project, own, { recursive: true });
  const solved = () => {
    cpSync(join(folder, 'hidden'), join(own, 'hidden'), { recursive: true });
    return spawnSync(hidden, { cwd: own, shell: true }).status;
  };
  return { own, directive: join(folder, 'directive.md'), solved };
}
const slugScript = `scripted:${join(import.meta.dirname, 'recorded/js-slug.json')}`;

test('what is delivered is laid over a project of one’s own', { timeout: 120_000 }, async () => {
  const { own, directive, solved } = ownProject();
  const { exit } = eval_('--model', slugScript, '--project', own, '--directive', directive, '--engineer');
  expect([await exit, readdirSync(own).includes('.github'), solved()]).toEqual([0, false, 0]);
});

test.skipIf(!process.env['HARBOR_PYTHON'])(
  'Harbor runs it as an agent (skipped without HARBOR_PYTHON)',
  () => {
    const { own, directive, solved } = ownProject();
    const ran = spawnSync(
      process.env['HARBOR_PYTHON'] ?? '',
      ['try_agent.py', own, slugScript, mkdtempSync(join(root, 'h-'))],
      {
        cwd: join(import.meta.dirname, 'harbor'),
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
        input: readFileSync(directive),
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(ran.stdout || '{}'), ran.stderr).toMatchObject({
      cost_usd: 0.072,
      metadata: { calls: 4, why: [] },
    });
    expect(solved()).toBe(0);
  },
);

/** Stands for `mini`: solves the directive, and leaves a trajectory of the form of mini-swe-agent 2.4. */
const miniStub = (solution: string, ended = 0) => `#!/bin/sh
while [ "$1" != --output ]; do shift; done
cp -r ${solution}/. .
echo '{"info":{"model_stats":{"instance_cost":0.02,"api_calls":2}},"messages":[{"role":"system"},
  {"extra":{"response":{"usage":{"prompt_tokens":1000,"completion_tokens":50,"prompt_tokens_details":{"cached_tokens":400}}}}}]}' > "$2"
echo 'what it says' >&2; exit ${ended}`;

test.each([0, 1])('mini-swe-agent, which ends with %j, is judged by the same hidden tests', async ended => {
  const bin = mkdtempSync(join(root, 'bin-'));
  writeFileSync(join(bin, 'mini'), miniStub(join(first.folder, 'solution'), ended), { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const folder = mkdtempSync(join(root, 'mini-'));
  const signal = new AbortController().signal;
  const sandbox = { hostPath: process.env['PATH'] ?? '', signal, secretsPresent: false };
  const played = playMini(first, { ...sandbox, model: 'openai/x', budget: 1, folder, env });
  if (ended === 1) return await expect(played).rejects.toThrow('mini ended with 1: what it says');
  expect(await played).toMatchObject({
    ...{ directive: first.id, agent: 'mini-swe-agent', passed: true, calls: 2, cost_usd: 0.02 },
    tokens: { input: 600, output: 50, cache_read: 400 },
  });
});

test('Ctrl-C ends it with 130, and nothing is left', { timeout: 120_000 }, async () => {
  const model = `scripted:${join(import.meta.dirname, 'recorded/js-slug.json')}`;
  const { child, exit, temporary } = eval_('--model', model, '--only', 'js-slug');
  let told = '';
  for await (const piece of child.stderr.setEncoding('utf8')) {
    told += piece;
    // A second one would end it at once.
    if (told.includes('#2 is running') && !child.killed) child.kill('SIGINT');
  }
  expect({ exit: await exit, told }).toEqual({ exit: 130, told: expect.stringContaining('interrupted') });
  expect(readdirSync(temporary)).toEqual([]);
});

test('what a directive needs is looked for where jobs look, and what is skipped counts neither way', async () => {
  const place = {
    hostPath: process.env['PATH'] ?? '',
    secretsPresent: false,
    signal: new AbortController().signal,
  };
  const folder = mkdtempSync(join(root, 'needs-'));
  const why = await lacking({ ...first, language: 'Go', needs: 'exit 3' }, { ...place, folder });
  expect(why).toBe('what Go needs is not here: exit 3');
  expect(await lacking({ ...first, needs: 'test -d .' }, { ...place, folder })).toBeUndefined();
  const rows = [skippedRow(first, why ?? '')];
  expect(totalsOf(rows)).toMatchObject({ played: 0, passed: 0, skipped: 1 });
  expect(table(rows)).toContain('skipped: what Go needs is not here');
});

describe('roles', () => {
  const leads = [
    strategist('As directed.', plan('As directed.')),
    { for: 'eng-lead', text: 'Nothing to add.' },
  ];
  const whole = { title: 'One', body: 'Do it.\n\n- [ ] It is done', paths: ['src/**'], domain: 'backend' };
  const said = (...replies: { for: string; text?: string }[]) =>
    replies.map(({ for: layer, text = '' }) => ({ layer: layer as '2ic', text }));
  const of = (...replies: { for: string; text?: string }[]): RolesScore =>
    scoreRoles(said(...leads, ...replies));

  test('a whole list', () => expect(of(teamLead('', issues(whole), work))).toEqual(good));

  test('what was drafted is taken over by number', () => {
    const draft = { for: 'eng-lead', text: block({ draft: [whole, { ...whole, title: 'Two' }] }) };
    const taken = teamLead('', { action: 'create_issues', issues: [{ draft: 2 }, { draft: 1 }] }, work);
    expect(of(draft, taken)).toEqual({ ...good, issues: 2 });
  });

  test.each<[string, Partial<RolesScore>, { for: string; text?: string }[]]>([
    [
      'no issues',
      { valid: false, acyclic: false, criteria: false, paths: false },
      [teamLead('Nothing.', work)],
    ],
    ['nothing scheduled', { valid: false }, [teamLead('', issues(whole))]],
    ['a layer that did not reply', { valid: false }, []],
    ['an action of another layer', { valid: false }, [teamLead('', issues(whole), plan('Mine.'), work)]],
    [
      'a block that is none',
      { valid: false },
      [teamLead('', issues(whole), work), { for: 'eng-lead', text: '```json\n{\n```' }],
    ],
    [
      'a question',
      { valid: false },
      [teamLead('', issues(whole), work, { action: 'request_info', target: 'ceo', question: 'Why?' })],
    ],
    ['no criteria', { criteria: false }, [teamLead('', issues({ ...whole, body: 'Do it.' }), work)]],
    ['no paths', { paths: false }, [teamLead('', issues({ ...whole, paths: [] }), work)]],
    [
      'a cycle, mended afterwards',
      { valid: false, acyclic: false },
      [
        teamLead('', issues({ ...whole, depends_on: [2] }, { ...whole, depends_on: [1] })),
        teamLead('', issues(whole), work),
      ],
    ],
  ])('%s', (_name, marks, replies) => {
    const { why, ...score } = of(...replies);
    const expected = { valid: true, acyclic: true, criteria: true, paths: true, ...marks };
    if (replies.length > 0) expect(score).toMatchObject(expected);
    expect({ why: why.length > 0, valid: score.valid }).toEqual({ why: true, valid: expected.valid });
  });
});

describe('options', () => {
  test('the help names every directive', () => {
    expect(planOf(['--help'], { providers: {} }, all)).toEqual({ help: true });
    for (const { id } of all) expect(help(all)).toContain(id);
  });

  const problemsOf = (...argv: string[]) => {
    const read = planOf(argv, { providers: {} }, all);
    return 'problems' in read ? read.problems.join('\n') : '';
  };
  test.each([
    [[], 'which model? --model <name>'],
    [['--model', 'anthropic'], 'needs a key in the environment'],
    [['--model', 'scripted:nowhere.json'], 'nowhere.json'],
    [['--model', 'anthropic', '--only', 'js-slag'], 'unknown directive js-slag; did you mean "js-slug"?'],
    [['--model', 'anthropic', '--roles', '--engineer'], '--roles goes without --engineer'],
    [['--model', 'anthropic', '--budget', 'much'], '--budget is an amount above 0'],
    [['--model', 'anthropic', '--config', 'nowhere.yml'], '--config nowhere.yml'],
    [['--model', 'anthropic', 'js-slug'], 'unexpected argument js-slug'],
  ])('%j', (argv, says) => expect(problemsOf(...argv)).toContain(says));

  test('a model is the default of every task; anthropic names none', () => {
    const keys = { openai: { baseUrl: 'http://127.0.0.1:9/v1' } };
    const configOf = (name: string) => {
      const read = planOf(['--model', name], { providers: keys }, all);
      return 'plan' in read ? read.plan.config : read;
    };
    expect(configOf('openai/tiny')).toEqual({ retries: 0, models: { default: 'openai/tiny' } });
    expect(configOf('anthropic')).toEqual({ retries: 0, models: {} });
  });
});
