// Form of every command: one row, which the rest of the program reads. A command's file is its row.
import { z } from 'zod';
import type { ViewChange } from '../comments/fold.ts';
import type { RunView } from '../comments/view.ts';

/** Least permission on the repository that a command needs. */
export type Who = 'read' | 'write' | 'maintain';

/** Arguments that do not fit: what is wrong, and at which offset of the text after the command's word. */
export interface Misfit {
  wrong: string;
  at: number;
  /** The command that may have been meant. */
  nearest?: string | undefined;
}

interface Described<Name extends string, Value> {
  name: Name;
  /** Grammar: `[x]` may be left out, `|` is a choice, other words stand for themselves or for what they name. */
  usage: string;
  what: string;
  who: Who;
  example: string;
  /** `rest` stands after the command's word, `below` in the lines up to the next command; no white space around them. */
  parse(rest: string, below: string): Value | Misfit;
}

/** Author of a command (login), and the database id of its comment. */
export const CommandOrigin = z.object({
  by: z.string(),
  comment: z.number(),
  /** Number of the sub-issue or pull request it was written on; absent: on the directive. */
  on: z.number().exactOptional(),
});
export type CommandOrigin = z.infer<typeof CommandOrigin>;

/**
 * A command that changes the run: its signal. The program takes it where it waits for it (`signal([name])`); what else
 * may come of it stands here. Each reason is a clause.
 */
export interface Changing<Name extends string = string, Value extends CommandOrigin = CommandOrigin>
  extends Described<Name, Omit<Value, keyof CommandOrigin>> {
  kind: 'changes';
  /** The signal's value in a record. */
  value: z.ZodType<Value>;
  /** It ends the run wherever that stands. */
  interrupts?: true;
  /** Its effect at any time before the end, also on a run that waits for something else; or why it has none. */
  effect?(view: RunView, value: Value): ViewChange | string;
  /** Reason for refusing it while the run waits for something else. */
  notNow?(view: RunView, value: () => Value, waitingFor: readonly string[]): string;
  /** Reason for refusing it after the run has ended. */
  afterEnd?(view: RunView): string;
  /** It is followed on sub-issues and pull requests of the run as well. */
  anywhere?: true;
}

/** The row of a command that changes the run. `carries`: the values of its signal besides the origin. */
export const changing = <Name extends string, Carries extends z.ZodRawShape>({
  carries,
  ...row
}: Omit<Changing<Name, CommandOrigin & z.infer<z.ZodObject<Carries>>>, 'kind' | 'value'> & {
  carries: Carries;
}): Changing<Name, CommandOrigin & z.infer<z.ZodObject<Carries>>> => ({
  kind: 'changes',
  value: CommandOrigin.and(z.object(carries)),
  ...row,
});

/** A command that only reads is answered at once, wherever it is written, and never journalled. */
export interface Reading<Name extends string = string> extends Described<Name, object> {
  kind: 'reads';
  answers:
    | { of: 'run'; say(view: RunView): string }
    | { of: 'commands'; say(rows: readonly Command[]): string };
}

export type Command = Changing | Reading;

/** Words of `rest` with their offsets; commas part words too when `commas` is set. */
export function wordsOf(rest: string, commas = false): { word: string; at: number }[] {
  return [...rest.matchAll(commas ? /[^\s,]+/g : /\S+/g)].map(found => ({ word: found[0], at: found.index }));
}

/** Grammar of a command without arguments. */
export function bare<Name extends string>(name: Name) {
  return {
    name,
    usage: `/${name}`,
    example: `/${name}`,
    parse: (rest: string) => (rest === '' ? {} : { wrong: `/${name} takes nothing after it`, at: 0 }),
  };
}
