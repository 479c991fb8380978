// A program of others as an engineer, from the label to the draft pull request, played by a small fake of one. The real ones:
// tests/doors/cli/engines.test.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fakeEngine } from '../app/engineer/fake-engine.ts';
import { openDialogue } from './fixture.ts';
import { evaluator, type Reply, toWork } from './script.ts';

const folder = mkdtempSync(join(tmpdir(), 'echelon-engines-'));
afterAll(() => rmSync(folder, { recursive: true }));

const leads = [...toWork({ title: 'Add a mark' })];
const begin = (engines: string, path: string, replies: readonly Reply[]) =>
  openDialogue({ config: `approval: none\nengines: ${engines}\n`, path, replies: [...leads, ...replies] });

const toolCall = (name: string, input: Record<string, string>): Reply => ({
  for: 'engineer.director',
  tool_calls: [{ name, input }],
});

test('a program works an issue, and its draft pull request says so', async () => {
  await using d = await begin('[claude-code]', `${fakeEngine(folder)}:/usr/bin:/bin`, [
    toolCall('Write', { file_path: 'mark.txt', content: 'A1\n' }),
    { for: 'engineer.director', text: 'The mark is there.' },
    evaluator('mark.txt', true),
  ]);
  await d.run();
  const [pull] = await d.call<{ draft: boolean; body: string }[]>('you', 'GET', '/pulls');
  expect(pull).toMatchObject({ draft: true, body: expect.stringContaining('The mark is there.') });
  expect(pull?.body).toContain('isolation `none` · worked by claude-code 9.9.9 · ');
});

test('none of the engines is installed: no run begins, and how to install them is said', async () => {
  await using d = await begin('[claude-code, aider]', folder, []);
  await d.label();
  expect(await d.story()).toMatchInlineSnapshot(
    `"The run does not begin: no engine that \`engines\` names can work: \`claude\` is not on PATH where engineers work (\`npm install --global @anthropic-ai/claude-code\` puts it there); \`aider\` is not on PATH where engineers work (\`pipx install aider-chat\` puts it there). Install one, or add \`native\` in .github/echelon.yml. Then take the label off and put it on again."`,
  );
});
