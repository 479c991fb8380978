// What is wrong with a workflow file, each with its place.
import type { Place } from './planned-job.ts';

export interface Problem {
  at: Place;
  message: string;
}

/** A workflow that cannot be carried out; nothing of it has run. The message has a line for each problem. */
export class WorkflowError extends Error {
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ at, message }) => `${at.file}:${at.line}:${at.column}: ${message}`).join('\n'));
  }
}
