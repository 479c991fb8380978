// Memory stays flat in the number of steps if nothing accumulates.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from '../../packages/ground/lib/message.ts';
import type { Figure, Report } from './figures.ts';
import { median, ROUNDS } from './measure.ts';
import type { Memory } from './subjects/memory.ts';

/**
 * Bytes a step. A running sequence may keep a history, capped at 1 MiB for all its steps: over the 19,000 steps
 * between the two readings that is 55 bytes, and 9 for noise. What is left at the end is less than a pointer.
 */
const AIM = { held: 64, left: 8 };
/** A reading that takes longer is given up, in milliseconds. */
const LIMIT_MS = 15_000;

const module = fileURLToPath(new URL('subjects/memory.ts', import.meta.url));

export async function memory(): Promise<Report> {
  const rounds: { echelon: Memory; plain: Memory }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ echelon: await read('echelon'), plain: await read('plain') });
  } catch (error) {
    return { figures: [figure('held'), figure('left')], notes: [`memory: ${messageOf(error)}`] };
  }
  const bytes = (subject: 'echelon' | 'plain', what: keyof Memory) =>
    median(rounds.map(round => round[subject][what]));
  const of = (what: keyof Memory) => figure(what, bytes('echelon', what), bytes('plain', what));
  return { figures: [of('held'), of('left')], notes: [] };
}

function figure(what: keyof Memory, value?: number, plain?: number): Figure {
  return {
    name: what === 'held' ? 'heap held while a sequence runs' : 'heap left when programs are done',
    value: shown(value),
    unit: 'bytes/step',
    baseline: { name: 'plain async functions', value: shown(plain) },
    aim: `<= ${AIM[what]} bytes/step`,
    ok: value !== undefined && value <= AIM[what],
  };
}

/** Tenths of a byte: less is noise, as is a heap that shrank a little. */
function shown(bytes: number | undefined): number | null {
  return bytes === undefined ? null : Number(bytes.toFixed(1)) + 0;
}

/** One reading, in a process of its own: a heap remembers. */
async function read(subject: 'echelon' | 'plain'): Promise<Memory> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', module, subject], {
    timeout: LIMIT_MS,
    env: { PATH: process.env['PATH'] },
  });
  const reading: Memory = JSON.parse(stdout);
  return reading;
}
