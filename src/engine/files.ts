// Files of a folder, and the index of them that programs remember.
export type { RelevantContext, RelevantContextRequest } from './tasks/memory/context-request.ts';
export { readContextRequest } from './tasks/memory/context-request.ts';
export type { GivenEntry } from './tasks/memory/given-index.ts';
export type { GlobalIndex, IndexEntry } from './tasks/memory/global-index.ts';
export type { Memory } from './tasks/memory/memory.ts';
export { refreshIndex } from './tasks/memory/refresh.ts';
export { type FileText, headOf, layOutFiles, shareOf } from './tasks/memory/share.ts';
