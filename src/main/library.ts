// The package's root: programs of the task language in a program of your own, without GitHub.
/// <reference path="../sandbox/webassembly.d.ts" />
export type { Task } from '../language/ast.ts';
export type { Library, Source, Template } from '../language/library.ts';
export type { Problem } from '../language/problem.ts';
export {
  type Notes,
  type Spent,
  TaskError,
  type TaskErrorDetail,
  type TaskResult,
} from '../language/result.ts';
export type { Subtype } from '../language/subtypes.ts';
export type { Json } from '../lib/json.ts';
export { anthropicModel } from '../models/anthropic.ts';
export {
  type Model,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ServedModel,
} from '../models/model.ts';
export { recording } from '../models/record.ts';
export { parseScript, type Script } from '../models/script.ts';
export { scriptedModel } from '../models/scripted.ts';
export type { SessionEvent } from '../reasoning/events.ts';
export type { Attempt, FailedAttempt, ReturnedValue } from '../reasoning/execution/attempt.ts';
export type { ExecutionRecord } from '../reasoning/execution/record.ts';
export { createRegistry, type Registry } from '../reasoning/execution/registry.ts';
export { logging } from '../reasoning/logging.ts';
export type { MetricsExport, SessionMetrics } from '../reasoning/metrics-export.ts';
export type { Middleware } from '../reasoning/middleware.ts';
export { NoAnswerYet, SessionPaused } from '../reasoning/question.ts';
export type { SessionState } from '../reasoning/state.ts';
export { type StopCondition, standardStops } from '../reasoning/stop.ts';
export type { SessionStorage } from '../reasoning/storage.ts';
export type { Step } from '../record/journal.ts';
export type { Compiled } from '../tasks/compile.ts';
export type { TaskEvent } from '../tasks/evaluate.ts';
export type { Match } from '../tasks/match.ts';
export type { GlobalIndex, IndexEntry } from '../tasks/memory/global-index.ts';
export type { Memory } from '../tasks/memory/memory.ts';
export { narrow } from '../tasks/memory/narrow.ts';
export { systemClock } from '../lib/clock.ts';
export { openMemory } from './memory.ts';
export { createTasks, type ExecuteOptions, type Tasks } from './tasks.ts';
export type { TasksOptions } from './tasks-options.ts';
