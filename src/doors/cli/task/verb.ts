// The interface of a verb of `echelon task`.
import type { OptionSpec, Parsed } from '../options.ts';
import type { Settings } from '../../settings.ts';

/** A verb of `echelon task`. */
export interface Verb {
  /** Usage after `echelon task`. */
  usage: string;
  /** Description and exit codes. */
  about: string;
  options: Readonly<Record<string, OptionSpec>>;
  /**
   * Answers the exit code, or everything that is wrong with the call, `given.problems` first; nothing is done then.
   * Throws Interrupted, TaskError, OutputFailure.
   */
  run(given: Parsed, settings: Settings): Promise<number | { problems: string[] }>;
}
