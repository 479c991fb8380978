// Models before they are called: names, prices, providers, budgets, failures; and the programs that stand for one.
export { Opened } from './models/breaker.ts';
export { failureClass, type Spending } from './models/budget.ts';
export { guarded, type GuardedModels } from './models/guarded-model.ts';
export type {
  Model,
  ModelMessage,
  ModelPart,
  ModelReply,
  ModelRequest,
  ServedModel,
  ShownImage,
} from './models/model.ts';
export { ModelFailure, ProviderWait } from './models/model.ts';
export type { ModelTables } from './models/names.ts';
export { defaultTier, modelNames, modelsBehind, scriptedRows, tiers } from './models/names.ts';
export { costOf, firstCallCost, type PriceRow } from './models/prices.ts';
export { parseScript, Script, ScriptReply } from './models/script.ts';
export type { PlayedReply } from './models/scripted.ts';
export { findRow, knownAs, ModelRow, type ModelRows, PriceSchema, rowOf } from './models/table.ts';
export type { ModelsBehind } from './models/taking-turns.ts';
export type { SessionState, SessionSummary } from './reasoning/state.ts';
export { isState, KEPT_SESSIONS, readState } from './reasoning/state.ts';
export { type Engine, engineNames, inOrder, NoEngine } from './runtime/engines/engine.ts';
export { engineOnPath, notOnPath, whyNoEngine } from './runtime/engines/launch.ts';
export { enginePrograms } from './runtime/engines/programs.ts';
export type { ModelChoice, OpenedModel } from './runtime/open-model.ts';
export { chooseModel, defaultBudget, openModel, openTaskModel } from './runtime/open-model.ts';
export { isPlayed, playedReplies, type PlayedReplies } from './runtime/played-replies.ts';
export { endRecording } from './runtime/record-file.ts';
