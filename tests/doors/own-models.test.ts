// A configuration's own models work wherever programs run.
import { expect, test } from 'vitest';
import { createTasks } from '../../src/doors/library/library.ts';
import { playing, reply } from '../engine/reasoning/model.ts';
import { script, taskFolder } from './cli/task/fixture.ts';
import { runCli } from './cli/run-cli.ts';

const files = {
  'p.xml': '<task name="t"><description>Count.</description><tools>js</tools></task>',
  'replies.json': script({ for: 't', text: 'done' }),
  '.github/echelon.yml': `models:
  default: own
  own:
    provider: openai
    tools: tags
    output: 700
    price: { input: 1, output: 1, cache_read: 1, cache_write: 1 }
`,
};

/** Start of the guide for models that write calls as tags. */
const guide = '{{<';

test('in the library', async () => {
  using folder = await taskFolder(files);
  const model = playing(reply('done'));
  const tasks = createTasks({ model, folder: folder.path });
  try {
    await tasks.executeTask(files['p.xml'], {});
  } finally {
    await tasks.close();
  }
  const [request] = model.requests;
  expect(request).toMatchObject({ model: 'own', max_output_tokens: 700 });
  expect(request?.system.stable).toContain(guide);
});

test('at the command line, run and shown alike', async () => {
  using folder = await taskFolder(files);
  const task = (...args: string[]) => runCli(['task', ...args], { cwd: folder.path });
  const [run, shown] = await Promise.all([
    task('run', 'p.xml', '--script', 'replies.json', '--debug'),
    task('show', 'p.xml', '--prompts'),
  ]);
  expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(run.stderr).toContain('prompt of t, to own:');
  expect(run.stderr).toContain(guide);
  expect(shown.stdout).toContain('prompt of t, to own:');
  expect(shown.stdout).toContain(guide);
}, 60_000);
