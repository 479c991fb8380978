// Without protection of credentials from commands, every entry point says so before a model is called.
import { expect, test } from 'vitest';
import { createTasks } from '../../src/doors/library/library.ts';
import { parseScript } from '../../src/engine/models/script.ts';
import { scriptedModel } from '../../src/engine/models/scripted.ts';
import { systemClock } from '../../packages/ground/lib/clock.ts';
import { startCli } from './cli/run-cli.ts';
import { script, taskFolder } from './cli/task/fixture.ts';

const said = script({ for: 'say', text: 'said' });
const speaksThenRuns = `<task type="sequential"><steps>
  <task name="say"><description>x</description></task><task type="script"><command>true</command></task>
</steps></task>`;

/** No sandbox keeps commands from the credentials of a repository inside of the folder. */
const exposed = {
  'work/inner/.git/config': '[remote "origin"]\n\turl = https://me:secret-token@example.com/r.git\n',
};

test('the command line and the library refuse at the same moment', async () => {
  using folder = await taskFolder({ ...exposed, 'p.xml': speaksThenRuns, 's.json': said });
  const args = ['p.xml', '--folder', 'work', '--script', 's.json', '--allow-scripts', '--debug'];
  const ran = await startCli(['task', 'run', ...args], { cwd: folder.path }).ended;
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('commands could read credentials');
  expect(ran.stderr).not.toContain('replied');

  const model = scriptedModel(parseScript(said, 's.json'), { clock: systemClock });
  const tasks = createTasks({ model, folder: folder.at('work'), allowScripts: true });
  await expect(tasks.executeTask(speaksThenRuns)).rejects.toThrow('commands could read credentials');
  expect(model.used()).toEqual([]);
  await tasks.close();
});
