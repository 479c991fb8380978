// /tell: an engineer knows a person's words before its next model call, or when its issue is worked next; nobody else's.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { director, evaluator, type Reply, toWork } from './script.ts';

const title = 'Light the lamp';
const heard = (reply: Reply): Reply => ({ ...reply, when: 'use the old wick' });

test('an engineer at work, and its evaluator, know it from the next call on; a reader and an edit reach nobody', async () => {
  const gate = mkdtempSync(join(tmpdir(), 'echelon-gate-'));
  const go = join(gate, 'go');
  const wait = { name: 'shell', input: { command: `until test -e ${go}; do sleep 0.05; done` } };
  await using d = await openDialogue({
    // A next attempt would be told in any case.
    config: 'approval: none\nretries: 0\n',
    replies: [
      { for: 'engineer.director', when: title, tool_calls: [wait] },
      ...director(title, { lamp: 'on\n' }, 'With the old wick.').map(heard),
      heard(evaluator(title, true)),
      ...toWork({ title }),
    ],
  });
  await d.label();
  await d.progress('an engineer at work', () => d.attemptFolders().length > 0 && d.jobsRun());
  await d.comment('rita', '/tell #2 use no wick');
  expect(await d.last()).toBe('`/tell` needs write access to this repository; `rita` has read.');
  await d.edit('wanda', await d.comment('wanda', 'Well.'), '/tell #2 use no wick');
  await d.comment('wanda', '/tell use the old wick', 2);
  expect(await d.last(2)).toMatchInlineSnapshot(
    `"The engineer of #2 knows it before its next model call. The approved text of the issue stays what the result is judged by; its pull request says what came of it."`,
  );
  writeFileSync(go, '');
  await d.ended();
  rmSync(gate, { recursive: true });
  expect(await d.status()).toBe('completed');
  const [pull] = await d.call<{ body: string }[]>('you', 'GET', '/pulls');
  expect(pull?.body).toContain('With the old wick.');
  const late = await d.comment('wanda', '/tell #2 and trim it');
  expect([await d.last(), await d.reactions(late)]).toMatchInlineSnapshot(`
    [
      "\`/tell\` by \`wanda\` was not followed: #2 is not worked any more: type \`/fix\` on an open pull request.",
      [
        "eyes",
        "confused",
      ],
    ]
  `);
});

test('an issue that has failed is worked with it, quoted and cut; after ten texts no more is taken', async () => {
  await using d = await openDialogue({
    config: 'approval: none\nretries: 0\n',
    replies: [
      ...director(title, { lamp: 'on\n' }).map(heard),
      ...director(title, {}),
      evaluator(title, true),
      ...toWork({ title }),
    ],
  });
  await d.run();
  await d.comment('wanda', `/tell #2 use the old wick${' and more'.repeat(1000)} THE END`);
  expect(await d.last()).toContain('The engineer of #2 knows it when the issue is worked next.');
  await d.comment('wanda', Array.from({ length: 11 }, (_, n) => `/tell #2 text ${n}`).join('\n'));
  expect(await d.said()).toContainEqual(expect.stringContaining('has been told as much as it may be'));
  await d.comment('wanda', '/retry #2');
  await d.until('it is delivered', async () => (await d.status()) === 'completed');
  const told = d
    .attemptFolders()
    .map(folder => String(JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8')).previous));
  expect(told.join('\n')).toMatch(/^> use the old wick and more/m);
  expect(told.join('\n')).not.toContain('THE END');
});
