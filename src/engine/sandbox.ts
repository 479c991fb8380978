// JavaScript of models: the sandbox, and the policies that it is run by.
export { configuredExecutor } from './reasoning/execution/executor.ts';
export { type ExecutionRows, knownRows, named } from './reasoning/execution/policies.ts';
export type { ErrorRecord, ExecutionRecord } from './reasoning/execution/record.ts';
export { emptyStores } from './reasoning/stores.ts';
export { openSandbox, type Sandbox, type SandboxOutcome } from './sandbox/sandbox.ts';
