// Events that come while GitHub asks to wait.
import { expect, test } from 'vitest';
import { RateLimited } from '../../../src/app/github/octokit.ts';
import type { RepositoryContext } from '../../../src/app/handlers/repository-context.ts';
import { handleEvent } from '../../../src/app/handlers/event.ts';
import type { Event } from '../../../src/app/events/parse.ts';

test('two labels put on one issue meanwhile: both are done afterwards', async () => {
  const limited = async () => {
    throw new RateLimited(9000);
  };
  const ctx = {
    github: { defaultBranch: limited },
    kept: new Map(),
    clock: { now: () => 0, sleep: () => new Promise(() => {}) },
    shutdown: new AbortController().signal,
  } as unknown as RepositoryContext;
  for (const label of ['echelon', 'bug'])
    await handleEvent(ctx, { kind: 'issues.labeled', issue: 1, label } as Event);
  expect(ctx.kept.size).toBe(2);
});
