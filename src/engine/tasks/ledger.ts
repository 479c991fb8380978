// Books of work: what its sessions spend is known as it is spent, even where one is cut off and leaves no result, and a
// task's limits hold over all of them.
import type { Deadline } from '@echelon/ground';
import type { Limits, TemplateRef } from '../language/ast.ts';
import { Cancelled, exhausted } from '../reasoning/stop.ts';
import {
  addSpent,
  nothingSpent,
  type Notes,
  type Spent,
  TaskError,
  type TaskResult,
} from '../language/result.ts';
import { allWarnings } from '../language/problem.ts';
import type { Meter } from '../reasoning/request.ts';

export interface Ledger {
  spent: Spent;
  /** Of the work that this is a part of. */
  readonly around: Ledger | undefined;
  readonly bound: Bound | undefined;
}

/** The limits that hold over the work of a ledger. */
export interface Bound {
  /** The task that they are of. */
  name: string;
  limits: Partial<Limits>;
  time?: Deadline | undefined;
}

export function createLedger(around: Ledger | undefined, bound?: Bound): Ledger {
  return { spent: nothingSpent, around, bound };
}

/** The error of the nearest limit around the work that is used up; undefined: a model may be called. */
export function usedUp(ledger: Ledger | undefined): TaskError | undefined {
  for (let at = ledger; at; at = at.around) {
    const { spent, bound } = at;
    if (!bound) continue;
    const { turns, budgetUsd } = bound.limits;
    if (turns !== undefined && spent.turns >= turns)
      return exhausted('turns', spent.turns, turns, bound.name);
    if (budgetUsd !== undefined && spent.cost_usd >= budgetUsd)
      return exhausted('budget', spent.cost_usd, budgetUsd, bound.name);
  }
  return undefined;
}

type Left = Pick<Limits, 'turns' | 'contextTokens' | 'outputTokens'>;

/** The turns that are left, and the most that one conversation and one reply may have; undefined: no limit. */
export function leftFor(ledger: Ledger | undefined): Left {
  let left: Left = { turns: undefined, contextTokens: undefined, outputTokens: undefined };
  for (let at = ledger; at; at = at.around) {
    if (!at.bound) continue;
    const { turns, contextTokens, outputTokens } = at.bound.limits;
    left = {
      turns: least(left.turns, turns && Math.max(0, turns - at.spent.turns)),
      contextTokens: least(left.contextTokens, contextTokens),
      outputTokens: least(left.outputTokens, outputTokens),
    };
  }
  return left;
}

export function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : Math.min(a, b ?? a);
}

/** Books the spending of one session for all work that it is a part of. */
export interface SessionMeter extends Meter {
  /** Books the spending of a session that failed or was cut off: its error says it. */
  left(error: unknown): void;
}

/** Undefined where there is nothing that the session could be a part of. */
export function meterFor(ledger: Ledger | undefined): SessionMeter | undefined {
  if (!ledger) return undefined;
  let booked = nothingSpent;
  const book = ({ cost_usd, turns, usage }: Spent): void => {
    const now: Spent = { cost_usd, turns, usage };
    const more = booked === nothingSpent ? now : addSpent(now, negative(booked));
    for (let at: Ledger | undefined = ledger; at; at = at.around) at.spent = addSpent(at.spent, more);
    booked = now;
  };
  return {
    call(spent) {
      book(spent);
      const error = usedUp(ledger);
      if (error) throw error;
      // Counted before it is made: several that are made side by side may not be more than are allowed together.
      book({ ...spent, turns: spent.turns + 1 });
    },
    spent: book,
    suspended(wait) {
      let all = wait;
      for (let at: Ledger | undefined = ledger; at; at = at.around)
        all = at.bound?.time?.suspended(all) ?? all;
      return all;
    },
    left(error) {
      if (error instanceof TaskError) book(error.notes.dataUsage);
      else if (error instanceof Cancelled) book(error.spent);
    },
  };
}

const negative = ({ cost_usd, turns, usage }: Spent): Spent => ({
  cost_usd: -cost_usd,
  turns: -turns,
  usage: {
    input_tokens: -usage.input_tokens,
    output_tokens: -usage.output_tokens,
    cache_read_tokens: -usage.cache_read_tokens,
    cache_write_tokens: -usage.cache_write_tokens,
  },
});

/** Costs and warnings of the tasks that gave one value or several. */
export interface Given {
  spent: Spent;
  /** Each with the name of its value. */
  warnings: readonly string[];
}

/** The end of a task, its error included, with what it was given, and the template that it is, added to the notes. */
export function withCosts(
  {
    spent,
    warnings,
    template,
    program,
  }: Given & {
    template?: TemplateRef | undefined;
    program?: string | undefined;
  },
  ended: Promise<TaskResult>,
): Promise<TaskResult> {
  const own = { ...(template && { template }), ...(program !== undefined && { program }) };
  return ended.then(
    result => {
      const { notes } = result;
      const all = allWarnings(warnings, notes.warnings);
      const dataUsage = addSpent(notes.dataUsage, spent);
      return { ...result, notes: { ...notes, warnings: all, dataUsage, ...own } };
    },
    failingWith({ dataUsage: spent, warnings: [...warnings], ...own }),
  );
}

/** Throws what it is given; a TaskError with more notes. */
export const failingWith = (notes: Partial<Notes>) => (error: unknown) => {
  throw error instanceof TaskError ? error.with(notes) : error;
};
