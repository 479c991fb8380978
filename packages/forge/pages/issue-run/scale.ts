// Positions on the time line. Nights of waiting would take most of the width, so long stretches without work are cut.
import type { Bar } from './issue-run.ts';

/** Width of a time line in units of its own. */
export const WIDTH = 1000;
/** A stretch in which nothing was at work may take so much of the width that the work takes. */
const IDLE = 0.12;
/** Ticks stand at least so far from each other. */
const APART = WIDTH / 9;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Between ticks, the smallest first (milliseconds). */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map(seconds => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24, 48, 7 * 24, 30 * 24, 365 * 24].map(hours => hours * HOUR),
];

export interface Scale {
  /** Of a moment (milliseconds since the epoch), from 0 to WIDTH. */
  at(ms: number): number;
  /** Cuts: positions, and length of the removed stretch (milliseconds). */
  cuts: readonly { from: number; to: number; ms: number }[];
  /** Moments that are named, with their places. */
  ticks: readonly { at: number; text: string }[];
}

/** `until`: how far the line goes at least (milliseconds since the epoch). */
export function scaleOf(bars: readonly Bar[], until: number): Scale {
  const begin = bars.reduce((least, { from }) => Math.min(least, from), until);
  const end = bars.reduce((most, { to }) => Math.max(most, to), until);
  const stretches: { from: number; to: number; busy: boolean }[] = [];
  let passed = begin;
  const pass = (to: number, busy: boolean) => {
    if (to > passed) stretches.push({ from: passed, to, busy });
    passed = Math.max(passed, to);
  };
  for (const { from, to } of bars
    .filter(each => each.doing !== 'waits')
    .toSorted((a, b) => a.from - b.from)) {
    pass(from, false);
    pass(to, true);
  }
  pass(end, false);
  const work = stretches.reduce((sum, { from, to, busy }) => sum + (busy ? to - from : 0), 0);
  const rooms = stretches.map(({ from, to, busy }) =>
    busy || work === 0 ? to - from : Math.min(to - from, work * IDLE),
  );
  const unit = WIDTH / rooms.reduce((sum, room) => sum + room, 0);
  let left = 0;
  const pieces = stretches.map((stretch, index) => {
    const right = left + (rooms[index] ?? 0) * unit;
    const piece = { ...stretch, left, right, whole: rooms[index] === stretch.to - stretch.from };
    left = right;
    return piece;
  });
  const at = (ms: number): number => {
    const piece = pieces.find(({ to }) => ms <= to);
    if (!piece) return ms <= begin ? 0 : WIDTH;
    const part = Math.max(0, (ms - piece.from) / (piece.to - piece.from));
    return Math.min(WIDTH, piece.left + part * (piece.right - piece.left));
  };
  const cuts = pieces
    .filter(({ whole }) => !whole)
    .map(each => ({ from: each.left, to: each.right, ms: each.to - each.from }));
  return {
    at,
    cuts,
    ticks: [
      ...ticksOf(
        pieces.filter(({ whole }) => whole),
        at,
      ),
    ],
  };
}

/** At round times, as close as they can be read; of another day its date is told. */
function* ticksOf(pieces: readonly { from: number; to: number }[], at: Scale['at']) {
  const work = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
  const step = steps.find(each => work / each <= WIDTH / APART) ?? 365 * 24 * HOUR;
  let [last, day] = [-WIDTH, ''];
  for (const { from, to } of pieces)
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      const place = at(time);
      if (place - last < APART || place > WIDTH - APART / 2) continue;
      const iso = new Date(time).toISOString();
      const [date, clock] = [iso.slice(5, 10), iso.slice(11, step < MINUTE ? 19 : 16)];
      yield { at: place, text: day !== '' && date !== day ? `${date} ${clock}` : clock };
      [last, day] = [place, date];
    }
}
