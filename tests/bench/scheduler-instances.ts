// Random runs for the bench of the scheduler: issues with their true minutes and estimates that are off.
import type { Domain } from '../../src/app/scheduler/domains.ts';
import type { ScheduledIssue } from '../../src/app/scheduler/slots.ts';

export interface Job extends ScheduledIssue {
  /** The real duration. */
  minutes: number;
}

export interface Kind {
  count: number;
  slots: number;
  /** Domains as below; else all of one, apart by their paths. */
  mixed: boolean;
  /** All in one file; default: apart. */
  shared?: boolean;
  /** Each depends on up to two of the 30 before it, on half of the occasions on one that runs alone. */
  dependencies: boolean;
  /** Error of estimates: the standard deviation of the logarithm of estimate / minutes. */
  error: number;
}

/** Shares as in the simulation that the first order was chosen by. */
const shares: readonly [Domain, number][] = [
  ['database', 0.1],
  ['infrastructure', 0.05],
  ['security', 0.1],
  ['backend', 0.25],
  ['frontend', 0.2],
  ['tests', 0.2],
  ['docs', 0.1],
];
/** Folders that mixed issues name, one each. */
const FOLDERS = 20;
/** Standard deviation of the logarithm of minutes, whose median is 10. */
const SPREAD = 0.8;

export function jobsOf({ count, mixed, shared, dependencies, error }: Kind, seed: number): Job[] {
  const random = numbers(seed * 7919);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const below = (end: number) => Math.floor(random() * end);
  const jobs: Job[] = [];
  for (let at = 0; at < count; at += 1) {
    const domain = mixed ? drawn(random()) : 'backend';
    const dependsOn = new Set<number>();
    for (let left = dependencies && at > 0 ? below(3) : 0; left > 0; left -= 1) {
      const before = jobs.slice(Math.max(0, at - 30));
      const alone = before.filter(job => job.domain === 'database' || job.domain === 'infrastructure');
      const among = random() < 0.5 && alone.length > 0 ? alone : before;
      for (const { number } of among.slice(below(among.length)).slice(0, 1)) dependsOn.add(number);
    }
    const minutes = 10 * Math.exp(SPREAD * normal());
    jobs.push({
      ...{ number: at + 1, state: 'pending', domain, dependsOn: [...dependsOn], minutes },
      estimateMinutes: minutes * Math.exp(error * normal()),
      paths: [mixed ? `src/folder-${below(FOLDERS)}/**` : shared ? 'src/lib.rs' : `src/own-${at}/**`],
    });
  }
  return jobs;
}

function drawn(share: number): Domain {
  let left = share;
  return shares.find(([, width]) => (left -= width) < 0)?.[0] ?? 'docs';
}

/** Mulberry32: the same numbers from 0 to 1 for the same seed, anywhere. */
function numbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
