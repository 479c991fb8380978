// Where a moment stands on a time line. Nights in which everybody waited would leave no room for what was done: a long
// stretch in which nothing was at work is cut short.
import type { Bar } from './issue-run.ts';

/** Width of a time line in units of its own. */
export const WIDTH = 1000;

export interface Scale {
  /** Of a moment (milliseconds since the epoch), from 0 to WIDTH. */
  at(ms: number): number;
  /** Where a stretch is cut short, and how long it was (milliseconds). */
  cuts: readonly { from: number; to: number; ms: number }[];
  /** Moments that are named, with their places. */
  ticks: readonly { at: number; text: string }[];
}

/** A stretch in which nothing was at work may take so much of the width that the work takes. */
const IDLE = 0.12;
/** Ticks stand at least so far from each other. */
const APART = WIDTH / 9;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const steps = [1, 2, 5, 10, 15, 30]
  .flatMap(step => [step * SECOND, step * MINUTE])
  .concat(
    [1, 2, 3, 6, 12].map(step => step * HOUR),
    [DAY, 2 * DAY, 7 * DAY, 30 * DAY],
  )
  .sort((a, b) => a - b);

/** A stretch of time, with the room that it takes. */
interface Piece {
  from: number;
  to: number;
  room: number;
}

/** `until`: how far the line goes at least (milliseconds since the epoch). */
export function scaleOf(bars: readonly Bar[], until: number): Scale {
  const begin = bars.reduce((least, { from }) => Math.min(least, from), until);
  const end = bars.reduce((most, { to }) => Math.max(most, to), until);
  const pieces = piecesOf(bars, begin, end);
  const room = pieces.reduce((sum, piece) => sum + piece.room, 0);
  const places = pieces.map(() => 0);
  for (const [index, piece] of pieces.entries())
    places[index + 1] = (places[index] ?? 0) + (room === 0 ? 0 : (piece.room / room) * WIDTH);
  const at = (ms: number): number => {
    const index = pieces.findIndex(({ to }) => ms <= to);
    const piece = pieces[index];
    if (!piece) return ms <= begin ? 0 : WIDTH;
    const [left = 0, right = WIDTH] = places.slice(index, index + 2);
    const part = piece.to === piece.from ? 0 : (ms - piece.from) / (piece.to - piece.from);
    return left + Math.max(0, part) * (right - left);
  };
  const whole = pieces.filter(isWhole);
  const cuts = pieces
    .filter(piece => !isWhole(piece))
    .map(({ from, to }) => ({ from: at(from), to: at(to), ms: to - from }));
  return { at, cuts, ticks: ticksOf(whole, at) };
}

const isWhole = ({ from, to, room }: Piece) => room === to - from;

/** What was at work, and what lies between. */
function piecesOf(bars: readonly Bar[], begin: number, end: number): Piece[] {
  const busy: { from: number; to: number }[] = [];
  for (const { doing, from, to } of bars.toSorted((a, b) => a.from - b.from)) {
    if (doing === 'waits') continue;
    const last = busy.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else busy.push({ from, to });
  }
  const work = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const most = work === 0 ? Number.POSITIVE_INFINITY : work * IDLE;
  const pieces: Piece[] = [];
  let passed = begin;
  const idle = (to: number) => {
    if (to > passed) pieces.push({ from: passed, to, room: Math.min(to - passed, most) });
  };
  for (const { from, to } of busy) {
    idle(from);
    pieces.push({ from, to, room: to - from });
    passed = to;
  }
  idle(end);
  return pieces;
}

/** At round times, as close as they can be read. */
function ticksOf(pieces: readonly Piece[], at: (ms: number) => number): Scale['ticks'] {
  const work = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
  const step = steps.find(each => work / each <= WIDTH / APART) ?? 365 * DAY;
  const ticks: { at: number; text: string }[] = [];
  let day = '';
  for (const { from, to } of pieces)
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      const place = at(time);
      const last = ticks.at(-1);
      if ((last && place - last.at < APART) || place > WIDTH - APART / 2) continue;
      const iso = new Date(time).toISOString();
      const clock = iso.slice(11, step < MINUTE ? 19 : 16);
      // Of another day its date is told.
      const date = iso.slice(5, 10);
      ticks.push({ at: place, text: day !== '' && date !== day ? `${date} ${clock}` : clock });
      day = date;
    }
  return ticks;
}
