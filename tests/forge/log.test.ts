// Logs as pages show them: colours as classes, groups folded, nothing that steers a terminal.
import { expect, test } from 'vitest';
import { foldedLog } from '../../packages/forge/pages/job.ts';

const shown = async (log: string) =>
  String(await foldedLog(log)).replace(/^<section class="log" aria-label="Log">|<\/section>$/g, '');

test.for<[string, string, string]>([
  ['colours', '\u001b[31mred\u001b[0m plain', '<span class="ansi-red">red</span> plain\n'],
  [
    'bright ones, bold',
    '\u001b[1;92mgo\u001b[22m on\u001b[39m',
    '<span class="bold ansi-green">go</span><span class="ansi-green"> on</span>\n',
  ],
  [
    'a colour that lasts over lines',
    '\u001b[33ma\nb\u001b[m',
    '<span class="ansi-yellow">a</span>\n<span class="ansi-yellow">b</span>\n',
  ],
  ['colours by number and of three parts', '\u001b[38;5;196ma\u001b[38;2;1;2;31mb', 'a' + 'b\n'],
  ['moves and erasures', '\u001b[2K\u001b[1Gdone', 'done\n'],
  ['a link and a title', '\u001b]8;;http://x\u0007text\u001b]8;;\u001b\\ \u001b]0;t', 'text \n'],
  ['a beginning without an end', 'a\u001b b\u001b[', 'a b\n'],
  ['bells and backspaces', 'a\u0007\u0008\tb', 'a\tb\n'],
  ['markup', '\u001b[31m<b>&\u001b[0m', '<span class="ansi-red">&lt;b&gt;&amp;</span>\n'],
  ['times before lines', '2026-01-02T03:04:05.6789Z ##[error]bad', '<span class="error">bad</span>\n'],
  [
    'groups',
    '##[group]One <b>\nin\n##[endgroup]\nout',
    '<details><summary>One &lt;b&gt;</summary>in\n</details>out\n',
  ],
])('%s', async ([, log, html]) => {
  expect(await shown(log)).toBe(html);
});
