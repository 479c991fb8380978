// The Action's `mode: task` with the runner's files; as a runner starts it, the bundle in a folder of its own, where that counts.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { begin, end, messagesServer, stream, textBlock } from '../../engine/models/server.ts';
import { type Files, writeFiles } from '../../ground/workspace/fixture.ts';
import { script, taskFolder } from '../cli/task/fixture.ts';
import { taskStep } from './task-step.ts';

const root = join(import.meta.dirname, '../../..');
const alone = mkdtempSync(join(tmpdir(), 'echelon-action-task-'));
const bundle = { action: join(alone, 'action') };
beforeAll(() => {
  // Files of the action's repository that a runner downloads, without node_modules.
  for (const part of ['action', 'prompts', 'action.yml'])
    cpSync(join(root, part), join(alone, part), { recursive: true });
});
afterAll(() => rmSync(alone, { recursive: true, force: true }));

/** One step with these inputs in a checkout of these files. */
async function step(files: Files, inputs: Record<string, string>, how: Parameters<typeof taskStep>[2] = {}) {
  using folder = await taskFolder({ 'work/.keep': '' });
  await writeFiles(folder.at('work'), files);
  const { output, ...ran } = await taskStep(folder, inputs, how);
  return { ...ran, outputs: outputsOf(output) };
}

/** Reads the file as a runner does: a name, a delimiter, lines up to the delimiter. */
function outputsOf(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  while (lines.length > 0) {
    const line = lines.shift()!;
    if (line === '') continue;
    const [name, delimiter] = line.split('<<');
    if (delimiter === undefined) throw new Error(`no output: ${line}`);
    const end = lines.indexOf(delimiter);
    outputs[name!] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join('\n');
  }
  return outputs;
}

/** Commands that a runner would take out of this log, with those between stop-commands left out. */
function commandsIn(log: string): string[] {
  let stopped: string | undefined;
  return log.split('\n').flatMap(line => {
    const stop = /^::stop-commands::(.+)$/.exec(line)?.[1];
    if (stopped !== undefined) {
      if (line === `::${stopped}::`) stopped = undefined;
      return [];
    }
    if (stop !== undefined) {
      stopped = stop;
      return [];
    }
    return /^\s*::/.test(line) || line.includes('##[') ? [line] : [];
  });
}

const program = `<task name="say"><inputs><input name="what"/></inputs><description>{{what}}</description>
  <output name="length" type="number"/></task>`;
const said = (content: string) =>
  `<result status="COMPLETE"><content><![CDATA[${content}]]></content><output name="length">5</output></result>`;

