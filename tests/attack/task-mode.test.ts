// Attacks on `mode: task` and `task run`: scripts by every back door, paths, secrets, outputs, children.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { costing } from '../dialogue/script.ts';
import { endAll, root, runCli } from '../doors/cli/run-cli.ts';
import { script, taskFolder } from '../doors/cli/task/fixture.ts';
import { taskStep } from '../doors/action/task-step.ts';
import type { Files } from '../ground/workspace/fixture.ts';

afterEach(endAll);

/** Leaves a mark in the checkout, which is what a command could always do. */
const evil =
  '<task type="script" name="evil"><description>Paint the fence.</description><command>touch ran.txt</command></task>';
const touch = '<task type="script"><command>touch ran.txt</command></task>';
const painting = `<task type="function" name="painting"><body>${touch}</body></task>`;
const judged =
  '<result status="COMPLETE"><content>ok</content><output name="success">true</output><output name="feedback">x</output></result>';
const goesOn = (notes: object) => JSON.stringify({ status: 'CONTINUATION', content: 'More.', notes });
const loop = `<task type="director-evaluator" name="loop">
  <director><task name="d"><description>Direct.</description></task></director>
  <evaluator><task name="e"><description>{{target_content}}</description><output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/></task></evaluator>
  <max_rounds>3</max_rounds>
</task>`;

describe.concurrent('a command without allow_scripts', () => {
  test.for<[name: string, program: string, more?: Files]>([
    ['at the root', touch],
    ['in a sequence', `<task type="sequential"><steps>${touch}</steps></task>`],
    [
      'in a branch that is never taken',
      `<task type="cond"><case test="false">${touch}</case><else><task><description>x</description></task></else></task>`,
    ],
    [
      'as an input',
      `<task><inputs><input name="x">${touch}</input></inputs><description>{{x}}</description></task>`,
    ],
    [
      'as a binding',
      `<task type="let"><bind name="x">${touch}</bind><body><task><description>{{x}}</description></task></body></task>`,
    ],
    ['for each element', `<task type="map"><over>[1]</over><inner_task>${touch}</inner_task></task>`],
    ['by ref', '<task type="sequential"><steps><task ref="evil"/></steps></task>'],
    ['by call', '<task type="call" ref="painting"/>'],
    ['by a tool', '<task><description>x</description><tools>shell</tools></task>'],
    [
      'as a product task that the checkout overrides',
      'reparse',
      { 'work/.github/echelon/reparse.xml': touch.replace('<task', '<task name="reparse"') },
    ],
  ])('%s: refused before anything runs', async ([, program, more = {}]) => {
    using folder = await taskFolder({
      'work/.github/echelon/evil.xml': evil,
      'work/.github/echelon/painting.xml': painting,
      'work/s.json': script(),
      ...(program.startsWith('<') && { 'work/p.xml': program }),
      ...more,
    });
    const ran = await taskStep(folder, {
      task: program.startsWith('<') ? 'p.xml' : program,
      script: 's.json',
    });
    expect(ran.code, ran.log).toBe(2);
    expect(ran.log).toMatch(/needs allow_scripts: true|may not run|is not available here/);
    expect(ran.output).toBe('');
    expect(existsSync(folder.at('work/ran.txt'))).toBe(false);
  });

  test('that a director asks for by evaluation_request or subtask_request is not run', async () => {
    using folder = await taskFolder({
      'work/.github/echelon/evil.xml': evil,
      'work/p.xml': loop,
      'work/s.json': script(
        { for: 'd', text: goesOn({ subtask_request: { description: 'Paint the fence.', inputs: {} } }) },
        { for: 'd', text: goesOn({ evaluation_request: { type: 'script', criteria: '', target: 'evil' } }) },
        { for: 'e', text: '{"success": false, "feedback": "not yet"}' },
        { for: 'e', text: judged },
      ),
    });
    const ran = await taskStep(folder, { task: 'p.xml', script: 's.json' });
    expect(ran.code, ran.log).toBe(0);
    expect(ran.log).toContain('scripts are not allowed here');
    expect(existsSync(folder.at('work/ran.txt'))).toBe(false);
  });

  test('that a recovery puts in the place of a failed task is not run', async () => {
    using folder = await taskFolder({
      'work/.github/echelon/painting.xml': painting,
      'work/p.xml': '<task name="t"><description>x</description><output name="n" type="number"/></task>',
      'work/s.json': script(
        { for: 't', text: 'no number' },
        { for: 't', text: 'still none' },
        { for: 'reparse', text: touch },
        { for: 'reparse', text: '<task type="call" ref="painting"/>' },
      ),
    });
    const ran = await taskStep(folder, { task: 'p.xml', script: 's.json' });
    expect(ran.code, ran.log).toBe(1);
    expect(ran.log).toContain('INVALID_OUTPUT');
    expect(existsSync(folder.at('work/ran.txt'))).toBe(false);
  });
});

