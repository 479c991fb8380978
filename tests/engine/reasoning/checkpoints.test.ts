// A session whose process dies is gone on with by the next one: at the price of one model call, and as if nothing had been.
import { afterAll, describe, expect, test } from 'vitest';
import { NoAnswerYet, SessionPaused } from '../../../src/engine/reasoning/question.ts';
import { type Entry, live } from '../../../packages/ground/journal/journal.ts';
import {
  close,
  deaths,
  endOf,
  keysFrom,
  killed,
  run,
  type Story,
  stories,
  turns,
  undisturbedOf,
  whole,
} from './dying.ts';

afterAll(close);

test.each(stories)('a session comes to what it is for: $name', async story => {
  const end = await undisturbedOf(story);
  expect(story.comesTo(end)).toBe(true);
  expect(end.keys).toEqual(keysFrom(story, 1));
});

describe.each(Object.entries(deaths))('a process that dies of %s', (_name, how) => {
  test.each(stories.flatMap(story => turns(story).map(turn => ({ turn, name: story.name, story }))))(
    'in turn $turn of $name',
    async ({ story, turn }) => {
      const expected = await undisturbedOf(story);
      const kept: Entry[] = [];
      const first = await run(story, kept, { dies: { turn, how } });
      expect(first.error).toMatchObject({ message: 'killed' });
      const second = await run(story, kept);
      expect([first.keys.at(-1), second.keys]).toEqual([`k/${turn}`, keysFrom(story, turn)]);
      expect(second.calls).toEqual(expected.calls.slice(turn - 1));
      expect([...first.ran, ...second.ran]).toEqual(expected.ran);
      expect([...first.asked, ...second.asked]).toEqual(expected.asked);
      expect(endOf(second)).toEqual(endOf(expected));
    },
  );
});

test('a process may die in every turn', async () => {
  const kept: Entry[] = [];
  for (const turn of turns(whole)) {
    const died = await run(whole, kept, { dies: { turn, how: deaths['an abort']! } });
    // One reply, that of the turn in which the one before died, and the call in which it dies.
    expect(died.keys).toEqual(turn === 1 ? ['k/1'] : [`k/${turn - 1}`, `k/${turn}`]);
  }
  const last = await run(whole, kept);
  expect(last.keys).toEqual(['k/7']);
  expect(endOf(last)).toEqual(endOf(await undisturbedOf(whole)));
});

describe('a reply whose operations were carried out', () => {
  test('is not carried out again', async () => {
    const kept: Entry[] = [];
    const how = deaths['what is no failure of a task']!;
    expect((await run(whole, kept, { dies: { turn: 2, how } })).ran).toEqual(['a']);
    const second = await run(whole, kept);
    expect([second.keys[0], second.ran]).toEqual(['k/2', ['none', 'b']]);
    expect(second.state!.stores.goals.map(({ identifier }) => identifier)).toEqual(['g', '__proto__']);
  });

  test.each([
    ['the process died before it was done', {}],
    [
      'it could not be written',
      {
        mayWrite: () => {
          throw new Error('the disk is full');
        },
      },
    ],
  ])('is asked for once more where %s', async (_name, more) => {
    const expected = await undisturbedOf(whole);
    const kept: Entry[] = [];
    await run(whole, kept, { dies: { turn: 2, how: deaths['an abort']! } });
    const onTool = (abort: () => void) => abort();
    const second = await run(whole, kept, { onTool, ...more });
    expect([second.error, second.keys, second.ran]).toEqual([killed, ['k/2'], ['none']]);
    const third = await run(whole, kept);
    expect([third.keys[0], third.ran]).toEqual(['k/2', ['none', 'b']]);
    expect(endOf(third)).toEqual(endOf(expected));
  });
});

