// Texts for models and from them, and failures of tasks. It loads no library.
export type { FunctionTask, Input, Output, Task, Value } from './language/ast.ts';
export { efforts, innerTasks, tasksIn } from './language/ast.ts';
export { formatProblem, type Position, type Problem } from './language/problem.ts';
export { fencedOff, quoted, quotedLine, quoteForModel } from './language/quote.ts';
export type { Evaluation, Notes, Spent, TaskErrorDetail, TaskResult } from './language/result.ts';
export { addSpent, invalidInput, nothingSpent, TaskError } from './language/result.ts';
export {
  estimateTokens,
  firstFailure,
  LOG_TOKENS,
  smallDiffs,
  tellsOfFailure,
  trimLog,
  wholeDiff,
  withoutBlobs,
} from './language/trim.ts';
export { type NotRead, readNamed, textOfBytes } from './runtime/named-file.ts';
