// Sessions that are gone on with by another process: stories for the model to play, and one process over a journal.
import { TaskError } from '../../../src/engine/language/result.ts';
import { bindTool, ToolRefusal } from '../../../src/engine/language/tool.ts';
import { ModelFailure, type ModelMessage, type ModelReply } from '../../../src/engine/models/model.ts';
import { createExecutor } from '../../../src/engine/reasoning/execution/executor.ts';
import { answerQuestion } from '../../../src/engine/reasoning/question.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { SessionState, SessionSummary } from '../../../src/engine/reasoning/state.ts';
import { openSandbox, type Sandbox } from '../../../src/engine/sandbox/sandbox.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { over } from '../../ground/journal/in-memory.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { callsTo, reply } from './model.ts';

const opened = openSandbox();
export const close = () => opened.close();
/** Execution times vary, so they are replaced by a constant. */
const sandbox: Sandbox = { ...opened, run: async request => ({ ...(await opened.run(request)), ms: 1 }) };

/** Milliseconds that each reply takes. */
const REPLY_MS = 150;

/** The model's replies in each turn, for every process, and the other requests. */
export interface Story {
  name: string;
  replies: readonly ModelReply[];
  request?: Partial<SessionRequest>;
  /** That the story comes to what it is for. */
  comesTo: (end: End) => boolean;
}

interface Process {
  /** The turn in which it dies, and how. */
  dies?: { turn: number; how: Death };
  ask?: SessionSurroundings['ask'];
  /** Called with the abort of the process when a tool runs. */
  onTool?: (abort: () => void) => void;
  /** Throws where the journal cannot be written. */
  mayWrite?: (batch: readonly Entry[]) => void;
  /** Answers the question that waits. */
  answer?: string;
}

type Death = (controller: AbortController) => Promise<never>;
export const killed = new Error('killed');
export const deaths: Record<string, Death> = {
  'what is no failure of a task': () => Promise.reject(killed),
  'an abort': controller => {
    controller.abort(killed);
    return new Promise(() => {});
  },
  'a failure of the provider': () => Promise.reject(new ModelFailure('crash', 'killed')),
};

export type End = Awaited<ReturnType<typeof run>>;

/** One process over the journal `kept`, an hour after the one before. */
export async function run(story: Story, kept: Entry[], process: Process = {}) {
  const { dies, onTool, mayWrite = () => {}, answer } = process;
  const controller = new AbortController();
  const clock = stillClock();
  clock.advance(3_600_000 * kept.length);
  const calls: { key: string; messages: ModelMessage[] }[] = [];
  const ran: string[] = [];
  const asked: string[] = [];
  const summaries: SessionSummary[] = [];
  let state: SessionState | undefined;
  const tool = bindTool('read_file', async ({ path }) => {
    ran.push(path);
    onTool?.(() => controller.abort(killed));
    if (path === 'none') throw new ToolRefusal(`there is no ${path}`);
    return `${path}: ${'text '.repeat(200)}`;
  });
  const around: SessionSurroundings = {
    clock,
    model: {
      provider: 'test',
      async call({ key, messages }) {
        calls.push({ key, messages: structuredClone(messages) });
        const turn = Number(key.split('/').at(-1));
        if (turn === dies?.turn) return await dies.how(controller);
        clock.advance(REPLY_MS);
        const said = story.replies[turn - 1];
        if (!said) throw new Error(`call ${key} was not expected`);
        // As a provider counts it: the same for the same conversation.
        const input_tokens = Math.ceil(JSON.stringify(messages).length / 4);
        return { ...said, usage: { ...said.usage, input_tokens } };
      },
    },
    executor: createExecutor({ sandbox, clock }),
    ask: async (question, signal) => {
      asked.push(question);
      return await (process.ask ?? (async () => 'blue'))(question, signal);
    },
    onSummary: summary => void summaries.push(summary),
    middleware: [{ name: 'keep', postIteration: (_, each) => void (state = each as SessionState) }],
  };
  const request: SessionRequest = {
    key: 'k',
    scope: 's',
    task: 't',
    model: 'm',
    system: { stable: '', changing: '' },
    prompt: 'Go.',
    tools: [tool],
    abilities: ['js', 'ask'],
    limits: { turns: 30, output_tokens: 100, time_ms: 60_000 },
    signal: controller.signal,
    ...story.request,
  };
  const journal = over(kept, {
    clock,
    write(batch) {
      mayWrite(batch);
      kept.push(...batch);
    },
  });
  const answered = kept.filter(({ t }) => t === 'signal').length;
  if (answer !== undefined) answerQuestion(journal, `k#${answered + 1}`, answer);
  const ended = await journal
    .step('k', (_op, progress) => runSession(request, around, progress), { costly: true })
    .then(
      outcome => ({ outcome, error: undefined }),
      (error: unknown) => ({ outcome: undefined, error }),
    );
  // As text, which it is in a journal, too.
  const plain = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;
  return {
    ...ended,
    calls: plain(calls),
    keys: calls.map(({ key }) => key),
    ran,
    asked,
    summary: summaries.at(-1),
    state: state && plain(state),
  };
}

