// The subtypes of atomic tasks: what each allows its session, as a table that more can be added to.
import { type OutputType, outputTypes } from './ast.ts';

export interface Subtype {
  /** Model calls at most, whatever the task says; the session's own limit holds besides. */
  turns: number;
  /** Model calls when neither the task nor its surroundings say; default: `turns`. */
  usualTurns?: number;
  /** Outputs that a task of the subtype has to declare. */
  outputs: readonly { name: string; type: OutputType; nullable: boolean }[];
  /** True if its result may be a CONTINUATION. Otherwise such a result is an invalid output. */
  continuation: boolean;
  /** True if its sessions begin with an empty context, whatever surrounds them. */
  clearContext: boolean;
  /**
   * True if the interpreter itself starts its tasks: matching never selects them, and the failure of one is the
   * failure of the task it was started for. Default: false.
   */
  own?: boolean;
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
  associative_memory: { ...plain, clearContext: true, own: true },
  matching: { ...plain, clearContext: true, own: true },
  reparse: { ...plain, clearContext: true, own: true },
  compile: { ...plain, clearContext: true, own: true },
};

/** A name as it stands in the attribute `subtype`, and as that of a declared output. */
const plainName = /^[A-Za-z_][\w-]*$/;

const isTurns = (count: number): boolean => Number.isSafeInteger(count) && count >= 1;

/** Returns the reasons that `more` cannot be registered beside the built-in subtypes, a line each; empty if it can. */
export function subtypeProblems(more: Readonly<Record<string, Subtype>>): string[] {
  return Object.entries(more).flatMap(([name, { turns, usualTurns, outputs }]) => {
    const found: string[] = [];
    const say = (what: string) => found.push(`${name}: ${what}`);
    if (Object.hasOwn(standardSubtypes, name)) say('the language has a subtype of that name: take another');
    if (!plainName.test(name)) say('a name has letters, digits, _ and -, and begins with a letter or _');
    if (!isTurns(turns)) say(`turns is ${turns}, not a whole number from 1`);
    if (usualTurns !== undefined && !(isTurns(usualTurns) && usualTurns <= turns))
      say(`usualTurns is ${usualTurns}, not a whole number from 1 to turns (${turns})`);
    const declared = new Set<string>();
    for (const output of outputs) {
      if (!plainName.test(output.name)) say(`no output can be declared as "${output.name}"`);
      if (declared.has(output.name)) say(`a second output "${output.name}"`);
      declared.add(output.name);
      if (!outputTypes.includes(output.type))
        say(`output "${output.name}" is of type ${output.type}; there are ${outputTypes.join(', ')}`);
    }
    return found;
  });
}
