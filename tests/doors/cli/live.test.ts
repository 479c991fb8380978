// Live output of sessions on a terminal, played on a screen that knows the sequences sent to it.
import { describe, expect, test } from 'vitest';
import { liveView } from '../../../src/doors/cli/live.ts';
import type { Delta } from '../../../src/engine/reasoning/events.ts';

/** A terminal of `columns`: what is written goes into rows, and long lines into several. */
function terminal(columns = 40, rows = 24) {
  let all: string[] = [''];
  const screen = {
    columns,
    rows,
    write(text: string) {
      for (const [piece, up, char] of text.matchAll(/\u001b\[(?:(\d+)A|J|2m|22m)|(.)/gsu)) {
        if (up !== undefined) all = all.slice(0, all.length - Number(up));
        else if (piece === '\u001b[J') all = [...all.slice(0, -1), ''];
        else if (char === '\n') all.push('');
        else if (char === '\r' || char === undefined) continue;
        else if (widthOf(`${all.at(-1)}${char}`) > screen.columns) all.push(char);
        else all.push(`${all.pop()}${char}`);
        if (/[\u0000-\u0009\u000b\u000c\u000e-\u001f]/u.test(char ?? ''))
          throw new Error('a control character');
      }
    },
  };
  return { screen, rows: () => all.slice(0, all.at(-1) === '' ? -1 : undefined) };
}
const widthOf = (text: string) =>
  [...text].reduce((sum, char) => sum + (char.codePointAt(0)! < 0x1100 ? 1 : 2), 0);

const delta = (session: string, more: Delta) =>
  ({ type: 'model_delta', session, task: session, turn: 1, attempt: 1, ...more }) as const;
const text = (session: string, words: string) => delta(session, { kind: 'text', text: words });
const ended = (session: string) =>
  ({ type: 'session_state', id: session, from: 'active', to: 'completed' }) as const;

describe('one session', () => {
  test('its text is there as it comes, in the lines that fit, and gone when it ends', () => {
    const { screen, rows } = terminal(11);
    const live = liveView(screen);
    live.event(text('a', 'One two'));
    expect(rows()).toEqual(['One two']);
    live.event(text('a', ' three.\nFour'));
    expect(rows()).toEqual(['One two th', 'ree.', 'Four']);
    live.event(ended('a'));
    expect(rows()).toEqual([]);
  });

  test('of a long text the end is there', () => {
    const { screen, rows } = terminal(20, 5);
    liveView(screen).event(text('a', Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n')));
    expect(rows()).toEqual(['line 497', 'line 498', 'line 499']);
  });

  test('thinking is no text, and what is void goes', () => {
    const { screen, rows } = terminal();
    const live = liveView(screen);
    live.event(delta('a', { kind: 'thinking', text: 'secret thoughts' }));
    expect(rows()).toEqual(['a thinks, about 4 tokens']);
    live.event(text('a', 'Half of'));
    live.event(delta('a', { kind: 'restart' }));
    expect(rows()).toEqual(['a begins again, about 0 tokens']);
    live.event(text('a', 'Whole'));
    expect(rows()).toEqual(['Whole']);
    live.event(delta('a', { kind: 'tool', name: 'read_file', text: '{"path":1}' }));
    expect(rows()).toEqual(['a calls read_file, about 4 tokens: Whole'.slice(0, 33).concat(': hole')]);
  });

  test('the next turn begins with nothing', () => {
    const { screen, rows } = terminal();
    const live = liveView(screen);
    live.event(text('a', 'Before'));
    live.event({ type: 'iteration_start', session: 'a', n: 2 });
    expect(rows()).toEqual([]);
  });
});

test('several sessions have a line each: which, how much, the last words', () => {
  const { screen, rows } = terminal(44, 6);
  const live = liveView(screen);
  live.event(text('a', 'All of the words of the first session'));
  live.event(text('b', 'Zwei\nZeilen'));
  expect(rows()).toEqual([
    '1/2 a writes, about 10 tokens: irst session',
    '2/2 b writes, about 3 tokens: Zwei Zeilen',
  ]);
  for (const line of rows()) expect(widthOf(line)).toBeLessThan(44);
  for (const name of ['c', 'd', 'e']) live.event(text(name, 'x'));
  expect(rows()).toHaveLength(4);
  expect(rows().at(-1)).toBe('and 2 more');
  for (const name of ['b', 'c', 'd', 'e']) live.event(ended(name));
  expect(rows()).toEqual(['All of the words of the first session']);
});

test('lines that stay stand above, and a question has the terminal alone', async () => {
  const { screen, rows } = terminal();
  const live = liveView(screen);
  live.event(text('a', 'Writing'));
  live.line('a: read a file');
  expect(rows()).toEqual(['a: read a file', 'Writing']);
  const answer = await live.aside(async () => {
    screen.write('Which? > \n');
    live.event(text('a', ' on'));
    expect(rows()).toEqual(['a: read a file', 'Which? > ']);
    return 'this';
  });
  expect(answer).toBe('this');
  expect(rows().at(-1)).toBe('Writing on');
  live.end();
  live.event(text('a', 'too late'));
  expect(rows()).toEqual(['a: read a file', 'Which? > ']);
});

test.each([1, 2, 3, 7])('a terminal of %i columns, made narrower, keeps nothing', columns => {
  const { screen, rows } = terminal(columns + 1);
  const live = liveView(screen);
  live.event(text('a', 'Wörter 漢字漢字 and \u001b[31m so 😀😀 on'));
  live.event(text('b', 'x'));
  live.event(ended('b'));
  live.end();
  expect(rows()).toEqual([]);
});
