// A whole run of the sample by a checkout of the product, its model played by a local server that prices what it is sent.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../../packages/ground/lib/message.ts';
import { systemClock } from '../../packages/ground/lib/clock.ts';
import type { ModelMessage, ModelPart } from '../../src/engine/models/model.ts';
import { parseScript, type Script, type ScriptReply } from '../../src/engine/models/script.ts';
import { scriptedModel } from '../../src/engine/models/scripted.ts';
import { messagesFault } from '../engine/models/messages-rules.ts';
import { refuse, stream } from '../engine/models/server.ts';
import { added, eventsOf, nothing, outputOf, type Tally } from '../engine/tokens/priced-model.ts';
import { type Block, type Cached, promptCache } from '../engine/tokens/prompt-cache.ts';
import oneIssueStory from './one-issue.json' with { type: 'json' };

/** Totals of the calls of each role, by its name. */
export type RoleTokens = Record<string, Tally>;

/** A run that ended with everything delivered. */
export interface SampleRun {
  roles: RoleTokens;
  /** Output of `npm run demo -- --json`, and what it told meanwhile. */
  stdout: string;
  stderr: string;
}

/** A run's directive, and the replies before the sample's own. */
interface Story {
  directive?: string;
  replies: readonly ScriptReply[];
}

/** One directive for the sample that comes to one issue, as the layers and a single agent carry it out. */
export const oneIssue: Required<Story> = oneIssueStory;

/** Run in `temporary`, a folder. Throws where not everything is delivered. */
export async function sampleRun(
  checkout: string,
  temporary: string,
  { directive, replies }: Story = { replies: [] },
): Promise<SampleRun> {
  const file = join(checkout, 'tests/sample/script.json');
  const sample = parseScript(readFileSync(file, 'utf8'), file);
  const asked = await serve({ ...sample, replies: [...replies, ...sample.replies] }, recogniser(checkout));
  try {
    const args = directive === undefined ? [] : ['--directive', directive];
    const told = await demo(checkout, args, { ANTHROPIC_BASE_URL: asked.url, TMPDIR: temporary });
    return { roles: asked.roles, ...told };
  } finally {
    await asked.close();
  }
}

export const key = 'sk-ant-a-key-of-nobody-at-all-0000';

async function demo(checkout: string, args: string[], env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['src/doors/cli/echelon.js', 'demo', '--model', 'anthropic', '--json', ...args],
    {
      cwd: checkout,
      env: {
        ...{ PATH: process.env['PATH'], HOME: env['TMPDIR'], ANTHROPIC_API_KEY: key },
        // The sample's own code runs here: no isolation is needed.
        ...{ ECHELON_ISOLATION: 'none', ...env },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => void (told[name] += text));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code === 0) return told;
  throw new Error(`the run of ${checkout} ended with ${code}:\n${told.stderr.slice(-2000)}`);
}

/** A server of the Messages API that plays a script, counts, and refuses what the API would. */
export async function serve(script: Script, taskOf: (request: string) => string) {
  const model = scriptedModel(script, { clock: { ...systemClock, sleep: async () => {} } });
  const cache = promptCache();
  const roles: RoleTokens = {};
  let calls = 0;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body: Cached = JSON.parse(text);
    try {
      const fault = messagesFault(body);
      if (fault !== undefined) throw new Error(fault);
      const task = taskOf(JSON.stringify([body.system, body.messages]));
      const priced = cache.price(body);
      const reply = await model.call({
        ...{ key: `${++calls}`, task, scope: 'run', model: body.model, tools: [], max_output_tokens: 1e9 },
        ...{ system: { stable: textOf(body.system), changing: '' }, messages: body.messages.map(asMessage) },
        signal: new AbortController().signal,
      });
      roles[task] = added(roles[task] ?? nothing, priced, outputOf(reply));
      stream(eventsOf(reply, body.model, priced, calls))(response);
    } catch (error) {
      refuse(400, 'invalid_request_error', messageOf(error))(response);
    }
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    roles,
    async close() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

/** Tells a task by the words that its instructions begin with, as the checkout's templates have them. */
function recogniser(checkout: string): (request: string) => string {
  const texts = globSync('prompts/**/*.xml', { cwd: checkout }).map(file =>
    readFileSync(join(checkout, file), 'utf8'),
  );
  const openings = texts.flatMap(text =>
    [...text.matchAll(/<task [^>]*name="([^"]+)"(?:(?!<task ).)*?<instructions>\s*([^<&{"\n]{20,})/gs)].map(
      ([, task = '', words = '']) => ({ task, words: words.trim() }),
    ),
  );
  return request => {
    const found = openings.find(({ words }) => request.includes(words));
    if (!found) throw new Error(`whose request is this? ${request.slice(0, 500)}`);
    return found.task;
  };
}

const textOf = (content: Cached['system'] = []): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');

const asMessage = ({ role, content }: Cached['messages'][number]): ModelMessage => ({
  role: role === 'assistant' ? 'assistant' : 'user',
  content: (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map(asPart),
});

function asPart(block: Block): ModelPart {
  const text = block.text ?? (typeof block.content === 'string' ? block.content : JSON.stringify(block));
  return { type: 'text', text };
}
