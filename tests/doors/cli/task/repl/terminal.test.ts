// The REPL with a person at a terminal, over streams in memory: prompts, several lines, Ctrl-C, Ctrl-D.
import { expect, test } from 'vitest';
import { sitting } from './sitting.ts';

const [ctrlC, ctrlD] = ['\x03', '\x04'];
const replies = [
  { for: 'slow', text: 'too late', delay_ms: 60_000 },
  { for: '*', times: 9, text: 'done' },
];

test('an entry of several lines goes on until it is closed; Ctrl-D leaves', async () => {
  const { write, shows, ended } = await sitting({ replies });
  await shows(/echelon> $/);
  write('<task name="a">\n');
  await shows(/\.\.\.> $/);
  write('  <description>Go.\n\n  On.</description>\n');
  write('</task>\n');
  expect(await shows(/echelon> $/)).toContain('\ndone\n');
  write(ctrlD);
  await ended;
});

test.each([
  ['Ctrl-C', ctrlC],
  [':cancel', ':cancel\n'],
  ['two empty lines', '\n\n'],
])('%s drops what was begun', async (_what, keys) => {
  const { write, shows } = await sitting({ replies });
  write('<task>\n');
  await shows(/\.\.\.> $/);
  write(keys);
  await shows(/dropped\n(?:.|\n)*echelon> $/);
  write('1 == 1\n');
  await shows(/true\n/);
  write(ctrlD);
});

test('Ctrl-C drops the line; with nothing on it, it says how to leave', async () => {
  const { write, shows } = await sitting();
  await shows(/echelon> $/);
  write('1 == ');
  await shows(/1 == $/);
  write(ctrlC);
  await shows(/\^C\n(?:.|\n)*echelon> $/);
  write('2 == 2\n');
  expect(await shows(/true\n/)).not.toContain('1 == 2');
  write(ctrlC);
  await shows(/Ctrl-D or :quit leaves/);
  write(ctrlD);
});

test('Ctrl-C cancels what runs, and keeps what was bound', async () => {
  const { write, shows, ended } = await sitting({ replies });
  write('n = 1\n');
  await shows(/1\n(?:.|\n)*> $/);
  write('<task name="slow" subtype="odd"><description>Go.</description></task>\n');
  // Told right before it runs.
  await shows(/warning/);
  write(ctrlC);
  await shows(/cancelled\n(?:.|\n)*echelon> $/);
  write(':bindings\n');
  await shows(/n: number {2}1\n/);
  write(':quit\n');
  await ended;
});

test('a name that nothing binds is asked for, once', async () => {
  const { write, shows, kept } = await sitting({ replies });
  write('<task><description>On {{topic}}.</description></task>\n');
  const warned = await shows(/topic\?\n(?:.|\n)*\? $/);
  expect(warned).toMatch(/entry 1:1:23 warning: nothing binds "topic": it is asked for as a parameter/);
  write('caches\n');
  await shows(/done\n/);
  write(':context\n');
  await shows(/On caches\.(?:.|\n)*in reach are: topic, it/);
  write('<task><description>More on {{topic}}, hunter2.</description></task>\n');
  await shows(/done\n/);
  write(ctrlD);
  // The answer is no entry, and no secret is kept.
  expect(kept).toEqual([expect.any(String), ':context', expect.stringContaining('More on {{topic}}, ***.')]);
});

test('Ctrl-C at a question cancels the entry', async () => {
  const { write, shows } = await sitting({ replies });
  write('<task><description>On {{topic}}.</description></task>\n');
  await shows(/\? $/);
  write(ctrlC);
  await shows(/cancelled\n(?:.|\n)*echelon> $/);
  write(ctrlD);
});

test('lines that come while something runs are carried out after it', async () => {
  const { write, shows, ended } = await sitting({ replies });
  write('<task name="a"><description>Go.</description></task>\na\n:quit\n');
  await shows(/done\n(?:.|\n)*done\n/);
  await ended;
});

test('what is open when the input ends is dropped', async () => {
  const { write, shows, ended } = await sitting();
  write('<task>\n');
  await shows(/\.\.\.> $/);
  write(ctrlD);
  await ended;
});

test('a value cannot steer the terminal', async () => {
  const { write, shows, raw } = await sitting({
    replies: [{ for: '*', times: 9, text: 'a\u001b]0;owned\u0007\u009b31mb\u202ec\rd' }],
  });
  await shows(/> $/);
  write('x = <task><description>Go.</description></task>\n');
  await shows(/a\]0;owned31mbcd\n/);
  write(':bindings\n');
  await shows(/x: text {2}a \]0;owned 31mb c d/);
  write(':show x\n');
  await shows(/a\]0;owned31mbcd\n/);
  expect(raw()).not.toMatch(/owned\u0007|\u009b|\u202e/);
  write(ctrlD);
});

test('an answer that is very long is cut, and :show has it', async () => {
  const { write, shows } = await sitting({ replies: [{ for: '*', text: 'x'.repeat(20_010) }] });
  write('x = <task><description>Go.</description></task>\n');
  await shows(/x{20000}\n\(10 more characters: bind it to a name, and :show that\)/);
  write(':show x\n');
  await shows(/x{20010}\n/);
  write(ctrlD);
});
