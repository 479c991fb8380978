// Operations that a model can ask its session for, by a tag or a tool call.

export type Operation =
  | { kind: 'vault'; action: 'set'; id: string; type?: string; description?: string; content?: string }
  | { kind: 'vault'; action: 'read'; id: string; limit: number | 'full-length' }
  | { kind: 'vault'; action: 'delete'; id: string }
  /** A second write of the same identifier changes only the fields that are given. */
  | { kind: 'memory' | 'task' | 'goal'; action: 'set'; identifier: string; fields: EntryFields }
  | { kind: 'memory' | 'task' | 'goal'; action: 'delete'; identifier: string }
  | { kind: 'js'; code: string }
  /** A tool of the task, by its abstract name. */
  | { kind: 'tool'; name: string; input: unknown }
  | { kind: 'ask'; question: string }
  | { kind: 'final'; text: string };

/** Verbs of operations without an action, for the log. */
export const verbs = { js: 'execute', tool: 'call', ask: 'ask', final: 'give' } as const;

export interface EntryFields {
  heading?: string;
  content?: string;
  notes?: string;
  status?: string;
  important?: boolean;
}

/** Something the model wrote that is no operation, or one that cannot be applied; it is told so. */
export interface OperationProblem {
  message: string;
  /** Position in the reply, from 1; absent for a call of a tool. */
  line?: number;
  column?: number;
}

export interface OperationOutcome {
  ok: boolean;
  /** Text for the model. */
  text: string;
}

/** One row of the tool activity log. */
export interface Activity {
  /** Kind of the operation, or `parse` for text that is none. */
  type: Operation['kind'] | 'parse';
  action: string;
  id: string;
  status: 'ok' | 'error';
  error?: string;
  /** Its place among all of the session's, from 1. */
  index: number;
}
