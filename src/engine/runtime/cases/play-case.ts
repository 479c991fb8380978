// Plays a case: the program is evaluated as everywhere, with what the case says in the place of models, tools and commands.
import { type Json, systemClock } from '@echelon/ground';
import type { Task } from '../../language/ast.ts';
import { nothingSpent, TaskError, type TaskResult } from '../../language/result.ts';
import { bindTool, type Tool, type ToolName, toolInputs } from '../../language/tool.ts';
import { guarded } from '../../models/guarded-model.ts';
import type { Model } from '../../models/model.ts';
import type { ScriptReply } from '../../models/script.ts';
import { scriptedModel } from '../../models/scripted.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { type EvaluationParts, evaluationOf, lazySandbox } from '../evaluation.ts';
import { misfits } from '../inputs.ts';
import type { Case, CaseProblem } from './case.ts';
import { askedProblems, differences, type Sent, sentIn, shown } from './expect.ts';
import { commandOf, scriptedAnswers, toolOf } from './scripted-answers.ts';

/** Result of a case. */
export interface PlayedCase {
  /** Empty: it went as it says. */
  problems: CaseProblem[];
  /** Model calls. */
  calls: number;
  cost_usd: number;
}

/** Surroundings of a program wherever it runs. */
export type Around = Pick<
  EvaluationParts,
  'library' | 'models' | 'modelRows' | 'settings' | 'reasoning' | 'signal'
>;

/** More than any case costs: what is held is `max_cost_usd`. */
export const UNBOUNDED = 1e9;

/** A task that the evaluator asks by itself where another failed: a case need not say that there is no other way. */
const recovering = 'reparse';

/** No network, no file and no command is used; JavaScript of a reply runs in the sandbox. Throws the signal's reason. */
export async function playCase(program: Task, given: Case, around: Around): Promise<PlayedCase> {
  const unfit = misfits(program, given.inputs);
  if (unfit.length > 0)
    return { problems: unfit.map(message => ({ path: ['inputs'], message })), calls: 0, cost_usd: 0 };
  const replies = repliesOf(given);
  /** Requests without an answer in the case. */
  const unscripted: CaseProblem[] = [];
  const tools = scriptedAnswers('tools', given.tools, unscripted);
  const scripts = scriptedAnswers('scripts', given.scripts, unscripted);
  const played = scriptedModel(
    { version: 1, replies: replies.map(({ reply }) => reply) },
    { clock: systemClock },
  );
  const sent = new Map<string, Sent[]>();
  const model = told(played, sent, unscripted);
  const sandbox = lazySandbox();
  let result: TaskResult | undefined;
  let error: TaskError | undefined;
  try {
    const options = evaluationOf({
      ...around,
      settings: { ...around.settings, ...given.settings },
      // Tries of a call wait for one another in no time: what a provider asks for is not what is tested.
      model: guarded(model, { clock: { ...systemClock, sleep: async () => {} } }).within({ most: UNBOUNDED }),
      ...{ sandbox, tools: boundTools(name => toolOf(name, tools)), script: commandOf(scripts) },
      ask: async question => await toolOf('ask', tools)({ question }),
    });
    result = await evaluate(program, given.inputs, options);
  } catch (thrown) {
    if (!(thrown instanceof TaskError)) throw thrown;
    error = thrown;
  } finally {
    await sandbox.close();
  }
  const problems = [
    ...unscripted,
    ...unplayed(replies, played.used()),
    ...tools.left(),
    ...scripts.left(),
    ...Object.entries(given.asked).flatMap(([task, expected]) =>
      askedProblems(task, expected, sent.get(task) ?? []),
    ),
    // After a missing answer the end says nothing more.
    ...(unscripted.length > 0 ? [] : error ? errorProblems(given, error) : resultProblems(given, result)),
  ];
  const { turns: calls, cost_usd } = (error ?? result)?.notes.dataUsage ?? nothingSpent;
  if (given.calls !== undefined && given.calls !== calls)
    problems.push({ path: ['calls'], message: `expected ${given.calls} model calls, found ${calls}` });
  if (given.max_cost_usd !== undefined && cost_usd > given.max_cost_usd)
    problems.push({ path: ['max_cost_usd'], message: `it cost $${cost_usd}` });
  return { problems, calls, cost_usd };
}

