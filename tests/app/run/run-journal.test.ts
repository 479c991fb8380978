// The durable step function: replay, crashes between any two of its moments, signals, and misuse.
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../packages/ground/lib/clock.ts';
import type { Entry, SignalEntry } from '../../../packages/ground/journal/journal.ts';
import { operationKey } from '../../../src/app/github/once.ts';
import { runJournal, type RunJournal, SaidEnough } from '../../../src/app/run/run-journal.ts';
import { Interrupted, Waiting } from '../../../packages/ground/journal/replay.ts';

const identity = { repository: 7, issue: 3, run: 'abc' };

/** Storage that survives processes, and what they did outside. */
function world() {
  const stored: Entry[] = [];
  const done: string[] = [];
  const misfits: string[] = [];
  let time = 1000;
  const clock: Clock = { now: () => time++, sleep: async () => {} };
  /** Another process: only what was written is there. `writes`: how many writes go through before it dies. */
  const process = (settings: { writes?: number; aborted?: boolean; readOnly?: boolean } = {}): RunJournal => {
    let left = settings.writes ?? Number.POSITIVE_INFINITY;
    return runJournal({
      identity,
      entries: [...stored],
      ...(settings.readOnly && { readOnly: true }),
      async write(entries) {
        if (left-- <= 0) throw new Error('died while writing');
        stored.push(...entries);
      },
      misfit: async signal => void misfits.push(signal.id),
      clock,
      signal: settings.aborted ? AbortSignal.abort(new Error('stopped')) : new AbortController().signal,
    });
  };
  return { stored, done, misfits, process };
}

/** Fits every command that is taken here. */
const said = { what: 'all', by: 'wanda', comment: 1 };
const signal = (id: string, name = 'approve', value: SignalEntry['value'] = said) => ({ id, name, value });
const kinds = (entries: readonly Entry[]) =>
  entries.map(entry => `${entry.t} ${entry.t === 'signal' ? entry.id : entry.key}`);