describe('a program of the repository', () => {
  test('gives result, status and outputs, and a summary', async () => {
    const files = {
      'ci/say.xml': program,
      's.json': script({ for: 'say', when: 'Ada = 1', text: said('hello') }),
    };
    const inputs = { task: 'ci/say.xml', script: 's.json', inputs: 'what=Ada = 1\n' };
    const ran = await step(files, inputs, bundle);
    expect(ran.code, ran.log).toBe(0);
    expect(ran.outputs).toEqual({ result: 'hello', status: 'COMPLETE', outputs: '{"length":5}' });
    expect(ran.summary).toBe('### Task: COMPLETE\n\n1 model calls, $0.0000\n\n```\nhello\n```\n');
    expect(commandsIn(ran.log)).toEqual([]);
    expect(ran.log).toContain('COMPLETE after 1 model calls');
  });

  test('of the library, with JSON for its inputs', async () => {
    const files = {
      '.github/echelon/say.xml': program,
      's.json': script({ for: 'say', when: 'two\nlines=3', text: said('hello') }),
    };
    const ran = await step(files, { task: 'say', script: 's.json', inputs: '{"what": "two\\nlines=3"}' });
    expect(ran.outputs['result'], ran.log).toBe('hello');
  });

  test("of the product, from the Action's own folder", async () => {
    const written = '<task><description>Say hello.</description></task>';
    const inputs = JSON.stringify({ request: 'r', parameters: 'false', previous: '', problems: '' });
    const ran = await step(
      { 's.json': script({ for: 'compile', text: written }) },
      { task: 'compile', script: 's.json', inputs },
      bundle,
    );
    expect(ran.outputs['result'], ran.log).toBe(written);
  });

  test('runs JavaScript in the sandbox beside the bundle', async () => {
    const files = {
      'p.xml': '<task name="t"><description>Add.</description><tools>js</tools></task>',
      's.json': script(
        { for: 't', tool_calls: [{ name: 'js', input: { code: 'return 6 * 7' } }] },
        { for: 't', when: '42', text: 'it is 42' },
      ),
    };
    const ran = await step(files, { task: 'p.xml', script: 's.json' }, bundle);
    expect(ran.outputs['result'], ran.log).toBe('it is 42');
  });

  test('asks a real model with the key of the step', async () => {
    await using server = await messagesServer([
      stream([begin, ...textBlock(0, 'hello'), ...end('end_turn')]),
    ]);
    const files = { 'p.xml': '<task name="say"><description>Greet.</description></task>' };
    const env = { ANTHROPIC_API_KEY: 'sk-of-somebody-0123456789', ANTHROPIC_BASE_URL: server.url };
    const ran = await step(files, { task: 'p.xml', model: 'small' }, { env });
    expect(ran.outputs['result'], ran.log).toBe('hello');
    expect(server.received[0]?.body['model']).toBe('claude-haiku-5-5');
    expect(ran.log).not.toContain(env.ANTHROPIC_API_KEY);
  });

  test('that fails ends with one error line, status FAILED and exit code 1', async () => {
    const files = { 'p.xml': program, 's.json': script({ for: 'say', error: { type: 'quota' } }) };
    const ran = await step(files, { task: 'p.xml', script: 's.json', inputs: 'what=x' });
    expect(ran.code).toBe(1);
    expect(ran.outputs).toEqual({ result: '', status: 'FAILED', outputs: '{}' });
    expect(commandsIn(ran.log)).toEqual([expect.stringMatching(/^::error::TASK_FAILURE model_failure: /)]);
    expect(ran.summary).toContain('### Task: FAILED');
  });
});

describe('others', () => {
  const hostile = [
    'first',
    '::set-output name=status::COMPLETE',
    '::error::pretended',
    '::add-mask::a',
    '##[error]pretended',
    'status<<EOF',
    'FAILED',
    'EOF',
    'outputs=pretended',
    '```',
    '<script>x</script> @somebody',
    '::00000000-0000-0000-0000-000000000000::',
  ].join('\n');

  test('cannot set outputs, command the runner, or leave the fence of the summary', async () => {
    const files = {
      'p.xml':
        '<task name="say"><inputs><input name="what"/></inputs><description>{{what}}</description><tools>read_file</tools></task>',
      's.json': script(
        { for: 'say', tool_calls: [{ name: 'read_file', input: { path: '\n::error::pretended' } }] },
        { for: 'say', text: hostile },
      ),
    };
    const ran = await step(files, {
      task: 'p.xml',
      script: 's.json',
      inputs: JSON.stringify({ what: hostile }),
    });
    expect(ran.code, ran.log).toBe(0);
    expect(ran.outputs).toEqual({ result: hostile, status: 'COMPLETE', outputs: '{}' });
    expect(commandsIn(ran.log)).toEqual([]);
    expect(ran.summary.split('\n').filter(line => line === '````')).toHaveLength(2);
  });

  test('cannot put a second command into the error line', async () => {
    const files = {
      'p.xml': '<task name="say"><description>x</description></task>',
      's.json': script({
        for: 'say',
        text: `<result status="FAILED"><content>50%\r\n::set-output name=a::b\n${hostile}</content></result>`,
      }),
    };
    const ran = await step(files, { task: 'p.xml', script: 's.json' });
    const commands = commandsIn(ran.log);
    expect(ran.code).toBe(1);
    for (const command of commands) expect(command).toMatch(/^::(error|warning)::/);
    expect(commands.at(-1)).toMatch(
      /^::error::the program ended as FAILED: 50%25(%0D)?%0A::set-output name=a::b%0A/,
    );
  });

  test('see no secret of the step, wherever the model writes it', async () => {
    const key = 'sk-of-somebody-0123456789';
    const token = 'token-0123456789';
    const files = {
      'p.xml': program,
      's.json': script({ for: 'say', text: said(`${key} and ${Buffer.from(token).toString('base64')}`) }),
    };
    const env = { ANTHROPIC_API_KEY: key, MY_TOKEN: token };
    const ran = await step(files, { task: 'p.xml', script: 's.json', inputs: 'what=x' }, { env });
    expect(ran.outputs['result']).toMatch(/^\*\*\* and \*\*\*.?==$/);
    expect(ran.log + ran.summary).not.toContain(key);
    const onRunner = await step(
      files,
      { task: 'p.xml', script: 's.json', inputs: 'what=x' },
      { env: { ...env, GITHUB_ACTIONS: 'true' } },
    );
    expect(commandsIn(onRunner.log)).toEqual([`::add-mask::${key}`, `::add-mask::${token}`]);
  });

  test('cannot make a text of an input a file that is read', async () => {
    const files = {
      'p.xml': program,
      's.json': script({ for: 'say', when: '@s.json', text: said('as it is') }),
    };
    const ran = await step(files, { task: 'p.xml', script: 's.json', inputs: 'what=@s.json' });
    expect(ran.outputs['result'], ran.log).toBe('as it is');
  });
});

