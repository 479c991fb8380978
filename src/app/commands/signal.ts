// Commands as a run takes them: each is a signal, and what it carries follows from its name.
import type { z } from 'zod';
import type { Shown } from '../comments/fold.ts';
import type { Changing, CommandOrigin } from './command.ts';
import { type CommandName, type commands, table } from './table.ts';

/** Commands that change a run. */
export type SignalCommand = {
  [Name in CommandName]: (typeof commands)[Name]['kind'] extends 'changes' ? Name : never;
}[CommandName];

const changing = table.filter(row => row.kind === 'changes');

export const signalCommands: readonly SignalCommand[] = changing.map(({ name }) => name);

/** Commands that end a run wherever it stands. */
export const interrupts: readonly SignalCommand[] = changing
  .filter(row => row.interrupts)
  .map(({ name }) => name);

/** The row of the command that a signal is; undefined where it is none. */
export const changingRow = (name: string): Changing<SignalCommand> | undefined =>
  changing.find(row => row.name === name);

/** Gives a command its effect; returns why it has none, else undefined. */
export function takeEffect(
  { view, emit }: Shown,
  { name, value }: { name: string; value: CommandOrigin },
): string | undefined {
  const came = changingRow(name)?.effect?.(view, value);
  if (typeof came !== 'object') return came;
  emit(came);
  return undefined;
}

/** Values of commands, by their name. */
export type CommandValues = {
  [Name in SignalCommand]: z.output<(typeof commands)[Name]['value']>;
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

/**
 * The first signal of these names that came before the step `key` was done: what is looked at before it, and not waited
 * for. Undefined where there is none.
 */
export type Earlier<Values> = <Name extends keyof Values & string>(
  key: string,
  names: readonly Name[],
) => SignalOf<Values, Name> | undefined;
