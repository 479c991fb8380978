// A log as it is read: groups folded, levels and colours shown. Everything in it is hostile.
import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Of a log the last lines are on a page, which say how it ended: so many, of so many characters together. */
const mostLines = 5000;
const mostCharacters = 200_000;

/** A log as its lines, those between `##[group]` and `##[endgroup]` folded under their title. */
export function foldedLog(log: string, name = 'Log'): Html {
  const all = log.split('\n');
  if (all.at(-1) === '') all.pop();
  const left = all.length - linesAtEnd(all);
  const parts: Html[] = [];
  let group: { title: string; lines: Html[] } | undefined;
  const close = () => {
    if (group) parts.push(html`<details><summary>${group.title}</summary>${group.lines}</details>`);
    group = undefined;
  };
  const paint = painter();
  for (const line of all.slice(left)) {
    const text = line.replace(timestamp, '').replace(unseen, '');
    const [, command = '', rest = ''] = /^##\[(\w+)\](.*)$/.exec(text.replace(sequence, '')) ?? [];
    if (command === 'group' || command === 'endgroup') close();
    if (command === 'group') group = { title: rest, lines: [] };
    else if (command !== 'endgroup')
      (group?.lines ?? parts).push(
        levels.has(command) ? html`<span class="${command}">${rest}</span>\n` : html`${paint(text)}\n`,
      );
  }
  close();
  return html`<section class="log" aria-label="${name}">${left > 0 ? html`<p class="quiet">${left} lines before these are not shown.</p>` : ''}${parts}</section>`;
}

function linesAtEnd(all: readonly string[]): number {
  let room = mostCharacters;
  const before = all.findLastIndex(line => (room -= line.length) < 0);
  return Math.min(mostLines, all.length - 1 - before);
}

const levels = new Set(['error', 'warning', 'notice', 'debug']);

/** As the forge puts before each line. */
const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z /;
/** What names a window or a link, and control characters but for the one that begins a sequence and the tab. */
const unseen =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;
/** A sequence that steers a terminal; one that sets colours ends with `m`. A beginning without an end is one too. */
const sequence = /\u001b(?:\[([0-9;?]*)[A-Za-z]?)?/g;

const colourNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Shows lines one after the other: a colour lasts until it is taken back. */
function painter(): (line: string) => Html[] {
  let bold = false;
  let colour: string | undefined;
  const set = (codes: string) => {
    const all = codes.split(';').map(Number);
    for (let at = 0; at < all.length; at++) {
      const code = all[at] ?? 0;
      if (code === 0) [bold, colour] = [false, undefined];
      else if (code === 1) bold = true;
      else if (code === 22) bold = false;
      else if (code === 39) colour = undefined;
      else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) colour = colourNames[code % 10];
      // Of 256 colours and of true colours only the numbers are passed over.
      else if (code === 38 || code === 48) at += all[at + 1] === 5 ? 2 : 4;
    }
  };
  const span = (text: string): Html => {
    const classes = [bold ? 'bold' : '', colour ? `ansi-${colour}` : ''].filter(Boolean).join(' ');
    return classes === '' ? html`${text}` : html`<span class="${classes}">${text}</span>`;
  };
  return line => {
    const shown: Html[] = [];
    let end = 0;
    for (const found of line.matchAll(sequence)) {
      if (found.index > end) shown.push(span(line.slice(end, found.index)));
      if (found[0].endsWith('m')) set(found[1] ?? '');
      end = found.index + found[0].length;
    }
    if (end < line.length) shown.push(span(line.slice(end)));
    return shown;
  };
}
