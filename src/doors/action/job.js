// The entry of a job on this machine: the Action from its source, compiled once for all jobs.
import '../compile-cache.js';

await import('./action.ts');
