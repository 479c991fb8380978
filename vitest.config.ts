import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // The Action's files are built of the source that is tested.
    globalSetup: 'tests/doors/action/built.ts',
    exclude: ['tests/sample/**', 'tests/bench/**', '**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One worker less than there are processors, the default, leaves half of a small machine idle.
    maxWorkers: '100%',
    // The report file is what the last line of `.ci/run` is counted from.
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
  },
});
