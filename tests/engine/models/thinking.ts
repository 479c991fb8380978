// Replies of a model that thinks, and a session that goes through them; also for what keeps such a conversation.
import { bindTool } from '../../../src/engine/language/tool.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import type { Model } from '../../../src/engine/models/model.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { Progress } from '../../../packages/ground/journal/journal.ts';
import { type Block, says } from './server.ts';

export const opus = 'claude-opus-5-5';
export const think = (n: number): Block => ({
  type: 'thinking',
  thinking: `thought ${n}`,
  signature: `sig-${n}==`,
});
export const hidden = (n: number): Block => ({ type: 'redacted_thinking', data: `hidden-${n}` });
export const empty = (n: number): Block => ({ type: 'thinking', thinking: '', signature: `sig-${n}==` });
export const read = (n: number): Block => ({
  type: 'tool_use',
  id: `toolu_${n}`,
  name: 'read_file',
  input: { path: `${n}.txt` },
});
export const ask = (n: number): Block => ({
  type: 'tool_use',
  id: `toolu_${n}`,
  name: 'ask',
  input: { question: 'How?' },
});
export const text = (words: string): Block => ({ type: 'text', text: words });
export const done = says([think(99), text('Done.')], 'end_turn');
export const reads = (n: number) => says([think(n), read(n)], 'tool_use');

const readFile = bindTool('read_file', async ({ path }) =>
  path === '6.txt' ? 'long '.repeat(2000) : `content of ${path}`,
);

export function session(
  model: Model,
  request: Partial<SessionRequest> = {},
  around: Partial<SessionSurroundings> = {},
  progress?: Progress,
) {
  return runSession(
    {
      key: 'k',
      scope: 's',
      task: 't',
      model: opus,
      system: { stable: 'be good', changing: '' },
      prompt: 'Read on.',
      tools: [readFile],
      abilities: ['ask'],
      limits: { turns: 20, output_tokens: 100, time_ms: 60_000 },
      signal: new AbortController().signal,
      ...request,
    },
    { model, clock: systemClock, ...around },
    progress,
  );
}

export const at = ({ url }: { url: string }) => anthropicModel({ apiKey: 'key', baseUrl: url });

/** Thinking of the turns that the last request holds. */
export const sent = (server: { received: { body: Record<string, unknown> }[] }) =>
  (server.received.at(-1)!.body['messages'] as { content: Block[] }[])
    .flatMap(({ content }) => content)
    .flatMap(({ type, signature, data }) => (type.endsWith('thinking') ? [signature ?? data] : []));
