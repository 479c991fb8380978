// Keeps what Node compiles of the source for the next process: a job then starts in half the processor time. Plain
// JavaScript, as what imports it first: for a line of TypeScript outside of the cache Node loads a whole compiler.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Beside the source, and not in the system's folder for temporary files, where another user could lay something in its
// place. Where it cannot be written Node does without.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/echelon'));
