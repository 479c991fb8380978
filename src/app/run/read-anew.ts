// Work on a record that others write as well: where it was overtaken it is read and done anew, a few times.
import type { Clock } from '../../lib/clock.ts';
import { WrittenElsewhere } from './run-store.ts';

const MAX_TRIES = 8;
/** Between two tries, any time up to the larger (milliseconds), so that two who met do not meet again. */
const [SHORTEST_MS, LONGEST_MS] = [200, 5000];
/** After the last one it is looked at again (milliseconds). */
const LATER_MS = 60_000;

/** Throws WrittenElsewhere with a time where it is not worth another try now. */
export async function readAnew<T>(work: () => Promise<T>, clock: Clock, random = Math.random): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WrittenElsewhere) || error.until !== undefined) throw error;
      if (tries === MAX_TRIES) throw new WrittenElsewhere(clock.now() + LATER_MS, error);
      await clock.sleep(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS));
    }
  }
}
