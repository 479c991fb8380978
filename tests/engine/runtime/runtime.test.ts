// Runtime of programs: missing requirements of commands are reported before any call, and closing ends and removes
// all.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { modelNames } from '../../../src/engine/models/names.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { openRuntime, type RuntimeParts } from '../../../src/engine/runtime/runtime.ts';
import { until } from '../../until.ts';
import { type Files, type Folder, temporary, writeFiles } from '../../ground/workspace/fixture.ts';
import { reasoning } from './reasoning.ts';

const library = createLibrary([]).library;
const script = { version: 1, replies: [{ for: 'say', text: 'said' }] };
const { signal } = new AbortController();

function programOf(source: string) {
  const { program, problems } = parseProgram(source, 'p.xml', library);
  expect(problems).toEqual([]);
  return program!;
}

const settled = {
  models: modelNames({ models: {}, rows: {} }),
  settings: {},
  reasoning,
  warnAt: 0.8,
};

/** A folder with these files below `work`, and an empty `tmp`. */
async function workplace(files: Files = {}): Promise<Folder & { work: string; tmp: string }> {
  const folder = await temporary();
  const [work, tmp] = [join(folder.path, 'work'), join(folder.path, 'tmp')];
  mkdirSync(tmp);
  await writeFiles(work, files);
  return { ...folder, work, tmp };
}

/** A runtime in `folder`/work that puts its own things into `folder`/tmp. */
function opened(folder: { work: string; tmp: string }, more: Partial<RuntimeParts> = {}) {
  const model = scriptedModel(parseScript(JSON.stringify(script), 's.json'), { clock: systemClock });
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  const host = { temporary: folder.tmp, path, allows: { isolationNone: true, network: false } };
  const runtime = openRuntime({
    ...settled,
    ...{ model, folder: folder.work, allowScripts: true, secretsPresent: true, host },
    ...more,
  });
  return { runtime, asked: () => model.used().length };
}

const speaks = '<task name="say"><description>x</description></task>';
const speaksThenRuns = `<task type="sequential"><steps>${speaks}<task type="script"><command>true</command></task></steps></task>`;

/** No sandbox keeps commands from the credentials of a repository inside of the folder. */
const exposed = {
  'inner/.git/config': '[remote "origin"]\n\turl = https://me:secret-token@example.com/r.git\n',
};

test.each<{ source: string; allowScripts: boolean; runs: boolean }>([
  { source: speaksThenRuns, allowScripts: true, runs: false },
  { source: speaks, allowScripts: true, runs: true },
  { source: speaks, allowScripts: false, runs: true },
])('scripts allowed $allowScripts: runs beside credentials: $runs', async row => {
  await using folder = await workplace(exposed);
  const { runtime, asked } = opened(folder, { allowScripts: row.allowScripts });
  const running = runtime.run(programOf(row.source), {}, { library, signal });
  if (row.runs) expect(await running).toMatchObject({ content: 'said' });
  else await expect(running).rejects.toThrow('commands could read credentials');
  expect(asked()).toBe(row.runs ? 1 : 0);
  await runtime.close();
});

test('closing ends what runs, removes what was made outside of the folder, and refuses the rest', async () => {
  await using folder = await workplace({ 'a.txt': 'a' });
  const { runtime } = opened(folder);
  const program = programOf('<task type="script"><command>touch started; sleep 600</command></task>');
  const running = runtime.run(program, {}, { library, signal });
  const ended = expect(running).rejects.toThrow('was closed');
  await until('the command', () => existsSync(join(folder.work, 'started')) || undefined);
  expect(readdirSync(folder.tmp)).toHaveLength(1);
  await runtime.close();
  await ended;
  expect(readdirSync(folder.tmp)).toEqual([]);
  await expect(runtime.run(program, {}, { library, signal })).rejects.toThrow('was closed');
  await runtime.close();
});

test('what was never used opens nothing', async () => {
  await using folder = await workplace();
  const { runtime } = opened(folder);
  expect(readdirSync(folder.tmp)).toEqual([]);
  await runtime.close();
});
