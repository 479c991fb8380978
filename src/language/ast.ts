// What a checked program is: one closed union of tasks.
import type { Position } from './problem.ts';
import type { Placeholder, Template } from './text.ts';
import type { ToolName } from './tool.ts';

export type Task = AtomicTask | SequentialTask | ScriptTask | DirectorEvaluatorTask;

export interface CommonParts {
  at: Position;
  /** Names the task's result for what comes after it, and the task itself in events and scripts of replies. */
  name: string | undefined;
  /** For people; an atomic task also gives it to the model. */
  description: Template | undefined;
  inputs: Input[];
}

export interface Input {
  name: string;
  at: Position;
  value:
    | { kind: 'parameter' }
    | { kind: 'binding'; from: Placeholder }
    | { kind: 'text'; text: Template }
    | { kind: 'task'; task: Task };
  /** Of a script: given on standard input instead of in the environment. */
  stdin: boolean;
}

export interface Output {
  name: string;
  type: 'string' | 'number' | 'boolean' | 'json';
  nullable: boolean;
}

export interface Limits {
  /** Model calls. */
  turns: number | undefined;
  /** Tokens that one reply may have. */
  outputTokens: number | undefined;
  timeMs: number | undefined;
}

/** One model session. */
export interface AtomicTask extends CommonParts {
  type: 'atomic';
  subtype: 'standard' | 'director' | 'evaluator';
  system: Template | undefined;
  instructions: Template | undefined;
  expectedOutput: Template | undefined;
  criteria: Template | undefined;
  /** An alias of the configuration or a model's name; undefined: what the configuration gives the task. */
  model: string | undefined;
  temperature: number | undefined;
  limits: Limits;
  outputs: Output[];
  tools: ToolName[];
}

export interface SequentialTask extends CommonParts {
  type: 'sequential';
  steps: Task[];
}

/** An external command. */
export interface ScriptTask extends CommonParts {
  type: 'script';
  /** Its placeholders are settings of the run, nothing else. */
  command: Template;
}

export interface DirectorEvaluatorTask extends CommonParts {
  type: 'director-evaluator';
  director: AtomicTask;
  script: ScriptTask | undefined;
  evaluator: AtomicTask;
  /** Text: a number, or a setting of the run that holds one. */
  maxRounds: Template;
}

/** The outputs that `{{name.output}}` may read of a task's result. */
export function outputNames(task: Task): string[] {
  switch (task.type) {
    case 'atomic':
      return task.outputs.map(output => output.name);
    case 'script':
      return ['stdout', 'stderr', 'exit_code'];
    case 'sequential': {
      const last = task.steps.at(-1);
      return last ? outputNames(last) : [];
    }
    case 'director-evaluator':
      return outputNames(task.director);
  }
}
