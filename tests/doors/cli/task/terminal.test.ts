// `task run` on a terminal of its own: what is seen while a reply comes, what is left, and where nothing of it is shown.
import { spawn, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { entry } from '../run-cli.ts';
import { script, type TaskFolder, taskFolder } from './fixture.ts';

/** util-linux's: gives a command a terminal. */
const hasScript = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0;

const story = 'Once upon a time there was a text that came in pieces.';

const storyFolder = () =>
  taskFolder({
    'tell.xml': '<task name="tell"><description>Tell a story.</description></task>',
    'replies.json': script({ for: 'tell', text: story, delay_ms: 900 }),
  });

/** All that reached the terminal, and the exit code. `interruptAt`: Ctrl-C is pressed when this is to be read. */
async function onTerminal(
  folder: TaskFolder,
  {
    env = {},
    more = '',
    interruptAt,
  }: { env?: Record<string, string>; more?: string; interruptAt?: string } = {},
) {
  const command = `stty cols 30 rows 20; exec '${process.execPath}' '${entry}' task run tell.xml --script replies.json ${more}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: folder.path,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, TERM: 'xterm', ...env },
  });
  let all = '';
  let pressed = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    if (pressed || interruptAt === undefined || !all.includes(interruptAt)) return;
    pressed = true;
    child.stdin.write('\u0003');
  });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { all, code };
}

const erases = '\u001b[J';

test.runIf(hasScript)(
  'a reply is seen as it comes, and gives way to the result (skipped without script)',
  async () => {
    using folder = await storyFolder();
    const { all, code } = await onTerminal(folder);
    expect(code).toBe(0);
    const [first = '', ...others] = all.split(erases);
    expect(first).toContain('Once upon a');
    expect(first).not.toContain('in pieces');
    expect(others.join('')).toContain('in pieces');
    // The result stands alone, behind the last that was erased.
    expect(all.slice(all.lastIndexOf(erases))).toContain(story);
    expect(all.slice(all.lastIndexOf(story))).not.toContain('\u001b');
  },
);

test.runIf(hasScript)('Ctrl-C leaves nothing of it (skipped without script)', async () => {
  using folder = await storyFolder();
  const { all, code } = await onTerminal(folder, { interruptAt: 'Once' });
  expect(code).toBe(130);
  const rest = all.slice(all.lastIndexOf(erases));
  expect(rest).toContain('interrupted');
  expect(rest).not.toContain('Once');
});

test.runIf(hasScript).each([
  ['NO_COLOR', { env: { NO_COLOR: '1' } }],
  ['a terminal without sequences', { env: { TERM: 'dumb' } }],
  ['--json', { more: '--json' }],
])('%s: no sequence is sent (skipped without script)', async (_name, options) => {
  using folder = await storyFolder();
  const { all, code } = await onTerminal(folder, options);
  expect(code).toBe(0);
  expect(all).toContain(story);
  expect(all).not.toContain('\u001b');
});
