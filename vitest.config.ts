import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.ts';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // First where temporary files go. Then the Action's files are built of the source that is tested.
    globalSetup: ['tests/temporary.ts', 'tests/doors/action/built.ts', 'tests/made-once.ts'],
    exclude: ['tests/sample/**', 'tests/eval/directives/**', 'tests/bench/**', '**/node_modules/**'],
    // A process plays many files one after the other: what they load and compile is loaded and compiled once.
    isolate: false,
    // For the threads of the sandbox, of which hundreds are started.
    execArgv: ['--import', join(import.meta.dirname, 'src/doors/compile-cache.js')],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than there are processors: the dialogues wait for git and for jobs a third of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // The report file is what the last line of `.ci/run` is counted from.
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
  },
});
