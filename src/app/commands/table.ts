// All commands, in the order in which help lists them.
import { type Answer, answer } from './answer.ts';
import { type Approve, approve } from './approve.ts';
import { type Budget, budget } from './budget.ts';
import { type Fix, fix } from './fix.ts';
import { type Redirect, redirect } from './redirect.ts';
import { type Reject, reject } from './reject.ts';
import { type Retry, retry } from './retry.ts';
import { bare, type Row } from './command.ts';

type Bare = 'pause' | 'resume' | 'cancel' | 'status' | 'plan' | 'cost' | 'help';
/** What a command says, without its place. */
export type Said =
  | Approve
  | Reject
  | Redirect
  | Answer
  | Retry
  | Fix
  | Budget
  | { [Name in Bare]: { name: Name } }[Bare];

export type CommandName = Said['name'];

export const table: readonly Row<CommandName, Said>[] = [
  approve,
  reject,
  redirect,
  answer,
  bare('pause', 'write', 'starts no more jobs; running ones end at the next safe point'),
  bare('resume', 'write', 'goes on after a pause'),
  bare('cancel', 'write', 'ends the run and its jobs at once'),
  retry,
  fix,
  budget,
  bare('status', 'read', 'where the run stands'),
  bare('plan', 'read', 'the present plan'),
  bare('cost', 'read', 'what was spent, by layer and issue'),
  bare('help', 'read', 'this list'),
];

export const commandNames: readonly CommandName[] = table.map(row => row.name);