describe.concurrent('paths', () => {
  const secret = '<task name="leaked"><description>outside-0123456789</description></task>';
  test.for<[name: string, inputs: Record<string, string>]>([
    ['task above', { task: '../secret.xml' }],
    ['task by a link', { task: 'link.xml' }],
    ['task through a linked folder', { task: 'folder/secret.xml' }],
    ['task of git', { task: '.git/config' }],
    ['a template that is a link', { task: 'leaked' }],
    ['script above', { task: 'p.xml', script: '../s.json' }],
    ['script by a link', { task: 'p.xml', script: 'link.json' }],
  ])('%s: refused, and nothing of the file is told', async ([, inputs]) => {
    using folder = await taskFolder({
      'secret.xml': secret,
      's.json': script({ for: 't', text: 'outside-0123456789' }),
      'work/p.xml': '<task name="t"><description>x</description></task>',
      'work/s.json': script({ for: 'leaked', text: 'taken' }),
      'work/.git/config': secret,
    });
    mkdirSync(folder.at('work/.github/echelon'), { recursive: true });
    symlinkSync(folder.at('secret.xml'), folder.at('work/link.xml'));
    symlinkSync(folder.at('secret.xml'), folder.at('work/.github/echelon/leaked.xml'));
    symlinkSync(folder.path, folder.at('work/folder'));
    symlinkSync(folder.at('s.json'), folder.at('work/link.json'));
    const ran = await taskStep(folder, { script: 's.json', ...inputs });
    expect(ran.code, ran.log).toBe(2);
    expect(ran.log + ran.output + ran.summary).not.toContain('outside-0123456789');
  });
});

describe('secrets', () => {
  const env = {
    ANTHROPIC_API_KEY: 'sk-of-somebody-0123456789',
    GITHUB_TOKEN: 'ghs-ordinary-0123456789',
    WEBHOOK_SECRET: 'hook-0123456789',
    // By this a job with `id-token: write` shows who it is.
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job-0123456789',
    DEPLOY_PASSWORD: 'first-line-of-a-secret-0123456789\nsecond-line-of-a-secret-0123456789',
  };
  const bundled = { env, action: join(root, 'action') };
  const values = Object.values(env).flatMap(value => [
    ...value.split('\n'),
    Buffer.from(value).toString('base64'),
  ]);

  test('are in no output, summary, log or error, whatever the model, a command or a file says', async () => {
    using folder = await taskFolder({
      'work/p.xml': `<task type="sequential"><steps>
        <task type="script" name="look"><command>env; tr '\\0' '\\n' &lt; /proc/$PPID/environ; cat leak.txt; exit 0</command></task>
        <task name="t"><description>{{look}}</description></task>
      </steps></task>`,
      'work/leak.txt': values.join('\n'),
      'work/s.json': script({
        for: 't',
        text: `<result status="FAILED"><content>${values.join(' ')}</content></result>`,
      }),
    });
    const ran = await taskStep(folder, { task: 'p.xml', script: 's.json', allow_scripts: 'true' }, bundled);
    // Without a sandbox, commands do not run at all beside secrets.
    expect(ran.code, ran.log).toBe(1);
    for (const value of values) expect(ran.log + ran.output + ran.summary).not.toContain(value);
  });

  test('are not in what a command can read of the step', async () => {
    using folder = await taskFolder({
      'work/p.xml': `<task type="script"><command>{ env; cat /proc/*/environ; ls -a ..; } 2>/dev/null | base64 -w0 | tr 'A-Za-z' 'N-ZA-Mn-za-m'</command></task>`,
      'work/s.json': script(),
    });
    const ran = await taskStep(folder, { task: 'p.xml', script: 's.json', allow_scripts: 'true' }, bundled);
    const result = /^result<<(\S+)\n(.*)\n\1$/m.exec(ran.output)?.[2] ?? '';
    const turned = result.replace(/[a-z]/gi, c =>
      String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < 'n' ? 13 : -13)),
    );
    const seen = Buffer.from(turned, 'base64').toString();
    for (const value of values) expect(seen).not.toContain(value);
    expect(seen).not.toMatch(/INPUT_|GITHUB_OUTPUT|summary/);
  });
});

