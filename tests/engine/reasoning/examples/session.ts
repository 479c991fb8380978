// One session by itself: a model, a sandbox for its JavaScript, and nothing else.
import { systemClock } from '../../../../packages/ground/lib/clock.ts';
import type { Tool } from '../../../../src/engine/language/tool.ts';
import type { Model } from '../../../../src/engine/models/model.ts';
import { createExecutor } from '../../../../src/engine/reasoning/execution/executor.ts';
import type { SessionOutcome } from '../../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../../src/engine/reasoning/session.ts';
import { openSandbox } from '../../../../src/engine/sandbox/sandbox.ts';

export async function answer(
  question: string,
  model: Model,
  tools: readonly Tool[] = [],
): Promise<SessionOutcome> {
  const sandbox = openSandbox();
  try {
    const executor = createExecutor({ sandbox, clock: systemClock, policy: 'safe' });
    return await runSession(
      {
        key: 'answer',
        scope: 'answer',
        task: 'answer',
        model: 'claude-sonnet-5-5',
        system: { stable: 'Answer exactly. Calculate with JavaScript.', changing: '' },
        prompt: question,
        tools,
        abilities: ['js'],
        limits: { turns: 10, output_tokens: 4000, time_ms: 120_000 },
        signal: AbortSignal.timeout(300_000),
      },
      { model, clock: systemClock, executor },
    );
  } finally {
    await sandbox.close();
  }
}
