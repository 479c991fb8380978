// Work done side by side: what a failure does to the rest, what that had spent, and questions that wait.
import { describe, expect, test } from 'vitest';
import { Cancelled } from '../../../src/engine/reasoning/stop.ts';
import { nothingSpent, TaskError } from '../../../src/engine/language/result.ts';
import { type Entry, live } from '../../../packages/ground/journal/journal.ts';
import type { Replay } from '../../../packages/ground/journal/replay.ts';
import { over, resultsIn } from '../../ground/journal/in-memory.ts';
import { answerQuestion, SessionPaused } from '../../../src/engine/reasoning/question.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { Model } from '../../../src/engine/models/model.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { callsTo, reply, usage } from '../reasoning/model.ts';
import { evaluating, failed } from './surroundings.ts';

const map = (inner: string) =>
  `<task type="map"><over>["a","b"]</over><inner_task>${inner}</inner_task></task>`;
const atomic = '<task name="w"><instructions>{{item}}</instructions></task>';

const usedUp = (cost_usd: number) =>
  new TaskError({ code: 'RESOURCE_EXHAUSTION', resource: 'turns', used: 2, limit: 2, peak: 2 }, 'used up', {
    notes: { dataUsage: { ...nothingSpent, cost_usd, turns: 2 } },
  });

const whatOf = (entry: Entry) => `${entry.t} ${entry.t === 'signal' ? entry.id : entry.key}`;

/** A session that has spent `cost_usd` when it is cut off, and leaves as the reasoning session does. */
async function untilCutOff(signal: AbortSignal, cost_usd: number): Promise<never> {
  await new Promise(resolve => signal.addEventListener('abort', resolve));
  const { reason } = signal;
  throw reason instanceof Cancelled ? reason.with({ cost_usd, turns: 1, usage }) : reason;
}

describe('an element that fails', () => {
  test('its error has what the session that was cut off had spent', async () => {
    const { result } = evaluating(map(atomic), {}, (_task, _n, { prompt, signal }) =>
      prompt === 'a' ? usedUp(1) : untilCutOff(signal, 0.5),
    );
    const error = await failed(result);
    expect(error.message).toBe('used up');
    expect(error.notes).toMatchObject({ dataUsage: { cost_usd: 1.5, turns: 3, usage }, failed: 'element 1' });
  });

  test('what was finished within the element that was cut off is counted, too', async () => {
    let begun = () => {};
    const second = new Promise<void>(resolve => {
      begun = resolve;
    });
    const steps = `<task type="sequential"><steps><task name="first"><instructions>1 {{item}}</instructions></task><task name="second"><instructions>2 {{item}}</instructions></task></steps></task>`;
    const { result } = evaluating(map(steps), {}, async (_task, _n, { prompt, signal }) => {
      if (prompt === '1 b') return 'done';
      if (prompt === '1 a') {
        await second;
        return usedUp(1);
      }
      begun();
      return await untilCutOff(signal, 0.5);
    });
    const error = await failed(result);
    expect(error.notes).toMatchObject({ dataUsage: { cost_usd: 1 + 0.25 + 0.5 }, failed: 'element 1/first' });
  });

  test('an input that fails counts those that were cut off', async () => {
    const input = (name: string) =>
      `<input name="${name}"><task name="${name}"><instructions>x</instructions></task></input>`;
    const { result } = evaluating(
      `<task><inputs>${input('a')}${input('b')}</inputs><instructions>{{a}}{{b}}</instructions></task>`,
      {},
      (task, _n, { signal }) => (task === 'a' ? usedUp(1) : untilCutOff(signal, 0.5)),
    );
    expect((await failed(result)).notes.dataUsage.cost_usd).toBe(1.5);
  });

  test('nothing of a session that was cut off is journalled', async () => {
    const kept: Entry[] = [];
    const { result } = evaluating(
      map(atomic),
      {},
      async (_task, _n, { prompt, signal }) => {
        if (prompt === 'a') return usedUp(1);
        await new Promise(resolve => signal.addEventListener('abort', resolve));
        // A seam that takes the abort for a failure of its own.
        return usedUp(7);
      },
      { step: over(kept).step },
    );
    expect((await failed(result)).notes.dataUsage.cost_usd).toBe(8);
    expect(kept.map(whatOf)).toEqual(['step k/item-1']);
  });

  test('what the session that was cut off had spent is counted again over the journal', async () => {
    const kept: Entry[] = [];
    const read = callsTo(['read_file', { path: 'p' }]);
    const reading = Promise.withResolvers<void>();
    const model: Model = {
      provider: 'test',
      async call({ key }) {
        if (key === 'k/item-2/1') return read;
        if (key === 'k/item-2/2') {
          reading.resolve();
          return await new Promise(() => {});
        }
        await reading.promise;
        return read;
      },
    };
    const once = async () => {
      const { result } = evaluating(map(atomic), {}, () => '', {
        turns: () => 2,
        step: over(kept).step,
        session: (request, progress) => runSession(request, { model, clock: stillClock() }, progress),
      });
      const { message, notes } = await failed(result);
      return { message, cost_usd: notes.dataUsage.cost_usd, turns: notes.dataUsage.turns };
    };
    const first = await once();
    expect(first).toEqual({ message: 'the limit of 2 turns is used up by w', cost_usd: 1.5, turns: 3 });
    expect(live(kept).map(whatOf)).toEqual(['checkpoint k/item-2', 'step k/item-1']);
    expect(await once()).toEqual(first);
  });

  test('what is cut off is not tried in another way, and its reason is no failure of a task', async () => {
    const reasons: unknown[] = [];
    const { result } = evaluating(map(atomic), {}, async (_task, _n, { prompt, signal }) => {
      if (prompt === 'a') return usedUp(1);
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      reasons.push(signal.reason);
      throw signal.reason;
    });
    await failed(result);
    expect(reasons[0]).toBeInstanceOf(Cancelled);
    expect(reasons[0]).not.toBeInstanceOf(TaskError);
  });

  test('a command that was stopped with it is not journalled', async () => {
    const kept: Entry[] = [];
    const inner = `<task type="cond"><case test="item == 'a'"><task><instructions>x</instructions></task></case><else><task type="script"><command>make</command></task></else></task>`;
    const { result } = evaluating(map(inner), {}, () => usedUp(1), {
      step: over(kept).step,
      script: async ({ signal }) => {
        if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve));
        return { exit_code: 143, stdout: '', stderr: '', timed_out: false };
      },
    });
    await failed(result);
    expect(kept.map(whatOf)).toEqual(['step k/item-1/case-1']);
  });
});

