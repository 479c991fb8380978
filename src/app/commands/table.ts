// All commands, in the order in which help lists them.
import { answer } from './answer.ts';
import { approve } from './approve.ts';
import { budget } from './budget.ts';
import { cancel } from './cancel.ts';
import { checks } from './checks.ts';
import { cost } from './cost.ts';
import { dryRun } from './dry-run.ts';
import { fix } from './fix.ts';
import { help } from './help.ts';
import { pause } from './pause.ts';
import { plan } from './plan.ts';
import { redirect } from './redirect.ts';
import { reject } from './reject.ts';
import { resume } from './resume.ts';
import { retry } from './retry.ts';
import { status } from './status.ts';

export const commands = {
  approve,
  reject,
  redirect,
  answer,
  pause,
  resume,
  cancel,
  retry,
  fix,
  checks,
  budget,
  status,
  plan,
  cost,
  'dry-run': dryRun,
  help,
};

export type CommandName = keyof typeof commands;
export const table = Object.values(commands);
