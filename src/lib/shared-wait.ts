// A wait that one caller was told of and that holds for everybody who shares what it is for: a key, an installation.
import type { Clock } from './clock.ts';

export interface SharedWait {
  /** Until when nothing is to be sent (milliseconds since the epoch); undefined where nothing is waited for. */
  until(): number | undefined;
  /** Waits until then, or longer where that was asked for before. */
  extend(until: number): void;
}

/** A header may say anything: after a day it is asked again. */
const LONGEST_MS = 24 * 3_600_000;

export function sharedWait(clock: Clock): SharedWait {
  let end = 0;
  return {
    until: () => (end > clock.now() ? end : undefined),
    extend(until) {
      end = Math.max(end, Math.min(until, clock.now() + LONGEST_MS));
    },
  };
}
