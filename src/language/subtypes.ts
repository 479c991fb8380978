// The subtypes of atomic tasks: what each allows its session, as a table that more can be added to.
import type { OutputType } from './ast.ts';

export interface Subtype {
  /** Model calls at most, whatever the task says; the session's own limit holds besides. */
  turns: number;
  /** Model calls when neither the task nor its surroundings say; default: `turns`. */
  usualTurns?: number;
  /** Outputs that a task of the subtype has to declare. */
  outputs: readonly { name: string; type: OutputType; nullable: boolean }[];
  /** Whether its result may be a CONTINUATION; otherwise such a result is an invalid output. */
  continuation: boolean;
  /** Whether its sessions begin with an empty context, whatever is around them. */
  clearContext: boolean;
}

const plain: Subtype = { turns: 10, outputs: [], continuation: false, clearContext: false };

/**
 * The subtypes of the language. A director has 30 turns, the reasoning session's own limit, and a standard task can
 * ask for as many; others have 10.
 */
export const standardSubtypes: Readonly<Record<string, Subtype>> = {
  standard: { ...plain, turns: 30, usualTurns: 10, continuation: true },
  subtask: plain,
  director: { ...plain, turns: 30, continuation: true },
  evaluator: {
    ...plain,
    outputs: [
      { name: 'success', type: 'boolean', nullable: false },
      { name: 'feedback', type: 'string', nullable: true },
    ],
  },
  associative_memory: { ...plain, clearContext: true },
  matching: { ...plain, clearContext: true },
  reparse: { ...plain, clearContext: true },
  compile: { ...plain, clearContext: true },
};
