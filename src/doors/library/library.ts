// The package's root: programs of the task language in a program of your own, without GitHub.
/// <reference path="../../engine/sandbox/webassembly.d.ts" />
export type { Task } from '../../engine/language/ast.ts';
export type { Library, Source, Template } from '../../engine/language/library.ts';
export type { Problem } from '../../engine/language/problem.ts';
export {
  type Notes,
  type Spent,
  TaskError,
  type TaskErrorDetail,
  type TaskResult,
} from '../../engine/language/result.ts';
export type { Subtype } from '../../engine/language/subtypes.ts';
export { type Json, systemClock } from '@echelon/ground';
export { type Entry, type Store, openFileStore } from '@echelon/ground/journal';
export { anthropicModel } from '../../engine/models/anthropic.ts';
export { openaiModel } from '../../engine/models/openai.ts';
export {
  type Model,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
  type ServedModel,
} from '../../engine/models/model.ts';
export { recording } from '../../engine/models/record.ts';
export { parseScript, type Script } from '../../engine/models/script.ts';
export { scriptedModel } from '../../engine/models/scripted.ts';
export type { SessionEvent } from '../../engine/reasoning/events.ts';
export type { ExecutionRows } from '../../engine/reasoning/execution/policies.ts';
export type { ExecutionRecord } from '../../engine/reasoning/execution/record.ts';
export { logging } from '../../engine/reasoning/built-in.ts';
export type { MetricsExport, SessionMetrics } from '../../engine/reasoning/metrics.ts';
export type { Middleware } from '../../engine/reasoning/middleware.ts';
export { NoAnswerYet, SessionPaused } from '../../engine/reasoning/question.ts';
export { type StopCondition, standardStops } from '../../engine/reasoning/stop.ts';
export type { Compiled } from '../../engine/tasks/compile.ts';
export type { TaskEvent } from '../../engine/tasks/evaluate.ts';
export type { Match } from '../../engine/tasks/match.ts';
export type { RelevantContext, RelevantContextRequest } from '../../engine/tasks/memory/context-request.ts';
export type { GivenEntry } from '../../engine/tasks/memory/given-index.ts';
export type { GlobalIndex, IndexEntry } from '../../engine/tasks/memory/global-index.ts';
export type { Memory } from '../../engine/tasks/memory/memory.ts';
export { narrow } from '../../engine/tasks/memory/narrow.ts';
export { openMemory } from '../../engine/runtime/open-memory.ts';
export { z } from 'zod';
export type { McpServer } from '../../engine/runtime/mcp/server.ts';
export type { OwnTool } from '../../engine/runtime/tools/own-tools.ts';
export { createTasks, type Tasks } from './tasks.ts';
export type { ExecuteOptions, TasksOptions } from './tasks-options.ts';
