// Parallel execution: order, limits, and the effect of a failure on the others.
import { describe, expect, test } from 'vitest';
import { evaluating, failed } from '../../tasks/surroundings.ts';
import { fails, task } from './row.ts';

const list = (length: number) => JSON.stringify(Array.from({ length }, (_, index) => index));
const map = (length: number, more = '') =>
  `<task type="map"><over>${list(length)}</over><inner_task>${task('in', '{{item}}')}</inner_task>${more}</task>`;

/** Sessions that wait until they are let go; `waiting` are the prompts of those under way. */
function gates() {
  const open = new Map<string, (reply: string) => void>();
  let changed = () => {};
  return {
    waiting: () => [...open.keys()],
    answer: (prompt: string) =>
      new Promise<string>(resolve => {
        open.set(prompt, resolve);
        changed();
      }),
    letGo: (prompt: string, reply = prompt) => {
      const resolve = open.get(prompt);
      if (!resolve) throw new Error(`${prompt} is not waiting`);
      open.delete(prompt);
      resolve(reply);
    },
    async until(count: number) {
      while (open.size < count) await new Promise<void>(resolve => (changed = resolve));
    },
  };
}

describe('map', () => {
  test('the results have the order of the list, whatever is done first', async () => {
    const { answer, letGo, until } = gates();
    const { result } = evaluating(map(4), {}, (_task, _n, { prompt }) => answer(prompt));
    await until(4);
    for (const prompt of ['2', '0', '3', '1']) letGo(prompt);
    expect((await result).content).toBe('["0","1","2","3"]');
  });

  test.each([
    ['4 when it does not say', '', 4],
    ['1', '<parallel>1</parallel>', 1],
    ['3', '<parallel>3</parallel>', 3],
    ['all', '<parallel>100</parallel>', 9],
  ])('at most %s side by side', async (_name, more, most) => {
    const { answer, letGo, until, waiting } = gates();
    const { result, requests } = evaluating(map(9, more), {}, (_task, _n, { prompt }) => answer(prompt));
    for (let done = 0; done < 9; done++) {
      const expected = Math.min(most, 9 - done);
      await until(expected);
      expect(waiting()).toHaveLength(expected);
      letGo(waiting()[0]!);
    }
    await result;
    expect(requests).toHaveLength(9);
  });

  test('the first failure cancels the others, begins no more, and keeps what was finished', async () => {
    const { answer, letGo, until, waiting } = gates();
    const stopped: string[] = [];
    const { result, requests } = evaluating(map(6, '<parallel>3</parallel>'), {}, (_task, _n, request) => {
      const { prompt, signal } = request;
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => {
          if (waiting().includes(prompt)) stopped.push(prompt);
          reject(signal.reason);
        });
        void answer(prompt).then(resolve);
      });
    });
    await until(3);
    letGo('0');
    await until(3);
    letGo('2', fails('no two'));
    const error = await failed(result);
    expect(error.message).toBe('element 3 ended as failed: no two');
    expect(error.detail).toMatchObject({ code: 'TASK_FAILURE', reason: 'failed', step: 'element 3' });
    expect(error.notes.steps?.map(({ step, result: each }) => [step, each.content])).toEqual([
      ['element 1', '0'],
    ]);
    expect(stopped).toEqual(['1', '3']);
    expect(requests.map(each => each.prompt)).toEqual(['0', '1', '2', '3']);
    expect(error.notes.dataUsage.turns).toBe(2);
  });

  test('an abort of the whole ends all that is under way', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { answer, until } = gates();
    const { result } = evaluating(
      map(2),
      {},
      (_task, _n, { prompt, signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          void answer(prompt);
        }),
      { signal: controller.signal },
    );
    await until(2);
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
  });

  test('what is no task error goes through as it is', async () => {
    const broken = new TypeError('broken');
    const { result } = evaluating(map(2), {}, () => broken);
    await expect(result).rejects.toBe(broken);
  });

  test('the order is kept under random completion', async () => {
    let seed = 7;
    const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    const { answer, letGo, until, waiting } = gates();
    const { result } = evaluating(map(100, '<parallel>10</parallel>'), {}, (_task, _n, { prompt }) =>
      answer(prompt),
    );
    for (let done = 0; done < 100; done++) {
      await until(Math.min(10, 100 - done));
      const all = waiting();
      letGo(all[Math.floor(random() * all.length)]!);
    }
    expect((await result).content).toBe(
      JSON.stringify(Array.from({ length: 100 }, (_, index) => `${index}`)),
    );
  });
});

describe('inputs and arguments', () => {
  const input = (name: string) => `<input name="${name}">${task(`make-${name}`, name)}</input>`;
  const program = `<task name="t"><inputs>${input('a')}${input('b')}${input('c')}</inputs><description>{{a}}{{b}}{{c}}</description></task>`;

  test('inputs are evaluated side by side', async () => {
    const { answer, letGo, until } = gates();
    const { result } = evaluating(program, {}, (name, _n, { prompt }) =>
      name === 't' ? prompt : answer(prompt),
    );
    await until(3);
    for (const prompt of ['c', 'a', 'b']) letGo(prompt, prompt.toUpperCase());
    expect((await result).content).toBe('ABC');
  });

  test('one that fails cancels the others; the error has what they cost', async () => {
    const { answer, letGo, until } = gates();
    const cancelled: string[] = [];
    const { result, requests } = evaluating(
      program.replace(
        '</description></task></input>',
        '</description><output name="n" type="number"/></task></input>',
      ),
      {},
      (_name, _n, { prompt, signal }) => {
        signal.addEventListener('abort', () => {
          cancelled.push(prompt);
          if (prompt === 'c') letGo('c');
        });
        return answer(prompt);
      },
    );
    await until(3);
    letGo('b');
    await until(2);
    letGo('a', 'no number');
    const error = await failed(result);
    expect(error.code).toBe('INVALID_OUTPUT');
    expect(error.notes.dataUsage.turns).toBe(3);
    expect(cancelled).toContain('c');
    expect(requests).toHaveLength(3);
  });

  test('arguments of a call are evaluated side by side', async () => {
    const { answer, letGo, until } = gates();
    const { result } = evaluating(
      `<task type="sequential"><steps><task type="function" name="f"><parameters><parameter name="a"/><parameter name="b"/></parameters><body>${task('body', '{{a}}{{b}}')}</body></task><task type="call" ref="f"><arg name="a">${task('x', '1')}</arg><arg name="b">${task('y', '2')}</arg></task></steps></task>`,
      {},
      (name, _n, { prompt }) => (name === 'body' ? prompt : answer(prompt)),
    );
    await until(2);
    letGo('2');
    letGo('1');
    expect((await result).content).toBe('12');
  });

  test('the steps of a sequence and the bindings of a let are not', async () => {
    const { answer, letGo, until, waiting } = gates();
    const { result } = evaluating(
      `<task type="let"><bind name="a">${task('x', '1')}</bind><bind name="b">${task('y', '2')}</bind><body><task type="sequential"><steps>${task('s', '3')}${task('t', '4')}</steps></task></body></task>`,
      {},
      (_name, _n, { prompt }) => answer(prompt),
    );
    for (const prompt of ['1', '2', '3', '4']) {
      await until(1);
      expect(waiting()).toEqual([prompt]);
      letGo(prompt);
    }
    expect((await result).content).toBe('4');
  });
});