describe('questions that wait', () => {
  /** Asks, and ends with the answer; sessions of `slow` make one call more. */
  function asking(slow: string, answer: (question: string) => string) {
    const asked: string[] = [];
    const shown: string[] = [];
    let calls = 0;
    const kept: Entry[] = [];
    const model: Model = {
      provider: 'test',
      async call({ messages, key }) {
        calls++;
        const text = JSON.stringify(messages);
        const item = text.includes('do a') ? 'a' : 'b';
        const said = /The answer to your question.*?(yes \w)/.exec(text)?.[1];
        if (said === undefined) {
          asked.push(item);
          return callsTo(['ask', { question: `Q ${item}` }]);
        }
        const isFirst = Number(key.split('/').at(-1)) === 2;
        if (item === slow && isFirst) {
          // The other one, which still waits, pauses meanwhile.
          await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
          return callsTo(['read_file', { path: 'p' }]);
        }
        return reply(`${item}: ${said}`);
      },
    };
    const once = (journal: Replay) =>
      evaluating(
        '<task type="map"><over>["do a","do b"]</over><inner_task><task><instructions>{{item}}</instructions><tools>ask</tools></task></inner_task></task>',
        {},
        () => '',
        {
          abilities: ['ask'],
          step: journal.step,
          session: (request, progress) => runSession(request, { model, clock: stillClock() }, progress),
        },
      ).result.then(
        result => result,
        (error: unknown) => {
          if (error instanceof SessionPaused) return error;
          throw error;
        },
      );
    const run = async () => {
      for (let n = 0; n < 6; n++) {
        const journal = over(kept);
        const end = await once(journal);
        if (!(end instanceof SessionPaused)) return end.content;
        shown.push(end.question);
        answerQuestion(journal, end.id, answer(end.question));
        await journal.save();
      }
      return 'it asked for ever';
    };
    return { run, asked, shown, calls: () => calls };
  }

  test.each(['a', 'b', 'neither'])('two side by side come to an end, %s being slow', async slow => {
    const { run, asked, shown, calls } = asking(slow, question => `yes ${question.at(-1)}`);
    expect(await run()).toBe('["a: yes a","b: yes b"]');
    expect(shown).toEqual(['Q a', 'Q b']);
    // Neither begins anew: both are kept, whichever of them is answered first.
    expect(asked.toSorted()).toEqual(['a', 'b']);
    expect(calls()).toBe(slow === 'neither' ? 4 : 5);
  });

  test('what ends beside a question is journalled', async () => {
    const kept: Entry[] = [];
    const paused = new SessionPaused('k/item-1', 'Q?', {} as SessionPaused['state']);
    const { result } = evaluating(
      map(atomic),
      {},
      async (_task, _n, { prompt, signal }) => {
        if (prompt === 'a') return paused;
        await new Promise(resolve => setImmediate(resolve));
        return signal.aborted ? 'aborted' : 'done';
      },
      { step: over(kept).step },
    );
    await expect(result).rejects.toBe(paused);
    expect(resultsIn(kept)).toMatchObject({ 'k/item-2': { outcome: { text: 'done' } } });
  });
});