/** Fields with times, which differ in each process. */
const dates = ['at', 'createdAt', 'updatedAt'];

/** All that a session is known by when it has ended; its active time is `ms` of the summary. */
export const endOf = ({ outcome, error, summary, state }: End) => {
  const { activeMs: _, tools: __, ...rest } = state!;
  const failure = error instanceof TaskError && {
    message: error.message,
    detail: error.detail,
    notes: error.notes,
  };
  const end = { outcome, failure, summary, state: rest };
  return JSON.parse(
    JSON.stringify(end, (name, value) => (dates.includes(name) ? undefined : value)),
  ) as typeof end;
};

const goal = (id: string, status: string) =>
  `{{<goal identifier="${id}" heading="h" content="c" status="${status}"/>}}`;
const read = (path: string, text = '') => ({ ...callsTo(['read_file', { path }]), text });
const limits = { output_tokens: 100, time_ms: 60_000 };

export const whole: Story = {
  name: 'one that does everything',
  replies: [
    callsTo(
      ['goal', { identifier: 'g', heading: 'G', content: 'c' }],
      ['goal', { identifier: '__proto__', heading: 'H', content: 'c' }],
      ['datavault', { id: 'files', type: 'data', description: 'd', content: '[3, 4]' }],
      ['read_file', { path: 'a' }],
    ),
    callsTo(
      ['js', { code: "vault.set('sum', vault.get('files')[0] + 4); return vault.get('sum')" }],
      ['read_file', { path: 'none' }],
    ),
    callsTo(
      ['goal', { identifier: 'g', status: 'finished' }],
      ['ask', { question: 'Which?' }],
      ['read_file', { path: 'b' }],
    ),
    reply('I delete.\n{{<datavault action="delete" id="nothing"/>}}', {
      tool_calls: [{ id: 'odd', name: 'nope', input: undefined }],
    }),
    reply(goal('__proto__', 'finished')),
    reply('a draft'),
    reply('the end'),
  ],
  request: {
    limits: { turns: 8, output_tokens: 100, time_ms: 1100 },
    misfit: text => (text === 'a draft' ? '- it is a draft' : undefined),
  },
  comesTo: ({ outcome, state, summary, calls }) =>
    outcome?.text === 'the end' &&
    state?.counts.questions === 1 &&
    state.askedAgain === true &&
    summary?.ms === 7 * REPLY_MS &&
    /last turn.*seconds are left/.test(JSON.stringify(calls.at(-1))),
};

const long: Story = {
  name: 'one that is made shorter',
  replies: [...Array.from({ length: 14 }, (_, n) => read(`f${n}`, `Now ${n}.`)), reply('the end')],
  request: { limits: { ...limits, turns: 30, context_tokens: 1800 } },
  comesTo: ({ outcome, state }) => outcome?.text === 'the end' && state!.counts.compactions > 1,
};

const wrong = callsTo(['datavault', { action: 'delete', id: 'nothing' }]);
const failing: Story = {
  name: 'one of errors',
  replies: [wrong, wrong, wrong, wrong, wrong],
  comesTo: ({ error, state }) =>
    error instanceof TaskError &&
    error.message.startsWith('5 iterations') &&
    state?.health.status === 'critical',
};

const empty: Story = {
  name: 'one that says nothing',
  replies: [read('a'), reply(''), reply(' '), reply('')],
  comesTo: ({ error }) => error instanceof TaskError && error.message.startsWith('3 replies'),
};

export const stories = [whole, long, failing, empty];
const undisturbed = new Map<Story, Promise<End>>();
export function undisturbedOf(story: Story): Promise<End> {
  const known = undisturbed.get(story) ?? run(story, []);
  undisturbed.set(story, known);
  return known;
}

export const turns = (story: Story) => story.replies.map((_, n) => n + 1);
export const keysFrom = (story: Story, turn: number) =>
  turns(story)
    .slice(turn - 1)
    .map(n => `k/${n}`);
