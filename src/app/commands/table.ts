// All commands, in the order in which help lists them, and those that change a run as the signals that it takes.
import type { z } from 'zod';
import type { Shown } from '../comments/fold.ts';
import { add } from './add.ts';
import { answer } from './answer.ts';
import { approve } from './approve.ts';
import { budget } from './budget.ts';
import { cancel } from './cancel.ts';
import { checks } from './checks.ts';
import type { Changing, CommandOrigin } from './command.ts';
import { cost } from './cost.ts';
import { drop } from './drop.ts';
import { dryRun } from './dry-run.ts';
import { edit } from './edit.ts';
import { fix } from './fix.ts';
import { help } from './help.ts';
import { merge } from './merge.ts';
import { pause } from './pause.ts';
import { plan } from './plan.ts';
import { ready } from './ready.ts';
import { redirect } from './redirect.ts';
import { reject } from './reject.ts';
import { resume } from './resume.ts';
import { retry } from './retry.ts';
import { status } from './status.ts';
import { tell } from './tell.ts';

export const commands = {
  approve,
  reject,
  drop,
  edit,
  add,
  redirect,
  answer,
  pause,
  resume,
  cancel,
  retry,
  tell,
  fix,
  checks,
  ready,
  merge,
  budget,
  status,
  plan,
  cost,
  'dry-run': dryRun,
  help,
};

export type CommandName = keyof typeof commands;
export const table = Object.values(commands);

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

/** `signal` of a journal (`journal/replay.ts`), with the values of its names. */
export type Signal<Values> = <Name extends keyof Values & string>(
  names: readonly Name[],
) => Promise<SignalOf<Values, Name>>;

/** `earlier` of a journal, with the values of its names. */
export type Earlier<Values> = <Name extends keyof Values & string>(
  key: string,
  names: readonly Name[],
) => SignalOf<Values, Name> | undefined;
