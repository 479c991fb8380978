// Public entry point of the app: events and runs of repositories. Whoever needs less takes one of the other entry points,
// which load no engine.
export { table } from './commands/table.ts';
export { runOfBoard } from './comments/board.ts';
export { headline } from './comments/headline.ts';
export { graph, stateOf, toneOf } from './comments/issue-table.ts';
export { openQuestions } from './comments/question.ts';
export { quickReplies } from './comments/quick-replies.ts';
export {
  cannotGoOn,
  cannotStart,
  lacksPermission,
  noModelKey,
  noStateKey,
  pullsForbidden,
} from './comments/replies.ts';
export type { ActionsJobs, JobFolders, MatrixEntry } from './engineer/jobs/actions-jobs.ts';
export { actionsJobs, artifactName } from './engineer/jobs/actions-jobs.ts';
export { type Dispatched, dispatchedJobs } from './engineer/jobs/dispatched-jobs.ts';
export { doingOf } from './engineer/jobs/doing.ts';
export type { Jobs } from './engineer/jobs/jobs.ts';
export { type LocalJobs, localJobs, type LocalJobsOptions } from './engineer/jobs/local-jobs.ts';
export { type Event, eventNames, eventOf, MalformedPayload } from './events/parse.ts';
export { removeBranches } from './github/git-data.ts';
export { sameLabel } from './github/issues.ts';
export { sayOnce } from './github/once.ts';
export { connectRepository } from './github/repository.ts';
export { isGone } from './github/thread.ts';
export { handleEvent } from './handlers/event.ts';
export { commandsOf, testGround, triggerLabel } from './handlers/labelled.ts';
export { newHearing } from './handlers/listening-limits.ts';
export { otherRuns } from './handlers/other-runs.ts';
export { bringUpToDate, reconcile } from './handlers/reconcile.ts';
export { advanceSoon, hearHere, type RepositoryContext } from './handlers/repository-context.ts';
export { type Bus, createBus, type RunEvent, type RunNotice } from './run-events.ts';
export type { RepositoryAccess } from './run/active-run.ts';
export { type PastEvent, type PastJob, type RunHistory, runHistory } from './run/history.ts';
export { inspectRun, isEnded } from './run/inspect-run.ts';
export { issueQueue } from './run/queue.ts';
export { loadRun } from './run/read-record.ts';
export { expectedOf } from './scheduler/estimate.ts';
