// Ctrl-C and its like as a signal that aborts what is under way.
import { killRunningCommands } from '../workspace/command.ts';

/** Why it was aborted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Aborts with Interrupted at the first SIGINT, SIGTERM or SIGHUP (the terminal closed). A later SIGINT or SIGTERM ends
 * the process at once; SIGHUP often comes twice. However the process ends, no command outlives it.
 */
export function interruption(): AbortSignal {
  const stop = new AbortController();
  process.once('exit', killRunningCommands);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const told = () => {
      if (!stop.signal.aborted) stop.abort(new Interrupted(`ended by ${name}`));
      else if (name !== 'SIGHUP') {
        killRunningCommands();
        process.off(name, told);
        process.kill(process.pid, name);
      }
    };
    process.on(name, told);
  }
  return stop.signal;
}