interface Reply {
  reply: ScriptReply & { times: number };
  /** Its place in the case. */
  path: CaseProblem['path'];
}

/** A single reply of a task is played each time. */
const EACH_TIME = Number.MAX_SAFE_INTEGER;

function repliesOf({ replies }: Case): Reply[] {
  return Object.entries(replies).flatMap(([task, listed]) => {
    const isList = Array.isArray(listed);
    return [listed].flat().map((each, at): Reply => {
      const reply = typeof each === 'string' ? { text: each } : each;
      const times = reply.times ?? (isList ? 1 : EACH_TIME);
      return { reply: { for: task, ...reply, times }, path: ['replies', task, ...(isList ? [at] : [])] };
    });
  });
}

function unplayed(replies: readonly Reply[], used: readonly { index: number }[]): CaseProblem[] {
  return replies.flatMap(({ reply: { for: task, times }, path }, index) => {
    const played = used.filter(each => each.index === index).length;
    if (played >= (times === EACH_TIME ? 1 : times)) return [];
    const how = played === 0 ? 'was never played' : `was played ${played} of ${times} times`;
    return [{ path, message: `this reply of ${task} ${how}` }];
  });
}

/** `model`, with what it is sent kept in `sent`, and what it has no reply for told. */
function told(
  model: ReturnType<typeof scriptedModel>,
  sent: Map<string, Sent[]>,
  problems: CaseProblem[],
): Model {
  return {
    ...model,
    async call(request, onEvent) {
      const { task } = request;
      const now = sentIn(request);
      const before = model.used().length;
      try {
        const reply = await model.call(request, onEvent);
        sent.set(task, [...(sent.get(task) ?? []), now]);
        return reply;
      } catch (error) {
        // A failure that was scripted has been played.
        if (model.used().length === before && task !== recovering && !request.signal.aborted)
          problems.push({
            path: ['replies', task],
            message: `there is no reply for call ${(sent.get(task)?.length ?? 0) + 1} of ${task}, which is asked: ${shown(now.prompt)}`,
          });
        throw error;
      }
    },
  };
}

/** All tools that the surroundings can give; those of the session itself are its own. */
export const boundTools = (answer: (name: ToolName) => (input: unknown) => Promise<string>): Tool[] =>
  (Object.keys(toolInputs) as ToolName[])
    .filter(name => name !== 'js' && name !== 'ask')
    .map(name => bindTool(name, answer(name)));

function resultProblems({ result, error }: Case, found: TaskResult | undefined): CaseProblem[] {
  const whole = asJson(found);
  if (error)
    return [{ path: ['error'], message: `expected ${shown(error)}, and it ended as ${shown(whole)}` }];
  if (result) return differences(result, whole, ['result']);
  if (found?.status !== 'FAILED') return [];
  return [{ path: [], message: `the program ended as FAILED: ${shown(found.content)}` }];
}

function errorProblems({ error: expected, finished }: Case, error: TaskError): CaseProblem[] {
  if (!expected) return [{ path: [], message: `it failed: ${error.code}: ${error.message}` }];
  const { message, ...rest } = expected;
  const steps = error.notes.steps?.map(({ step }) => step) ?? [];
  return [
    ...differences(rest, asJson({ ...error.detail }), ['error']),
    ...(message === undefined || (typeof message === 'string' && error.message.includes(message))
      ? []
      : [{ path: ['error', 'message'], message: `${shown(message)} is not in ${shown(error.message)}` }]),
    ...(finished ? differences(finished, steps, ['finished']) : []),
  ];
}

const asJson = (value: object | undefined): Json => JSON.parse(JSON.stringify(value ?? null));
