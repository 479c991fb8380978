// When a process began: its number may go to another one, its number and its start together do not.
import { readFileSync } from 'node:fs';

/** Start time of a process in clock ticks since boot (Linux); null where the system does not tell. */
export function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie is over, though its number is still taken.
    return fields[0] === 'Z' ? 'over' : (fields[19] ?? null);
  } catch {
    // No such process, or no `/proc`: nobody can say.
    return null;
  }
}
