// A session that counts what many searches find: by code that calls the tool, and by calls whose answers it reads.
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { createExecutor } from '../../../src/engine/reasoning/execution/executor.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { openSandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { words } from './loop.ts';
import { pricedModel, type Said, type Tally } from './priced-model.ts';

/** Searches, in so many replies where their answers are read: eight of a reply are carried out side by side. */
const SEARCHES = 24;
const TOGETHER = 8;
/** Bytes: the system text, the prompt, what a search answers. */
const SIZES = { base: 16_000, prompt: 1_000, answer: 4_000 };

const answerTo = (pattern: string) => words(`src/a.ts:1: import ${pattern}`, SIZES.answer);

const search = bindTool('search', async ({ pattern }) => answerTo(pattern));

const patterns = Array.from({ length: SEARCHES }, (_, at) => `name${at}`);

const total = patterns.reduce((sum, each) => sum + answerTo(each).length, 0);

const program = `const found = {};
for (const pattern of ${JSON.stringify(patterns)}) found[pattern] = (await tools.search({ pattern })).length;
vault.set('found', found);
return Object.values(found).reduce((sum, each) => sum + each, 0);`;

/** Throws where the session did not find what there is. */
export async function searchTokens(by: 'code' | 'calls'): Promise<Tally> {
  const { model, tally } = pricedModel((body, call) =>
    by === 'code' ? inCode(JSON.stringify(body), call) : byCalls(call),
  );
  const sandbox = openSandbox();
  try {
    await runSession(
      {
        ...{ key: 'k', scope: 's', task: 't', model: 'claude-sonnet-5-5' },
        system: { stable: words('The rules of this project', SIZES.base), changing: '' },
        prompt: words('Count who imports each of these names', SIZES.prompt),
        ...{ tools: [search], abilities: ['js'] },
        limits: { turns: 10, output_tokens: 4096, time_ms: 60_000 },
        signal: new AbortController().signal,
      },
      { model, clock: systemClock, executor: createExecutor({ sandbox, clock: systemClock }) },
    );
  } finally {
    await sandbox.close();
  }
  return tally();
}

const text = 'All names are counted.';

function inCode(body: string, call: number): Said {
  if (call === 1) return { tool_calls: [{ name: 'js', input: { code: program } }] };
  if (call > 2 || !body.includes(`Returned: ${total}`)) throw new Error(`call ${call} was not expected`);
  return { text };
}

function byCalls(call: number): Said {
  const asked = patterns.slice((call - 1) * TOGETHER, call * TOGETHER);
  return asked.length === 0
    ? { text }
    : { tool_calls: asked.map(pattern => ({ name: 'search', input: { pattern } })) };
}
