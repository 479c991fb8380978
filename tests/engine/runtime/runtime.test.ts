// Where programs run: what their commands lack is said before anything is asked, and closing ends and removes all.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { modelNames } from '../../../src/engine/models/names.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { createTasks } from '../../../src/doors/library/library.ts';
import { defaultTaskConfig, programSettings } from '../../../src/doors/folder-config.ts';
import { openRuntime, type RuntimeParts } from '../../../src/engine/runtime/runtime.ts';
import { startCli } from '../../doors/cli/run-cli.ts';
import { script, type TaskFolder, taskFolder } from '../../doors/cli/task/fixture.ts';
import { until } from '../../until.ts';

const library = createLibrary([]).library;
const said = script({ for: 'say', text: 'said' });
const { signal } = new AbortController();

const playing = () => scriptedModel(parseScript(said, 's.json'), { clock: systemClock });

function programOf(source: string) {
  const { program, problems } = parseProgram(source, 'p.xml', library);
  expect(problems).toEqual([]);
  return program!;
}

/** A runtime in `folder`/work that puts its own things into `folder`/tmp. */
function opened(folder: TaskFolder, more: Partial<RuntimeParts> = {}) {
  mkdirSync(folder.at('tmp'), { recursive: true });
  const model = playing();
  const config = defaultTaskConfig();
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  const host = { temporary: folder.at('tmp'), path, allows: { isolationNone: true, network: false } };
  const runtime = openRuntime({
    ...{ model, models: modelNames(config, undefined), folder: folder.at('work') },
    ...{ allowScripts: true, secretsPresent: true, host, ...programSettings(config) },
    ...more,
  });
  return { runtime, asked: () => model.used().length };
}

const speaks = '<task name="say"><description>x</description></task>';
const speaksThenRuns = `<task type="sequential"><steps>${speaks}<task type="script"><command>true</command></task></steps></task>`;

/** No sandbox keeps commands from the credentials of a repository inside of the folder. */
const exposed = {
  'work/inner/.git/config': '[remote "origin"]\n\turl = https://me:secret-token@example.com/r.git\n',
};

test.each<{ source: string; allowScripts: boolean; runs: boolean }>([
  { source: speaksThenRuns, allowScripts: true, runs: false },
  { source: speaks, allowScripts: true, runs: true },
  { source: speaks, allowScripts: false, runs: true },
])('scripts allowed $allowScripts: runs beside credentials: $runs', async row => {
  using folder = await taskFolder(exposed);
  const { runtime, asked } = opened(folder, { allowScripts: row.allowScripts });
  const running = runtime.run(programOf(row.source), {}, { library, signal });
  if (row.runs) expect(await running).toMatchObject({ content: 'said' });
  else await expect(running).rejects.toThrow('commands could read credentials');
  expect(asked()).toBe(row.runs ? 1 : 0);
  await runtime.close();
});

test('the command line and the library refuse at the same moment', async () => {
  using folder = await taskFolder({ ...exposed, 'p.xml': speaksThenRuns, 's.json': said });
  const args = ['p.xml', '--folder', 'work', '--script', 's.json', '--allow-scripts', '--debug'];
  const ran = await startCli(['task', 'run', ...args], { cwd: folder.path }).ended;
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('commands could read credentials');
  expect(ran.stderr).not.toContain('replied');

  const model = playing();
  const tasks = createTasks({ model, folder: folder.at('work'), allowScripts: true });
  await expect(tasks.executeTask(speaksThenRuns)).rejects.toThrow('commands could read credentials');
  expect(model.used()).toEqual([]);
  await tasks.close();
});

test('closing ends what runs, removes what was made outside of the folder, and refuses the rest', async () => {
  using folder = await taskFolder({ 'work/a.txt': 'a' });
  const { runtime } = opened(folder);
  const program = programOf('<task type="script"><command>touch started; sleep 600</command></task>');
  const running = runtime.run(program, {}, { library, signal });
  const ended = expect(running).rejects.toThrow('was closed');
  await until('the command', () => existsSync(folder.at('work/started')) || undefined);
  expect(readdirSync(folder.at('tmp'))).toHaveLength(1);
  await runtime.close();
  await ended;
  expect(readdirSync(folder.at('tmp'))).toEqual([]);
  await expect(runtime.run(program, {}, { library, signal })).rejects.toThrow('was closed');
  await runtime.close();
});

test('what was never used opens nothing', async () => {
  using folder = await taskFolder();
  const { runtime } = opened(folder);
  expect(readdirSync(folder.at('tmp'))).toEqual([]);
  await runtime.close();
});
