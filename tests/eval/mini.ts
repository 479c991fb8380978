// mini-swe-agent (https://mini-swe-agent.com, PyPI), one loop with one shell: plays a directive beside us, for the same price list.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { type Sandbox, testsFault } from './commands.ts';
import type { Directive } from './directives.ts';
import type { Row } from './report.ts';

/** Its trajectory (`mini-swe-agent-1.1`), as far as it is counted. Cached tokens are among those of the prompt. */
const Trajectory = z.object({
  info: z.object({ model_stats: z.object({ instance_cost: z.number(), api_calls: z.int() }) }),
  messages: z.array(
    z.object({
      extra: z
        .object({ response: z.object({ usage: z.unknown() }) })
        .optional()
        .catch(undefined),
    }),
  ),
});
const Usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int().nullish() }).nullish(),
});

export const mini = 'mini-swe-agent';

interface Given extends Sandbox {
  /** As LiteLLM names it: `anthropic/claude-opus-5-5`. */
  model: string;
  /** USD. */
  budget: number;
  /** An empty one. */
  folder: string;
  /** For its process: PATH, and the key. */
  env: NodeJS.ProcessEnv;
}

export async function playMini(directive: Directive, given: Given): Promise<Row> {
  const { id, language, title, body, project } = directive;
  const [tree, home, file] = ['tree', 'home', 'trajectory.json'].map(name => join(given.folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home, { recursive: true });
  cpSync(project, tree, { recursive: true });
  const began = performance.now();
  const task = ['--task', `${title}\n\n${body}`, '--yolo', '--exit-immediately'];
  const child = spawn(
    'mini',
    ['--model', given.model, ...task, '--cost-limit', String(given.budget), '--output', file],
    {
      cwd: tree,
      env: { ...given.env, HOME: home, MSWEA_CONFIGURED: 'true', MSWEA_SILENT_STARTUP: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: given.signal,
    },
  );
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [said, code] = await Promise.all([text(child.stderr), ended]);
  const seconds = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`mini ended with ${code}: ${said.trim().split('\n').at(-1)}`);
  const { info, messages } = Trajectory.parse(JSON.parse(readFileSync(file, 'utf8')));
  const used = messages.flatMap(({ extra }) => Usage.safeParse(extra?.response.usage).data ?? []);
  const sum = (of: (each: (typeof used)[number]) => number) => used.reduce((all, each) => all + of(each), 0);
  const cached = sum(each => each.prompt_tokens_details?.cached_tokens ?? 0);
  const input = sum(each => each.prompt_tokens) - cached;
  const output = sum(each => each.completion_tokens);
  const fault = await testsFault(directive, { tree, home }, given);
  return {
    ...{ directive: id, agent: mini, language, passed: fault === undefined, seconds },
    engineer: { issues: 1, delivered: 1, rounds: 1, hidden: fault === undefined },
    calls: info.model_stats.api_calls,
    tokens: { input, output, cache_read: cached, cache_write: 0 },
    cost_usd: info.model_stats.instance_cost,
    why: fault === undefined ? [] : [fault],
  };
}
