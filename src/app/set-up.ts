// Setting up a repository: its state in its files and on GitHub, and clients to ask GitHub with.
export { projectCommands } from './engineer/project/project-commands.ts';
export { projectFiles } from './engineer/project/project-files.ts';
export type { Caller, Client } from './github/octokit.ts';
export { answered, askConditionally, caller, isUnknown, RateLimited } from './github/octokit.ts';
export { everyPage, PAGE } from './github/pages.ts';
export { type Opener, pullsOf } from './github/pulls.ts';
export type { Grants, Look, Place, SetUp } from './github/set-up.ts';
export { appClient, appSetUpOf, setUpOf } from './github/set-up.ts';
export { callsUsed, tokenClient } from './github/token-client.ts';
export type { WorkflowRuns } from './github/workflow-runs.ts';
export { workflowFile, workflowPath, workflowRuns, worksJobs } from './github/workflow-runs.ts';
export { modelsFor } from './handlers/models-for.ts';
