// Chooses one of several candidates: by tests, then the evaluator's ranking, then the smallest patch.
import { pickBest, type Ranked } from '../../../engine/parts.ts';
import type { CandidatesTold } from '../jobs/candidates-told.ts';
import type { JobReport } from '../jobs/report-spec.ts';

/** A candidate that has ended. `patch`: of what it hands over; absent where it left nothing. */
export interface Ended {
  report: JobReport;
  patch?: { tree: string; bytes: number };
}

/** `why`: as the report tells it. */
export interface Picked extends Ranked {
  why: CandidatesTold['why'];
}

/** `rank` is asked about those that nothing else tells apart, by their places; undefined: it does not decide. */
export async function pick(
  ended: readonly Ended[],
  rank: (places: number[]) => Promise<Ranked | undefined>,
): Promise<Picked> {
  const equal = best(ended);
  const [first, ...others] = equal;
  if (first === undefined) return { place: goneOnFrom(ended), why: 'none', said: '' };
  return await pickBest([first, ...others], {
    alike: place => ended[place]?.patch?.tree,
    size: place => ended[place]?.patch?.bytes ?? Infinity,
    rank,
  });
}

/** Those that were accepted with the best tests: passed, else none known, else failed. */
function best(ended: readonly Ended[]): number[] {
  const done = [...ended.keys()].filter(place => ended[place]?.report.kind === 'bundle');
  const rankOf = (place: number) => {
    const tests = ended[place]?.report.tests;
    return tests ? (tests.exit_code === 0 ? 0 : 2) : 1;
  };
  const least = Math.min(...done.map(rankOf));
  return done.filter(place => rankOf(place) === least);
}

/** Of several that were not accepted: who asks can go on, who was judged knows what is wrong, who left work has begun. */
function goneOnFrom(ended: readonly Ended[]): number {
  const worth = ({ report }: Ended) => {
    if (report.kind === 'question') return 3;
    if (report.kind === 'failed' && report.class === 'rejected') return 2;
    return report.kind === 'failed' && report.partial ? 1 : 0;
  };
  const [place = 0] = [...ended.entries()].toSorted(([, a], [, b]) => worth(b) - worth(a))[0] ?? [];
  return place;
}
