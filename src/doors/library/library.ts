// The package's root: programs of the task language in a program of your own, without GitHub.
/// <reference path="../../engine/sandbox/webassembly.d.ts" />
export type { Notes, Problem, Spent, Task, TaskErrorDetail, TaskResult } from '../../engine/texts.ts';
export { TaskError } from '../../engine/texts.ts';
export type { Library, Source, Template } from '../../engine/language.ts';
export type {
  Compiled,
  Match,
  McpServer,
  MetricsExport,
  Middleware,
  OwnTool,
  SessionEvent,
  SessionMetrics,
  StopCondition,
  Subtype,
  TaskEvent,
} from '../../engine/engine.ts';
export {
  logging,
  narrow,
  NoAnswerYet,
  openMemory,
  SessionPaused,
  standardStops,
} from '../../engine/engine.ts';
export { type Json, systemClock } from '@echelon/ground';
export { type Entry, type Store, openFileStore } from '@echelon/ground/journal';
export { anthropicModel, openaiModel, recording, scriptedModel } from '../../engine/providers.ts';
export type { Model, ModelReply, ModelRequest, Script, ServedModel } from '../../engine/models.ts';
export { ModelFailure, parseScript } from '../../engine/models.ts';
export type { ExecutionRecord, ExecutionRows } from '../../engine/sandbox.ts';
export type {
  GivenEntry,
  GlobalIndex,
  IndexEntry,
  Memory,
  RelevantContext,
  RelevantContextRequest,
} from '../../engine/files.ts';
export { z } from 'zod';
export { createTasks, type Tasks } from './tasks.ts';
export type { ExecuteOptions, TasksOptions } from './tasks-options.ts';
