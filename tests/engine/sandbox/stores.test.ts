// Writes of code to the stores: errors are thrown at the call, so that code can handle them.
import { describe, expect, it } from 'vitest';
import { openStores, type StoreContents } from '../../../src/engine/sandbox/stores.ts';

const dates = { createdAt: 1, updatedAt: 1 };
const snapshot: StoreContents = {
  vault: {
    v: { type: 'text', description: 'd', content: 'x', ...dates },
    last_execution_result: { type: 'text' },
  },
  tasks: { t: { heading: 'h', content: 'c', notes: 'n', status: 'pending', ...dates } },
};
const open = () => openStores(snapshot, () => 7);
const set = (store: string, id: string, fields: unknown, stores = open()) =>
  stores.call('set', store, id, JSON.stringify(fields));
const written = { json: 'null' };

describe('refuses at the call', () => {
  it.each<[string, string, object, string]>([
    [
      'goals',
      'g',
      { heading: 'h', content: 'c', status: 'maybe' },
      'goals.set("g"): its status is one of open, finished, not "maybe"',
    ],
    [
      'tasks',
      't',
      { status: 'done' },
      'tasks.set("t"): its status is one of pending, ongoing, finished, paused, not "done"',
    ],
    ['tasks', 't', { important: true }, 'tasks.set("t"): a task has no important'],
    ['tasks', 't', { heading: 1 }, 'tasks.set("t"): the heading must be text'],
    ['tasks', 't', { priority: 1 }, 'tasks.set("t"): there is no field "priority"'],
    ['tasks', 't', { id: 'u' }, 'tasks.set("t"): its id cannot be changed'],
    [
      'memory',
      'a b',
      { heading: 'h', content: 'c' },
      'memory.set("a b"): the id has 1 to 200 letters, digits or any of _ . : / - and not "a b"',
    ],
    [
      'vault',
      'v',
      { content: 'x', description: 'd'.repeat(501) },
      'vault.set("v"): the description has 501 characters; 500 at most',
    ],
    ['vault', 'v', { content: 1, type: 'text' }, 'vault.set("v"): the content of type text must be text'],
  ])('%s.set(%j, %j)', (store, id, fields, message) => {
    expect(set(store, id, fields)).toEqual({ error: 'RangeError', message });
  });

  it.each<[string, object, string]>([
    [
      'tasks',
      { status: 'finished' },
      'task "u" not found; tasks.list() shows all. To make it, give heading and content too',
    ],
    [
      'tasks',
      { heading: 'h', content: ' ' },
      'task "u" not found; tasks.list() shows all. To make it, give content too',
    ],
    [
      'goals',
      { heading: '', content: '' },
      'goal "u" not found; goals.list() shows all. To make it, give heading and content too',
    ],
  ])('%s.set("u", %j): nothing is there to be changed', (store, fields, message) => {
    const stores = open();
    expect(set(store, 'u', fields, stores)).toEqual({ error: 'ReferenceError', message });
    expect(stores.missing).toEqual([{ store, id: 'u' }]);
    expect(stores.writes()).toEqual([]);
  });

  it('more entries than there may be', () => {
    const stores = open();
    for (let n = 0; n < 999; n++)
      expect(set('tasks', `t${n}`, { heading: 'h', content: 'c' }, stores)).toEqual(written);
    expect(set('tasks', 'more', { heading: 'h', content: 'c' }, stores)).toMatchObject({
      message: expect.stringContaining('there are 1000 tasks') as string,
    });
    stores.call('delete', 'tasks', 't', '');
    expect(set('tasks', 'more', { heading: 'h', content: 'c' }, stores)).toEqual(written);
  });
});

describe('measures the content in bytes', () => {
  const most = 256 * 1024;
  it.each<[string, string, object, boolean]>([
    ['a text that fits exactly', 'vault', { content: 'x'.repeat(most) }, true],
    ['a byte more', 'vault', { content: 'x'.repeat(most + 1) }, false],
    ['what JSON writes longer', 'vault', { content: '"\u0001'.repeat(most / 2) }, true],
    ['characters of several bytes', 'vault', { content: '€'.repeat(Math.floor(most / 3)) }, true],
    ['one of them too many', 'vault', { content: '€'.repeat(Math.ceil(most / 3)) }, false],
    ['data as JSON', 'vault', { content: ['x'.repeat(most - 4)] }, true],
    ['data that is too long as JSON', 'vault', { content: ['x'.repeat(most - 3)] }, false],
    [
      'each text by itself',
      'memory',
      { heading: 'x'.repeat(most), content: 'x'.repeat(most), notes: 'x'.repeat(most) },
      true,
    ],
  ])('%s', (_, store, fields, fits) => {
    const answer = set(store, 'a', fields);
    if (fits) expect(answer).toEqual(written);
    else
      expect(answer).toMatchObject({
        error: 'RangeError',
        message: expect.stringContaining('bytes of content; 262144 at most') as string,
      });
  });

  it('of all that one execution writes', () => {
    const stores = open();
    const text = 'x'.repeat(250_000);
    const answers = Array.from({ length: 17 }, (_, n) => set('vault', `a${n}`, { content: text }, stores));
    expect(answers.slice(0, 16).every(answer => 'json' in answer)).toBe(true);
    expect(answers[16]).toMatchObject({
      message: expect.stringMatching(/^one execution may write 4194304 bytes, not 42501/) as string,
    });
    // Written again, an entry counts once.
    expect(set('vault', 'a0', { content: 'y' }, stores)).toEqual(written);
  });
});

describe('shows what was written', () => {
  const get = (store: string, id: string, ...fields: object[]) => {
    const stores = open();
    for (const each of fields) expect(set(store, id, each, stores)).toEqual(written);
    const answer = stores.call('get', store, id, '');
    return 'json' in answer && answer.json !== '' ? JSON.parse(answer.json) : answer;
  };

  it.each<[string, string, object[], unknown]>([
    [
      'tasks',
      'u',
      [{ heading: 'h', content: 'c' }],
      { heading: 'h', content: 'c', notes: '', status: 'pending', createdAt: 7, updatedAt: 7 },
    ],
    [
      'memory',
      'm',
      [{ heading: 'h', content: 'c' }],
      { heading: 'h', content: 'c', notes: '', important: false, createdAt: 7, updatedAt: 7 },
    ],
    [
      'tasks',
      't',
      [{ status: 'ongoing' }],
      { heading: 'h', content: 'c', notes: 'n', status: 'ongoing', createdAt: 1, updatedAt: 7 },
    ],
    [
      'tasks',
      't',
      [{ createdAt: 5, updatedAt: 'x' }],
      { heading: 'h', content: 'c', notes: 'n', status: 'pending', createdAt: 1, updatedAt: 7 },
    ],
    ['vault', 'last_execution_result', [], { json: '' }],
  ])('%s.get(%j) after %j', (store, id, fields, expected) => {
    expect(get(store, id, ...fields)).toEqual(expected);
  });

  it('hands out no dates', () => {
    const stores = open();
    set('tasks', 't', { createdAt: 5, status: 'ongoing' }, stores);
    expect(stores.writes()).toEqual([
      { store: 'tasks', action: 'set', id: 't', fields: { status: 'ongoing' } },
    ]);
  });
});