describe('a question that waits', () => {
  const later = () => Promise.reject(new NoAnswerYet('later'));

  test('waits on, without a model call, in every process until it is answered', async () => {
    const expected = await undisturbedOf(whole);
    const kept: Entry[] = [];
    const first = await run(whole, kept, { ask: later });
    expect(first.error).toBeInstanceOf(SessionPaused);
    expect(first.keys).toEqual(['k/1', 'k/2', 'k/3']);
    for (let n = 0; n < 2; n++) {
      const { error, keys, asked } = await run(whole, kept, { ask: later });
      expect(error).toMatchObject({ name: 'SessionPaused', key: 'k', question: 'Which?' });
      expect([keys, asked]).toEqual([[], []]);
    }
    const last = await run(whole, kept, { answer: 'blue' });
    expect(last.keys).toEqual(keysFrom(whole, 4));
    expect(last.calls).toEqual(expected.calls.slice(3));
    expect(last.outcome).toEqual(expected.outcome);
    expect(last.summary).toEqual(expected.summary);
  });

  test.each(Object.entries(deaths))(
    'keeps its answer where the process dies after it, of %s',
    async (_name, how) => {
      const expected = await undisturbedOf(whole);
      const kept: Entry[] = [];
      await run(whole, kept, { ask: later });
      await run(whole, kept, { answer: 'blue', dies: { turn: 5, how } });
      const last = await run(whole, kept);
      expect([last.keys, last.asked]).toEqual([keysFrom(whole, 5), []]);
      expect(last.outcome).toEqual(expected.outcome);
      expect(last.summary).toEqual(expected.summary);
    },
  );

  test('of which a person was thinking when the process died is asked again, for one model call', async () => {
    const expected = await undisturbedOf(whole);
    const kept: Entry[] = [];
    const thinking = Promise.withResolvers<void>();
    let abort = () => {};
    const first = run(whole, kept, {
      onTool: end => void (abort = end),
      ask: () => {
        thinking.resolve();
        return new Promise(() => {});
      },
    });
    await thinking.promise;
    abort();
    expect((await first).error).toBe(killed);
    const second = await run(whole, kept);
    expect([second.keys, second.asked]).toEqual([keysFrom(whole, 3), ['Which?']]);
    expect(endOf(second)).toEqual(endOf(expected));
  });
});

describe('a checkpoint', () => {
  const onlyCheckpoints = (batch: readonly Entry[]) => batch.every(({ t }) => t === 'checkpoint');

  test('that cannot be written does not end the session', async () => {
    const kept: Entry[] = [];
    let failed = 0;
    const end = await run(whole, kept, {
      mayWrite(batch) {
        if (!onlyCheckpoints(batch)) return;
        failed++;
        throw new Error('the disk is full');
      },
    });
    expect(endOf(end)).toEqual(endOf(await undisturbedOf(whole)));
    expect([failed, kept.map(({ t }) => t)]).toEqual([6, ['step']]);
  });

  test('that could not be written goes with the next: what is lost is no more than the turns between', async () => {
    const kept: Entry[] = [];
    let writes = 0;
    const mayWrite = () => {
      if (++writes === 2) throw new Error('the disk is full');
    };
    await run(whole, kept, { mayWrite, dies: { turn: 4, how: deaths['an abort']! } });
    expect(writes).toBe(3);
    const second = await run(whole, kept);
    expect(second.keys).toEqual(keysFrom(whole, 4));
    expect(endOf(second)).toEqual(endOf(await undisturbedOf(whole)));
  });

  test('is there while the session goes on, and not when its step is done', async () => {
    const kept: Entry[] = [];
    await run(whole, kept, { dies: { turn: 4, how: deaths['an abort']! } });
    expect(live(kept).map(({ t }) => t)).toEqual(['checkpoint']);
    await run(whole, kept);
    expect(kept.filter(({ t }) => t === 'checkpoint').length).toBeGreaterThan(1);
    expect(live(kept)).toMatchObject([{ t: 'step', key: 'k' }]);
    expect((await run(whole, kept)).keys).toEqual([]);
  });

  test.each<[string, (state: Record<string, unknown>) => unknown, string]>([
    [
      'another version',
      state => ({ ...state, version: 2 }),
      'it is of version 2, and only 1 can be gone on with',
    ],
    [
      'no version',
      ({ version: _, ...state }) => state,
      'it is of version undefined, and only 1 can be gone on with',
    ],
    ['another kind', () => 'a text', 'Invalid input: expected object, received string'],
    ['nothing', () => null, 'Invalid input: expected object, received null'],
  ])('of %s is refused in a sentence, before any model call', async (_name, change, why) => {
    const kept: Entry[] = [];
    await run(whole, kept, { dies: { turn: 2, how: deaths['an abort']! } });
    const foreign = JSON.parse(
      JSON.stringify(
        kept.map(entry =>
          entry.t === 'checkpoint'
            ? { ...entry, state: change(entry.state as Record<string, unknown>) }
            : entry,
        ),
      ),
    ) as Entry[];
    const { error, keys } = await run(whole, foreign);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      message: `the saved session cannot be gone on with: ${why}; start it anew`,
    });
    expect(keys).toEqual([]);
  });

  test('of a session that used most of its time leaves it the rest', async () => {
    const kept: Entry[] = [];
    const short: Story = {
      ...whole,
      request: { ...whole.request, limits: { turns: 9, output_tokens: 100, time_ms: 500 } },
    };
    await run(short, kept, { dies: { turn: 4, how: deaths['an abort']! } });
    const { error } = await run(short, kept);
    expect(error).toMatchObject({ detail: { resource: 'time', used: 600, limit: 500 } });
  });
});