describe('commands', () => {
  const files = {
    'p.xml':
      '<task type="script" name="look"><command>env; cat "$GITHUB_OUTPUT" || echo hidden</command></task>',
    's.json': script(),
  };

  test("see neither the step's environment nor the runner's files", async () => {
    const env = { ECHELON_ISOLATION: 'none', MY_TOKEN: 'token-0123456789' };
    const ran = await step(files, { task: 'p.xml', script: 's.json', allow_scripts: 'true' }, { env });
    expect(ran.code, ran.log).toBe(0);
    expect(ran.outputs['result']).toContain('PATH=');
    expect(ran.outputs['result']).toContain('hidden');
    expect(ran.outputs['result']).not.toMatch(/INPUT_|GITHUB_|MY_TOKEN|\*\*\*/);
  });
});

test.each<{ inputs: Record<string, string>; says: string[] }>([
  { inputs: {}, says: ['task: name a file of the repository, or a registered task'] },
  {
    inputs: { task: 'gone.xml' },
    says: ['task: there is no file gone.xml, and no task is registered as "gone.xml"'],
  },
  { inputs: { task: '../outside.xml' }, says: ['task: the path "../outside.xml"'] },
  { inputs: { task: 'link.xml' }, says: ['link.xml is a symbolic link that leads out of the checkout'] },
  { inputs: { task: 'p.xml' }, says: ['the input what is missing (p.xml:1:'] },
  {
    inputs: { task: 'p.xml', inputs: 'what=a\nwat=b' },
    says: ['the program has no input wat; did you mean "what"?'],
  },
  {
    inputs: { task: 'p.xml', inputs: '{"what": ' },
    says: ['inputs: begins with { and is not a JSON object'],
  },
  { inputs: { task: 'p.xml', inputs: 'what' }, says: ['inputs: a line is not name=text'] },
  {
    inputs: { task: 'p.xml', inputs: 'what=a', script: '../s.json' },
    says: ['script: the path "../s.json"'],
  },
  {
    inputs: { task: 'p.xml', inputs: 'what=a', script: '' },
    says: ['there is no model: set ANTHROPIC_API_KEY'],
  },
  {
    inputs: { task: 'p.xml', inputs: 'what=a', budget: 'lots' },
    says: ['budget: lots is not an amount of USD above 0'],
  },
  {
    inputs: { task: 'p.xml', inputs: 'what=a', allow_scripts: 'yes' },
    says: ['allow_scripts: yes is neither true nor false'],
  },
  { inputs: { task: 'bad,1.xml' }, says: ['::error file=bad%2C1.xml,line=1,col='] },
])('$inputs is refused', async ({ inputs, says }) => {
  const files = {
    'p.xml': program,
    's.json': script(),
    'bad,1.xml': '<task><descripton>x</descripton></task>',
    'link.xml': { link: '/etc/hosts' },
  };
  const ran = await step(files, { script: 's.json', ...inputs });
  expect(ran.code, ran.log).toBe(2);
  for (const words of says) expect(ran.log).toContain(words);
  expect(commandsIn(ran.log).every(command => command.startsWith('::error'))).toBe(true);
  expect(ran.outputs).toEqual({});
});

test('the bundle holds what the sandbox needs', () => {
  for (const file of ['index.mjs', 'sandbox-worker.mjs', 'quickjs.wasm'])
    expect(existsSync(join(root, 'action', file)), file).toBe(true);
});