describe('outputs', () => {
  test('text with delimiters, commands, fences and names of outputs stays one value', async () => {
    const hostile = [
      'result<<echelon_0',
      'x',
      'echelon_0',
      'status=COMPLETE',
      '::endgroup::',
      '::stop-commands::x',
      '\u001b[2J',
      '`'.repeat(70_000),
      '</details>',
      '\r::error::x\r\n::warning::y',
    ].join('\n');
    using folder = await taskFolder({
      'work/p.xml': '<task name="t"><description>x</description></task>',
      'work/s.json': script({ for: 't', text: hostile }),
    });
    const ran = await taskStep(folder, { task: 'p.xml', script: 's.json' });
    expect(ran.code, ran.log.slice(0, 500)).toBe(0);
    const [first = ''] = ran.output.split('\n');
    const delimiter = first.split('<<')[1]!;
    expect(delimiter).toMatch(/^ghadelimiter_[0-9a-f-]{36}$/);
    expect(ran.output.split(`\n${delimiter}\n`)[0]).toBe(`${first}\n${hostile}`);
    expect(ran.output.match(/^(result|status|outputs)<<ghadelimiter_[0-9a-f-]{36}$/gm)).toHaveLength(3);
    expect(ran.summary.length).toBeLessThan(200_000);
    const fence = /^`{3,}$/gm;
    const marks = ran.summary.match(fence) ?? [];
    expect(marks[0]).toBe(marks.at(-1));
    expect(ran.summary.endsWith(`${marks[0]}\n`)).toBe(true);
    expect(ran.log.split('\n').filter(line => /^\s*::/.test(line))).toEqual([
      expect.stringMatching(/^::stop-commands::[0-9a-f-]{36}$/),
      expect.stringMatching(/^::[0-9a-f-]{36}::$/),
    ]);
  });

  test('a name in the inputs that is a property of every object is an input like others', async () => {
    using folder = await taskFolder({
      'work/p.xml': '<task name="t"><description>x</description></task>',
      'work/s.json': script(),
    });
    const ran = await taskStep(folder, {
      task: 'p.xml',
      script: 's.json',
      inputs: '{"__proto__":{"x":1},"constructor":"y"}',
    });
    expect(ran.code).toBe(2);
    expect(ran.log).toContain('the program has no input __proto__');
    expect(ran.log).toContain('the program has no input constructor');
  });
});

describe('task run', () => {
  test('the budget counts what the earlier runs over the same journal cost', async () => {
    const program = `<task type="sequential"><steps>${['a', 'b', 'c']
      .map(name => `<task name="${name}"><description>x</description></task>`)
      .join('')}</steps></task>`;
    const replies = ['a', 'b', 'c'].map(name => costing({ for: name, text: name }, 1));
    using folder = await taskFolder({ 'p.xml': program, 's.json': script(...replies) });
    const run = () =>
      runCli(['task', 'run', 'p.xml', '--script', 's.json', '--journal', 'j', '--budget', '1.5'], {
        cwd: folder.path,
      });
    for (const ran of [await run(), await run()]) {
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('the budget of $1.5 is used up ($2.00)');
    }
    expect(readFileSync(folder.at('j'), 'utf8').match(/"t":"step"/g)).toHaveLength(2);
  });

  test('without --allow-scripts nothing is written in or around the folder', async () => {
    using folder = await taskFolder({
      'around/work/a.txt': 'a',
      'p.xml':
        '<task name="t"><description>x</description><tools>read_file, list_files, search, js</tools></task>',
      's.json': script(
        {
          for: 't',
          tool_calls: [
            { name: 'write_file', input: { path: 'b.txt', content: 'b' } },
            { name: 'shell', input: { command: 'touch c.txt' } },
            { name: 'js', input: { code: 'return typeof process + typeof require + typeof fetch' } },
          ],
        },
        { for: 't', when: 'undefinedundefinedundefined', text: 'done' },
      ),
    });
    const ran = await runCli(['task', 'run', 'p.xml', '--folder', 'around/work', '--script', 's.json'], {
      cwd: folder.path,
    });
    expect(ran).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(readdirSync(folder.at('around'), { recursive: true }).sort()).toEqual([
      'work',
      join('work', 'a.txt'),
    ]);
  });
});
