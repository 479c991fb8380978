// Limits of a task over all that runs in it: turns, time and money, on tasks of every type, and a budget that is spent.
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { TaskError } from '../../../src/engine/language/result.ts';
import { guarded } from '../../../src/engine/models/guarded-model.ts';
import type { Model } from '../../../src/engine/models/model.ts';
import type { SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { EvaluateOptions } from '../../../src/engine/tasks/evaluate.ts';
import { over } from '../../ground/journal/in-memory.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { callsTo, reply } from '../reasoning/model.ts';
import { libraryOf } from './memory/memory-of.ts';
import { evaluating, failed } from './surroundings.ts';

const library = libraryOf(
  '<task name="reparse"><inputs><input name="failed_task"/><input name="problems"/></inputs><description>{{failed_task}}{{problems}}</description></task>',
);

type Played = ReturnType<typeof reply> | (() => ReturnType<typeof reply> | Promise<ReturnType<typeof reply>>);

/** A program in real sessions; every reply costs $0.50. Answers by the task's name, else `done`. */
function running(
  source: string,
  answers: Record<string, Played> = {},
  more: Partial<EvaluateOptions> & { model?: (inner: Model) => Model; ask?: SessionSurroundings['ask'] } = {},
) {
  const calls: string[] = [];
  const prompts: string[] = [];
  const clock = stillClock();
  const inner: Model = {
    provider: 'test',
    async call({ task, messages }) {
      calls.push(task);
      prompts.push(messages[0]?.content.map(part => ('text' in part ? part.text : '')).join('') ?? '');
      const answer = answers[task] ?? reply('done');
      return typeof answer === 'function' ? await answer() : answer;
    },
  };
  const { model: around = same => same, ask, ...options } = more;
  const surroundings = { model: around(inner), clock, ...(ask && { ask }) };
  const ran = evaluating(source, {}, () => '', {
    session: (request, progress) => runSession(request, surroundings, progress),
    clock,
    ...options,
  });
  return { ...ran, calls, prompts, clock };
}

const one = (name: string, more = '') => `<task name="${name}"><description>x</description>${more}</task>`;
const three = `<steps>${one('a')}${one('b')}${one('c')}</steps>`;
const sequence = `<task type="sequential" name="inner">${three}</task>`;
const list = '<over>["1","2","3"]</over>';
const twice = `${one('fold')}`;

/** A task of each type called `outer`, in which three sessions and more run one after the other. */
const kinds: [type: string, parts: string, finished: string[] | undefined][] = [
  ['sequential', three, ['a', 'b']],
  ['map', `${list}<inner_task>${one('a')}</inner_task><parallel>1</parallel>`, ['element 1', 'element 2']],
  [
    'reduce',
    `${list}<initial_value>x</initial_value><inner_task>${one('a')}</inner_task><reduction_task>${twice}</reduction_task>`,
    ['element 1'],
  ],
  ['cond', `<case test="true">${sequence}</case>`, ['a', 'b']],
  ['let', `<bind name="v">${one('v')}</bind><body>${sequence}</body>`, ['a']],
  [
    'director-evaluator',
    `<director>${one('d')}</director><evaluator><task name="e"><description>x</description></task></evaluator>`,
    undefined,
  ],
];

const limited = (type: string, limits: string, parts: string, more = '') =>
  `<task type="${type}" name="outer"><limits>${limits}</limits>${parts}${more}</task>`;

const rejected = reply('{"success": false, "feedback": "no"}');

describe.each(kinds)('of a %s', (type, parts, finished) => {
  test('the turns bound all sessions in it together', async () => {
    const { result, calls } = running(limited(type, '<turns>2</turns>', parts), { e: rejected });
    const error = await failed(result);
    const detail = { resource: 'turns', limit: 2, used: 2, peak: 2, task: 'outer' };
    expect(error.detail).toEqual({ code: 'RESOURCE_EXHAUSTION', ...detail });
    expect(error.message).toContain('the limit of 2 turns is used up by outer');
    expect(calls).toHaveLength(2);
    expect(error.notes).toMatchObject({ dataUsage: { turns: 2, cost_usd: 1 } });
    expect(error.notes.steps?.map(({ step }) => step)).toEqual(finished);
  });

  test('the budget bounds what all sessions in it cost', async () => {
    const { result, calls } = running(limited(type, '<budget>0.6</budget>', parts), { e: rejected });
    const error = await failed(result);
    const detail = { resource: 'budget', limit: 0.6, used: 1, peak: 1, task: 'outer' };
    expect(error.detail).toEqual({ code: 'RESOURCE_EXHAUSTION', ...detail });
    expect(error.message).toContain('the limit of $0.6 is used up by outer ($1)');
    expect(calls).toHaveLength(2);
    expect(error.notes.dataUsage.cost_usd).toBe(1);
  });

  test('the time ends the session under way, and nothing in it is tried another way', async () => {
    const hanging = Promise.withResolvers<void>();
    let n = 0;
    const hangs = () => {
      if (++n === 1) return reply('done');
      hanging.resolve();
      return new Promise<ReturnType<typeof reply>>(() => {});
    };
    const answers = { a: hangs, b: hangs, c: hangs, d: hangs, e: hangs, v: hangs, fold: hangs };
    const { result, calls, clock } = running(limited(type, '<time_s>2</time_s>', parts), answers);
    await hanging.promise;
    clock.advance(2000);
    const error = await failed(result);
    const detail = { resource: 'time', limit: 2000, used: 2000, peak: 2000, task: 'outer' };
    expect(error.detail).toEqual({ code: 'RESOURCE_EXHAUSTION', ...detail });
    expect(error.notes).toMatchObject({ dataUsage: { turns: 1, cost_usd: 0.5 } });
    expect(calls).toHaveLength(2);
  });

  test('nothing is said where they are enough', async () => {
    const limits = '<turns>9</turns><budget>9</budget><time_s>9</time_s>';
    const { result } = running(limited(type, limits, parts), {
      e: reply('{"success": true, "feedback": null}'),
    });
    expect((await result).status).toBe('COMPLETE');
  });
});

const called = (limits: string, own: string) => `<task type="sequential"><steps>
  <task type="function" name="f">${own}<parameters><parameter name="p"/></parameters><body>${sequence}</body></task>
  <task type="call" ref="f" name="outer">${limits}<arg name="p">${one('p')}</arg></task></steps></task>`;
const turns = (n: number) => `<limits><turns>${n}</turns></limits>`;

test.each<[string, string, string, number]>([
  ['of a call: its arguments and the body', called(turns(2), ''), 'outer', 2],
  ['of a function: each of its bodies', called('', turns(2)), 'f', 3],
  ['of a script: what its inputs ask', limitedScript(), 'outer', 1],
  ['an inner one lowers', limited('sequential', '<turns>9</turns>', nested(2)), 'inner', 2],
  ['an inner one raises nothing', limited('sequential', '<turns>2</turns>', nested(9)), 'outer', 2],
  [
    'side by side: no more are begun than are allowed together',
    limited('map', '<turns>2</turns>', `${list}<inner_task>${one('a')}</inner_task>`),
    'outer',
    2,
  ],
])('the turns %s', async (_name, source, task, most) => {
  const script = async () => ({ exit_code: 0, stdout: '', stderr: '', timed_out: false });
  const { result, calls } = running(source, {}, { script });
  expect((await failed(result)).detail).toMatchObject({ resource: 'turns', task });
  expect(calls.length).toBeLessThanOrEqual(most);
});

function limitedScript(): string {
  const inputs = `<input name="x">${one('x')}</input><input name="y">${sequence}</input>`;
  return limited('script', '<turns>1</turns>', `<inputs>${inputs}</inputs><command>true</command>`);
}
function nested(most: number): string {
  return `<steps><task type="sequential" name="inner">${turns(most)}${three}</task></steps>`;
}

test('the time of a script ends its command', async () => {
  const source = limited('script', '<time_s>1</time_s>', '<command>sleep 9</command>');
  const begun = Promise.withResolvers<void>();
  const { result, clock } = running(
    source,
    {},
    {
      script: async ({ signal }) => {
        begun.resolve();
        await new Promise(resolve => signal.addEventListener('abort', resolve));
        return { exit_code: 143, stdout: '', stderr: '', timed_out: false };
      },
    },
  );
  await begun.promise;
  clock.advance(1000);
  expect((await failed(result)).detail).toMatchObject({ resource: 'time', limit: 1000, task: 'outer' });
});

test('what a session had said that the time around it ended is kept', async () => {
  const source = limited(
    'sequential',
    '<time_s>1</time_s>',
    `<steps>${one('a', '<tools>js</tools>')}</steps>`,
  );
  const hanging = Promise.withResolvers<void>();
  let asked = 0;
  const said = { ...callsTo(['nothing', {}]), text: 'The cause is in line 7.' };
  const answers = {
    a: () => {
      if (++asked === 1) return said;
      hanging.resolve();
      return new Promise<ReturnType<typeof reply>>(() => {});
    },
  };
  const { result, clock } = running(source, answers, { abilities: ['js'] });
  await hanging.promise;
  clock.advance(1000);
  const { notes, detail } = await failed(result);
  expect(detail).toMatchObject({ resource: 'time', task: 'outer' });
  expect(notes).toMatchObject({ dataUsage: { turns: 1 }, partial: 'The cause is in line 7.', failed: 'a' });
});

test('a person may take longer than the time', async () => {
  const step = one('a', '<tools>ask</tools><limits><time_s>1</time_s></limits>');
  const source = limited('sequential', '<time_s>1</time_s>', `<steps>${step}</steps>`);
  const replies = [callsTo(['ask', { question: 'Which?' }]), reply('done')];
  const answered = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  const { result, clock } = running(
    source,
    { a: () => replies.shift()! },
    {
      abilities: ['ask'],
      ask: async () => {
        asked.resolve();
        return await answered.promise;
      },
    },
  );
  await asked.promise;
  clock.advance(900_000);
  answered.resolve('That one.');
  expect((await result).content).toBe('done');
});

describe('what asks no model', () => {
  const numbers = JSON.stringify(Array.from({ length: 1000 }, (_, at) => at));
  const map = (list: string, inner: string, limits = '') =>
    `<task type="map" name="outer">${limits}<over>${list}</over><inner_task>${inner}</inner_task></task>`;
  const script = '<task type="script"><command>true</command></task>';
  const grid = (limits = '') => map(numbers, map(numbers, script), limits);
  const itself = `<task type="sequential"><steps>
    <task type="function" name="f"><body>${map('["1","2"]', '<task type="call" ref="f"/>')}</body></task>
    <task type="call" ref="f"/></steps></task>`;
  const counted = { code: 'TASK_FAILURE', reason: 'too_many_tasks' };

  test.each<[string, string, object, abortAt: number]>([
    ['a function that calls itself twice', itself, counted, 0],
    ['a list of lists', grid(), counted, 0],
    ['a list of lists with a time', grid('<limits><time_s>1</time_s></limits>'), { resource: 'time' }, 0],
    ['a list of lists that a person ends', grid(), { reason: 'rejected' }, 3],
    ['what a model wrote in the place of a task', one('stuck'), counted, 0],
  ])(
    '%s ends, and the process goes on meanwhile',
    async (_name, source, detail, abortAt) => {
      const person = new AbortController();
      const outcome = { exit_code: 0, stdout: '', stderr: '', timed_out: false };
      const stuck = new TaskError({ code: 'TASK_FAILURE', reason: 'no_progress' }, 'stuck');
      let turns = 0;
      let read = 0;
      const clock = stillClock();
      const tick = () => {
        clock.advance(500);
        if (++turns === abortAt)
          person.abort(new TaskError({ code: 'TASK_FAILURE', reason: 'rejected' }, 'no'));
      };
      const ticking = setInterval(tick, 1);
      const { result } = evaluating(source, {}, task => (task === 'stuck' ? stuck : itself), {
        ...{
          library,
          clock: { ...clock, now: () => clock.now() + read++ / 10 },
          signal: person.signal,
          script: async () => outcome,
        },
      });
      const error = await failed(result).finally(() => clearInterval(ticking));
      expect(error.detail).toMatchObject(detail);
      expect(turns).toBeGreaterThan(1);
    },
    60_000,
  );

  test('texts that double at every step end at their length', async () => {
    const binds = Array.from(
      { length: 40 },
      (_, at) => `<bind name="b${at + 1}">{{b${at}}}{{b${at}}}</bind>`,
    );
    const doubled = `<task type="let"><bind name="b0">x</bind>${binds.join('')}<body>${one('a')}</body></task>`;
    expect((await failed(evaluating(doubled, {}, () => '').result)).code).toBe('INVALID_INPUT');
  });
});

describe('a task that failed for its limits', () => {
  const instead = `<on_failure>${one('instead')}</on_failure>`;
  const said = '<description>{{error.resource}} {{error.limit}} {{error.used}} {{error.task}}</description>';

  test('is followed by <on_failure>, which its turns do not bound', async () => {
    const told = `<on_failure><task name="instead">${said}</task></on_failure>`;
    const { result, calls, prompts } = running(limited('sequential', '<turns>2</turns>', three, told));
    expect((await result).content).toBe('done');
    expect(calls).toEqual(['a', 'b', 'instead']);
    expect(prompts.at(-1)).toBe('turns 2 2 outer');
  });

  test('is followed by nothing that costs, where its budget is spent', async () => {
    const { result, calls } = running(limited('sequential', '<budget>1</budget>', three, instead));
    const error = await failed(result);
    expect(error.detail).toMatchObject({ resource: 'budget', limit: 1, task: 'outer' });
    expect(calls).toEqual(['a', 'b']);
    expect(error.notes.dataUsage.cost_usd).toBe(1);
  });

  test('may be followed by what costs nothing', async () => {
    const script = '<on_failure><task type="script"><command>note</command></task></on_failure>';
    const { result } = running(
      limited('sequential', '<budget>1</budget>', three, script),
      {},
      { script: async () => ({ exit_code: 0, stdout: 'noted', stderr: '', timed_out: false }) },
    );
    expect(await result).toMatchObject({ content: 'noted', notes: { dataUsage: { cost_usd: 1 } } });
  });

  test('is followed by nothing, where a limit around it has ended it', async () => {
    const inner = `<steps><task type="sequential" name="inner">${three}${instead}</task></steps>`;
    const { result, calls } = running(limited('sequential', '<turns>2</turns>', inner));
    expect((await failed(result)).detail).toMatchObject({ resource: 'turns', task: 'outer' });
    expect(calls).toEqual(['a', 'b']);
  });

  test('is not decomposed, where nothing may be called any more', async () => {
    const { result, calls } = running(limited('sequential', '<turns>2</turns>', three), {}, { library });
    await failed(result);
    expect(calls).toEqual(['a', 'b']);
  });

  test('is a value for a cond that asks for its resource', async () => {
    const steps = `<steps><task type="sequential" name="tried">${turns(2)}${three}</task>
      <task type="cond"><case test="tried.error.resource == 'turns'">${one('instead')}</case></task></steps>`;
    const { result, calls } = running(`<task type="sequential">${steps}</task>`);
    expect((await result).content).toBe('done');
    expect(calls).toEqual(['a', 'b', 'instead']);
  });
});

describe('an atomic task with a budget', () => {
  test('ends when it is spent, and is not tried another way', async () => {
    const source = one('outer', '<limits><budget>0.9</budget></limits><tools>js</tools>');
    const answers = { outer: callsTo(['nothing', {}]) };
    const { result, calls } = running(source, answers, { library, abilities: ['js'] });
    expect((await failed(result)).detail).toMatchObject({ resource: 'budget', used: 1, task: 'outer' });
    expect(calls).toEqual(['outer', 'outer']);
  });

  test('of nothing calls no model', async () => {
    const { result, calls } = running(one('outer', '<limits><budget>0</budget></limits>'));
    expect((await failed(result)).detail).toMatchObject({ resource: 'budget', used: 0, limit: 0 });
    expect(calls).toEqual([]);
  });
});

describe('the budget of all the work', () => {
  const within = (most: number) => (model: Model) =>
    guarded(model, { clock: stillClock() }).within({ most, remedy: 'give more' });

  test('that is spent is a RESOURCE_EXHAUSTION with the remedy and the failure', async () => {
    const { result, calls } = running(
      limited('sequential', '<turns>9</turns>', three),
      {},
      { model: within(1) },
    );
    const error = await failed(result);
    expect(error.detail).toEqual({
      ...{ code: 'RESOURCE_EXHAUSTION', resource: 'budget', used: 1, limit: 1, peak: 1, task: 'c' },
    });
    expect(error.message).toBe('the budget of $1 is used up ($1.00); give more');
    expect(error.cause).toMatchObject({ class: 'quota' });
    expect(error.notes.steps?.map(({ step }) => step)).toEqual(['a', 'b']);
    expect(calls).toEqual(['a', 'b']);
  });

  test('is a value for <on_failure> and for a cond, which spend nothing more', async () => {
    const script = '<task type="script"><command>note</command></task>';
    const steps = `<steps><task type="sequential" name="tried">${three}<on_failure>${one('more')}</on_failure></task>
      <task type="cond"><case test="tried.error.resource == 'budget'">${script}</case></task></steps>`;
    const { result, calls } = running(
      `<task type="sequential">${steps}</task>`,
      {},
      {
        model: within(1),
        script: async () => ({ exit_code: 0, stdout: 'noted', stderr: '', timed_out: false }),
      },
    );
    expect((await result).content).toBe('noted');
    expect(calls).toEqual(['a', 'b']);
  });

  test('is not kept in the journal: with more the work goes on from there', async () => {
    const kept: Entry[] = [];
    const source = `<task type="sequential">${three}</task>`;
    const first = running(source, {}, { step: over(kept).step, model: within(1) });
    expect((await failed(first.result)).detail).toMatchObject({ resource: 'budget' });
    const second = running(source, {}, { step: over(kept).step });
    expect((await second.result).notes.dataUsage.cost_usd).toBe(1.5);
    expect(second.calls).toEqual(['c']);
  });
});

test('what the journal has counts against the limits as it did', async () => {
  const kept: Entry[] = [];
  const crash = new Error('the process is gone');
  const source = limited('sequential', '<turns>2</turns>', three);
  const first = running(source, { b: () => Promise.reject(crash) }, { step: over(kept).step });
  await expect(first.result).rejects.toThrow();
  const second = running(source, {}, { step: over(kept).step });
  expect((await failed(second.result)).detail).toMatchObject({ resource: 'turns', used: 2, task: 'outer' });
  expect(second.calls).toEqual(['b']);
});