describe('steps', () => {
  test('a step is done once; a replay takes its result from the journal', async () => {
    const w = world();
    for (let round = 0; round < 3; round++) {
      const d = w.process();
      expect(await d.step('a', async () => ({ made: w.done.push('a') }))).toEqual({ made: 1 });
      await d.save();
    }
    expect(w.done).toEqual(['a']);
  });

  test('a result is what a replay will see: plain JSON', async () => {
    const d = world().process();
    const result = await d.step<unknown>('a', async () => ({
      at: new Date(0),
      left: undefined,
      n: Number.NaN,
    }));
    expect(result).toEqual({ at: '1970-01-01T00:00:00.000Z', n: null });
  });

  test('a result of nothing cannot be journalled: the step fails and leaves nothing', async () => {
    const w = world();
    const d = w.process();
    await expect(d.step('a', async () => undefined)).rejects.toThrow(SyntaxError);
    expect(d.entries).toEqual([]);
    expect(await w.process().step('a', async () => 'something')).toBe('something');
  });

  test('null, false, 0 and the empty text are results like others', async () => {
    const w = world();
    for (const value of [null, false, 0, '']) {
      const key = `give ${JSON.stringify(value)}`;
      const d = w.process();
      await d.step(key, async () => value);
      await d.save();
      expect(await w.process().step(key, async () => 'again')).toBe(value);
    }
  });

  test('a failed step leaves nothing, and is made again', async () => {
    const w = world();
    const d = w.process();
    await expect(
      d.step('a', async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await d.save();
    expect(await w.process().step('a', async () => 'yes')).toBe('yes');
  });

  test('what may not be said any more is refused at the same step for ever: in a replay, a look, and after a cancel', async () => {
    const w = world();
    const say = (d: RunJournal) =>
      d.step(
        'say',
        async () => {
          w.done.push('asked');
          throw new SaidEnough();
        },
        { find: async () => undefined },
      );
    const d = w.process();
    await expect(say(d)).rejects.toThrow(SaidEnough);
    d.deliver(signal('c', 'cancel'));
    await d.save();
    await expect(say(w.process())).rejects.toThrow(SaidEnough);
    await expect(say(w.process({ readOnly: true }))).rejects.toThrow(SaidEnough);
    expect(w.done).toEqual(['asked']);
  });

  test('the same key twice in one program is a mistake of the program', async () => {
    const d = world().process();
    await d.step('a', async () => 1);
    await expect(d.step('a', async () => 1)).rejects.toThrow('used the step key a twice');
  });

  test('steps side by side are replayed in whatever order they ended', async () => {
    const w = world();
    const program = async (d: RunJournal) =>
      Promise.all(['b', 'a', 'c'].map(key => d.step(key, async () => `${key}${w.done.push(key)}`)));
    const d = w.process();
    const first = await program(d);
    await d.save();
    expect(await program(w.process())).toEqual(first);
    expect(w.done).toEqual(['b', 'a', 'c']);
  });

  test('a costly result is written before the program goes on, a cheap one rides along', async () => {
    const w = world();
    const d = w.process();
    await d.step('cheap', async () => 1);
    expect(w.stored).toEqual([]);
    await d.step('dear', async () => 2, { costly: true });
    expect(kinds(w.stored)).toEqual(['step cheap', 'step dear']);
  });

  test('an aborted process begins no step, but replays what is done', async () => {
    const w = world();
    const before = w.process();
    await before.step('a', async () => 1);
    await before.save();
    const d = w.process({ aborted: true });
    expect(await d.step('a', async () => 2)).toBe(1);
    await expect(d.step('b', async () => 2)).rejects.toThrow('stopped');
  });

  test('a look only does nothing that is not in the journal', async () => {
    const w = world();
    await expect(w.process({ readOnly: true }).step('a', async () => w.done.push('a'))).rejects.toThrow(
      Waiting,
    );
    expect(w.done).toEqual([]);
  });
});

describe('creations', () => {
  /** Makes something outside, marked with `op`, and dies where it is told to. */
  const create = (w: ReturnType<typeof world>, d: RunJournal, dies?: 'before' | 'after') =>
    d.step(
      'create',
      async op => {
        if (dies === 'before') throw new Error('died before');
        w.done.push(op);
        if (dies === 'after') throw new Error('died after');
        return { op };
      },
      {
        find: async op => {
          w.misfits.push('looked');
          return w.done.includes(op) ? { op } : undefined;
        },
      },
    );

  test('the first attempt does not look, and its intent is written first', async () => {
    const w = world();
    await create(w, w.process());
    expect(w.misfits).toEqual([]);
    expect(kinds(w.stored)).toEqual(['intent create']);
  });

  test('the key it is marked with belongs to step, run, issue and repository', async () => {
    const w = world();
    expect(await create(w, w.process())).toEqual({ op: operationKey(identity, 'create') });
    for (const change of [{ repository: 8 }, { issue: 4 }, { run: 'abd' }])
      expect(operationKey({ ...identity, ...change }, 'create')).not.toBe(operationKey(identity, 'create'));
  });

  test('died after it was made: the next process finds it and makes nothing', async () => {
    const w = world();
    await expect(create(w, w.process(), 'after')).rejects.toThrow('died after');
    expect(await create(w, w.process())).toEqual({ op: w.done[0] });
    expect([w.done.length, w.misfits.length]).toEqual([1, 1]);
  });

  test('died before it was made: the next process looks, finds nothing, and makes it', async () => {
    const w = world();
    await expect(create(w, w.process(), 'before')).rejects.toThrow('died before');
    await create(w, w.process());
    expect([w.done.length, w.misfits.length]).toEqual([1, 1]);
  });

  test('died while the intent was written: nothing was made', async () => {
    const w = world();
    await expect(create(w, w.process({ writes: 0 }))).rejects.toThrow('died while writing');
    expect(w.done).toEqual([]);
    await create(w, w.process());
    expect([w.done.length, w.misfits.length]).toEqual([1, 0]);
  });

  test('intents of a batch are one write, and none of them is looked for by this process', async () => {
    const w = world();
    const d = w.process({ writes: 1 });
    await d.intend(['x', 'y']);
    for (const key of ['x', 'y'])
      await d.step(key, async () => w.done.push(key), {
        find: async () => {
          throw new Error('looked');
        },
      });
    expect(kinds(w.stored)).toEqual(['intent x', 'intent y']);
  });

  test('where each process dies at its fourth call within a batch, the batch is done all the same', async () => {
    const w = world();
    const keys = Array.from({ length: 9 }, (_none, at) => `issue-${at}`);
    const batch = async (d: RunJournal) => {
      let calls = 0;
      // An answer that does not come any more: the process is gone.
      const call = <T>(answer: () => T): T => {
        if (++calls > 3) throw new Error('died');
        return answer();
      };
      await d.intend(keys);
      for (const key of keys)
        await d.step(key, async op => call(() => w.done.push(op) && op), {
          find: async op => call(() => w.done.find(each => each === op)),
        });
    };
    let processes = 1;
    while (await batch(w.process()).catch(() => true)) expect((processes += 1)).toBeLessThan(20);
    expect(new Set(w.done).size).toBe(keys.length);
    expect(w.done).toHaveLength(keys.length);
  });

  test('intents that are known already are not written again', async () => {
    const w = world();
    await w.process().intend(['x']);
    const d = w.process();
    await d.intend(['x']);
    await d.save();
    expect(kinds(w.stored)).toEqual(['intent x']);
  });
});

describe('signals', () => {
  test('without one the program waits, and says for what', async () => {
    await expect(world().process().signal(['approve', 'reject'])).rejects.toThrow(
      'waiting for approve or reject',
    );
  });

  test('each is taken once, in the order it came', async () => {
    const d = world().process();
    for (const id of ['c1', 'c2']) d.deliver(signal(id));
    expect((await d.signal(['approve'])).id).toBe('c1');
    expect((await d.signal(['approve'])).id).toBe('c2');
    await expect(d.signal(['approve'])).rejects.toThrow(Waiting);
  });

  test('one that was delivered before is not delivered again, in this process or the next', async () => {
    const w = world();
    const d = w.process();
    expect([d.deliver(signal('c1')), d.deliver(signal('c1'))]).toEqual([true, false]);
    await d.save();
    expect(w.process().deliver(signal('c1'))).toBe(false);
  });

  test('one that does not fit is passed over and told, and the next is taken', async () => {
    const w = world();
    const d = w.process();
    d.deliver(signal('c1', 'retry'));
    d.deliver(signal('c2'));
    expect((await d.signal(['approve'])).id).toBe('c2');
    expect(w.misfits).toEqual(['c1']);
  });

  test('one whose value does not fit its name stops the program that takes it, in the next process too', async () => {
    const w = world();
    const d = w.process();
    d.deliver(signal('c1', 'budget', { change: 'all', by: 'mia', comment: 4 }));
    await d.save();
    for (const each of [d, w.process()])
      await expect(each.signal(['budget'])).rejects.toThrow(/cannot be read: c1 \(budget\) at change/);
  });

  test.for(['budget', 'a command of another version'])(
    'one that is not waited for need not fit: %s',
    async name => {
      const w = world();
      const d = w.process();
      d.deliver(signal('c1', name, { change: 'all' }));
      d.deliver(signal('c2'));
      expect((await d.signal(['approve'])).id).toBe('c2');
      expect(w.misfits).toEqual(['c1']);
    },
  );

  test('an interrupt tells who gave it', async () => {
    const d = world().process();
    d.deliver(signal('c1', 'cancel'));
    const { signal: cancel } = await d
      .step('a', async () => 1)
      .then(
        () => Promise.reject(new Error('was not interrupted')),
        (error: unknown) => error as Interrupted,
      );
    expect(cancel).toMatchObject({ id: 'c1', name: 'cancel', value: { by: 'wanda', comment: 1 } });
  });

  test('a replay takes the same signals at the same places', async () => {
    const w = world();
    const program = async (d: RunJournal) => {
      const seen: string[] = [];
      for (let at = 0; at < 2; at++) {
        seen.push((await d.signal(['approve'])).id);
        await d.step(`after ${at}`, async () => w.done.push('x'));
      }
      return seen;
    };
    const d = w.process();
    d.deliver(signal('c1'));
    d.deliver(signal('c2'));
    expect(await program(d)).toEqual(['c1', 'c2']);
    await d.save();
    expect(await program(w.process())).toEqual(['c1', 'c2']);
    expect(w.done).toHaveLength(2);
  });

  test('an interrupt stops the next new step, wherever it stands among the signals', async () => {
    const w = world();
    const before = w.process();
    await before.step('a', async () => 1);
    await before.save();
    const d = w.process();
    d.deliver(signal('c1'));
    d.deliver(signal('c2', 'cancel'));
    expect(await d.step('a', async () => 2)).toBe(1);
    await expect(d.step('b', async () => w.done.push('b'))).rejects.toThrow(Interrupted);
    expect(w.done).toEqual([]);
  });

  test('after an interrupt the program may still make steps of its own', async () => {
    const d = world().process();
    d.deliver(signal('c1', 'cancel'));
    await expect(d.step('a', async () => 1)).rejects.toThrow(Interrupted);
    expect(await d.step('stop', async () => 'stopped')).toBe('stopped');
  });

  test('an interrupt ends a program that waits', async () => {
    const d = world().process();
    d.deliver(signal('c1', 'cancel'));
    await expect(d.signal(['approve'])).rejects.toThrow(Interrupted);
  });

  test('a replay is interrupted at the same place, though later steps of it are in the journal', async () => {
    const w = world();
    const program = async (d: RunJournal) => {
      try {
        await d.step('a', async () => w.done.push('a'));
        await d.step('b', async () => w.done.push('b'));
        return 'whole';
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        await d.step('stop', async () => w.done.push('stop'));
        return 'stopped';
      }
    };
    const first = w.process();
    await first.step('a', async () => w.done.push('a'));
    await first.save();
    const second = w.process();
    second.deliver(signal('c1', 'cancel'));
    expect(await program(second)).toBe('stopped');
    await second.save();
    expect(await program(w.process())).toBe('stopped');
    expect(w.done).toEqual(['a', 'stop']);
  });
});

test('time is that of the newest entry the program has passed, in a replay too', async () => {
  const w = world();
  const program = async (d: RunJournal) => {
    await d.step('a', async () => 1);
    await d.step('b', async () => 2);
    return d.at();
  };
  const d = w.process();
  const first = await program(d);
  await d.save();
  expect(await program(w.process())).toBe(first);
});

test('died at every write of a whole program: the end is the same, and everything was made once', async () => {
  const program = async (w: ReturnType<typeof world>, d: RunJournal) => {
    await d.step('ask', async () => 'plan', { costly: true });
    const make = (key: string) =>
      d.step(
        key,
        async op => {
          w.done.push(op);
          return op;
        },
        { find: async op => w.done.find(each => each === op) },
      );
    await make('tell');
    await d.intend(['x', 'y']);
    await make('x');
    await make('y');
    await d.save();
  };
  const whole = world();
  await program(whole, whole.process());
  for (let writes = 0; writes < 4; writes++) {
    const w = world();
    await program(w, w.process({ writes })).catch(() => {});
    await program(w, w.process());
    expect(w.done).toEqual(whole.done);
    expect(new Set(kinds(w.stored))).toEqual(new Set(kinds(whole.stored)));
  }
});
