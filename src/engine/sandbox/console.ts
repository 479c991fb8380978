// What an execution printed, bounded in lines and in characters.
import { CONSOLE_LINES } from './limits.ts';

export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error';

export interface ConsoleLine {
  level: ConsoleLevel;
  text: string;
}

/** What the bounds left out; a line that was cut counts among the lines. */
export interface OmittedOutput {
  lines: number;
  chars: number;
}

const levels: readonly string[] = ['log', 'info', 'warn', 'error'] satisfies ConsoleLevel[];
const isLevel = (level: string): level is ConsoleLevel => levels.includes(level);

/** Hands each line that fits to `keep` and counts the rest. */
export function boundedConsole(maxChars: number, keep: (line: ConsoleLine) => void) {
  const omitted: OmittedOutput = { lines: 0, chars: 0 };
  let lines = 0;
  let room = maxChars;
  return {
    omitted,
    /** `chars` is the line's whole length: the guest cuts a line before it hands it out. */
    print(level: string, text: string, chars: number): void {
      const kept = lines < CONSOLE_LINES ? text.slice(0, room).toWellFormed() : '';
      const whole = Math.max(chars, text.length);
      if (kept.length < whole || lines >= CONSOLE_LINES) {
        omitted.lines += 1;
        omitted.chars += whole - kept.length;
      }
      if (lines >= CONSOLE_LINES || (kept === '' && whole > 0)) return;
      lines += 1;
      room -= kept.length;
      keep({ level: isLevel(level) ? level : 'log', text: kept });
    },
  };
}
