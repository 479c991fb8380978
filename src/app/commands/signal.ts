// Commands as a run takes them: each is a signal, and what it carries follows from its name.
import type { Said } from './table.ts';

/** Commands that change a run. The others are answered at once, or not available yet. */
export const signalCommands = ['approve', 'reject', 'answer', 'retry', 'budget', 'cancel'] as const;
export type SignalCommand = (typeof signalCommands)[number];

/** Who gave a command, and where. */
export interface CommandOrigin {
  /** Login. */
  by: string;
  /** Database id of the comment it stood in. */
  comment: number;
}

/** What a command carries, by its name. */
export type CommandValues = {
  [Name in SignalCommand]: Omit<Extract<Said, { name: Name }>, 'name'> & CommandOrigin;
};

/** A signal of one of these names, with the value of that name. `at` in milliseconds since the epoch. */
export type SignalOf<Values, Name extends keyof Values> = {
  [Each in Name]: { id: string; name: Each; value: Values[Each]; at: number };
}[Name];

export type CommandSignal<Name extends SignalCommand = SignalCommand> = SignalOf<CommandValues, Name>;

/**
 * The next signal in journal order whose name is in `names`. One that does not fit is handed to the program's
 * `misfit` and passed over. Where none is left the program stops with an interruption; waiting costs nothing.
 */
export type Signal<Values> = <Name extends keyof Values & string>(
  names: readonly Name[],
) => Promise<SignalOf<Values, Name>>;
