// Public entry point of the engine: programs run by model sessions. Whoever needs less takes one of the other entry points.
export { parseReply } from './language/envelope/reply.ts';
export type { BoundName, Environment, Preceding } from './language/environment.ts';
export {
  asText,
  binding,
  environmentOf,
  nothingPreceding,
  settingsFrame,
  without,
  withValue,
} from './language/environment.ts';
export { ExpressionError } from './language/expressions/data.ts';
export { functionNames, isWholeExpression, readExpression } from './language/lone-expression.ts';
export { isSetting, previousOutput } from './language/names.ts';
export { nothing, shapeOfResult } from './language/shape.ts';
export { type Subtype, subtypeProblems } from './language/subtypes.ts';
export { placeholders, readable, readsFrom, type TemplateText } from './language/text.ts';
export { logging } from './reasoning/built-in.ts';
export type { SessionEvent } from './reasoning/events.ts';
export type { MetricsExport, SessionMetrics } from './reasoning/metrics.ts';
export type { Middleware } from './reasoning/middleware.ts';
export { answerQuestion, NoAnswerYet, SessionPaused } from './reasoning/question.ts';
export type { SessionSurroundings } from './reasoning/request.ts';
export { standardStops, type StopCondition } from './reasoning/stop.ts';
export type { EvaluationParts, SessionParts } from './runtime/evaluation.ts';
export { evaluationOf, lazySandbox, windowOf } from './runtime/evaluation.ts';
export { misfits, readInputLines, readInputs } from './runtime/inputs.ts';
export type { McpServer } from './runtime/mcp/server.ts';
export { type McpServers, openServers, readServers, secretsOfServers } from './runtime/mcp/servers.ts';
export { type KeptMemory, openMemory } from './runtime/open-memory.ts';
export { modelProblems, needsMore } from './runtime/rights.ts';
export { callOf, type ProgramFor, runnable } from './runtime/runnable.ts';
export type { Execution, Runtime, RuntimeParts, ToolSource } from './runtime/runtime.ts';
export { openRuntime } from './runtime/runtime.ts';
export { bindOwnTools, type OwnTool } from './runtime/tools/own-tools.ts';
export { placeOf, readRegularFile } from './runtime/tools/resolve-in-tree.ts';
export { decodeText } from './runtime/tools/search.ts';
export { traceFile } from './runtime/trace/trace-file.ts';
export { askApart } from './tasks/ask-apart.ts';
export { type AllowedParameters, compile, type Compiled } from './tasks/compile.ts';
export { expressionValue } from './tasks/cond.ts';
export { evaluate, type Evaluated, type EvaluateOptions, type TaskEvent } from './tasks/evaluate.ts';
export { boundFunction, boundResult } from './tasks/inputs.ts';
export { findMatchingTasks, type Match } from './tasks/match.ts';
export { narrow, termsIn } from './tasks/memory/narrow.ts';
export { relevantContext } from './tasks/memory/relevant.ts';
export { preflight } from './tasks/rights.ts';
export { MOST_CALLS, MOST_TASKS } from './tasks/task-meter.ts';
export { nameOf } from './tasks/task-place.ts';
export { programOf } from './tasks/template-programs.ts';
export { problemAt } from './tasks/written-program.ts';
