// Ctrl-C and its like as a signal that aborts what is under way.
import { killRunningGroups } from '@echelon/ground';

/** Abort reason: SIGINT, SIGTERM or SIGHUP. */
export class Interrupted extends Error {}

const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts with Interrupted at the first of `signals`: SIGINT, SIGTERM and SIGHUP (the terminal closed) where nobody says
 * otherwise. A later SIGINT or SIGTERM ends the process at once; SIGHUP often comes twice. However the process ends, no
 * command outlives it.
 */
export function interruption(signals: readonly (typeof ending)[number][] = ending): AbortSignal {
  const stop = new AbortController();
  process.once('exit', killRunningGroups);
  for (const name of signals) {
    const told = () => {
      if (!stop.signal.aborted) stop.abort(new Interrupted(`ended by ${name}`));
      else if (name !== 'SIGHUP') {
        killRunningGroups();
        process.off(name, told);
        process.kill(process.pid, name);
      }
    };
    process.on(name, told);
  }
  return stop.signal;
}
