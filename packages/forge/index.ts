// Public entry point of the local GitHub. Nothing else in this folder is imported from outside.
export { onThisMachine } from './runner/carry-out.ts';
export type { RunnerOptions } from './actions/runner.ts';
export { type Forge, type ForgeOptions, openForge } from './forge.ts';
export { Refusal } from './pages/api.ts';
export { allowFormsTo } from './pages/guard.ts';
export type * from './pages/issue-run/issue-run.ts';
export { form, show } from './pages/layout.ts';
export { pages } from './pages/pages.ts';
export { field } from './pages/api.ts';
