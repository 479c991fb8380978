// A single agent with one shell: the loop that an organisation of several is held against.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import type { Tally } from '../engine/tokens/priced-model.ts';
import { key, oneIssue, serve } from './tokens-run.ts';

const system =
  'You are a software engineer. Carry out the directive in the folder that your shell starts in: read what you need, make the change, add tests for it, run them, and end with a few sentences about what you did.';
const cached = { cache_control: { type: 'ephemeral' } } as const;

/** Costs of the one-issue story in a copy of the sample in `temporary`, a folder. */
export async function oneAgent(sample: string, temporary: string): Promise<Tally> {
  const folder = join(temporary, 'one-agent');
  cpSync(sample, folder, { recursive: true });
  const asked = await serve({ version: 1, replies: [...oneIssue.replies] }, () => 'agent');
  const client = new Anthropic({ apiKey: key, baseURL: asked.url, maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [];
  try {
    for (let said: Anthropic.ContentBlockParam[] = [{ type: 'text', text: oneIssue.directive }]; ; ) {
      messages.push({ role: 'user', content: said });
      const { content } = await client.messages
        .stream({
          ...{ model: 'claude-sonnet-5-5', max_tokens: 8000 },
          system: [{ type: 'text', text: system }],
          tools: [{ type: 'bash_20250124', name: 'bash' }],
          messages: messages.map((each, at) => (at >= messages.length - 3 ? marked(each) : each)),
        })
        .finalMessage();
      messages.push({ role: 'assistant', content });
      const calls = content.filter(each => each.type === 'tool_use');
      const { agent } = asked.roles;
      if (calls.length === 0 && agent) return agent;
      said = await Promise.all(
        calls.map(async ({ id, input }) => ({
          ...{ type: 'tool_result' as const, tool_use_id: id, content: await run(folder, input) },
        })),
      );
    }
  } finally {
    await asked.close();
  }
}

/** With a breakpoint of the cache at its end, if a person or a tool said it. */
function marked(message: Anthropic.MessageParam): Anthropic.MessageParam {
  const { role, content } = message;
  if (role !== 'user' || typeof content === 'string') return message;
  return {
    role,
    content: content.map((block, at) => (at + 1 < content.length ? block : { ...block, ...cached })),
  };
}

/** Output of a bash command, whether it failed or not. */
async function run(cwd: string, input: unknown): Promise<string> {
  const { command } = input as { command: string };
  const done = await promisify(execFile)('bash', ['-c', command], { cwd }).catch((error: unknown) => error);
  const { stdout, stderr } = done as { stdout: string; stderr: string };
  return `${stdout}${stderr}`;
}
