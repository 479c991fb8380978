// Defaults of a task, and a placeholder for a task that could not be read.
import type { ContextManagement, Limits, Task } from './ast.ts';
import type { Position } from './problem.ts';

/** Placeholder for an atomic task that could not be read. */
export function blankTask(at: Position): Task & { type: 'atomic' } {
  return {
    type: 'atomic',
    at,
    name: undefined,
    description: undefined,
    template: undefined,
    inputs: [],
    context: plainContext,
    disableReparsing: false,
    limits: noLimits,
    candidates: undefined,
    onFailure: undefined,
    subtype: 'standard',
    system: undefined,
    instructions: undefined,
    expectedOutput: undefined,
    criteria: undefined,
    model: undefined,
    temperature: undefined,
    effort: undefined,
    outputs: [],
    tools: [],
    outputSlot: undefined,
    inputSource: undefined,
  };
}

/** The context settings of a task that has none. */
export const plainContext: ContextManagement = {
  inherit: undefined,
  accumulate: false,
  format: 'full_output',
  clear: false,
  rebuild: false,
};

/** The limits of a task that sets none. */
export const noLimits: Limits = {
  turns: undefined,
  contextTokens: undefined,
  outputTokens: undefined,
  timeMs: undefined,
  budgetUsd: undefined,
};
