// An issue on a forge with a record in its comments.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { connectRepository, type Repository } from '../../../src/app/github/repository.ts';
import { newRunStore, type RecordAccess, type RunStore } from '../../../src/app/run/comment-store.ts';
import { loadRun } from '../../../src/app/run/read-record.ts';
import { type Forge, openForge } from '../../../packages/forge/forge.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { type Clock, systemClock } from '../../../packages/ground/lib/clock.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';

export const key = new TextEncoder().encode('a key that is 32 characters long');
export const bot = 'echelon[bot]';
const issues = '/repos/olga/work/issues';

export async function openPlace(clock: Clock = systemClock) {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-store-'));
  let cut: { phase: 'received' | 'applied'; method: string | undefined; left: number } | undefined;
  const forge: Forge = await openForge({
    folder,
    clock,
    onCall(call, phase) {
      // One of the next writes is cut off: before it is applied, or after, when only its answer is lost.
      if (call.kind !== 'write' || phase !== cut?.phase) return;
      if (cut.method !== undefined && call.method !== cut.method) return;
      if (--cut.left > 0) return;
      cut = undefined;
      throw new Error('cut off');
    },
  });
  forge.addUser('olga');
  forge.addUser(bot, { type: 'Bot' });
  const { id } = await forge.addRepository({ owner: 'olga', name: 'work' });
  forge.setPermission('olga', 'work', bot, 'write');
  const { body } = await forge.call('olga', 'POST', issues, { title: 'Work' });
  const { number } = body as { number: number };
  const client = new Octokit({
    baseUrl: forge.api,
    auth: forge.tokenFor(bot),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const place = { owner: 'olga', name: 'work', id, bot, clock, wait: sharedWait(clock) };
  const github: Repository = connectRepository(client, place);
  const identity = { repository: id, issue: number, run: 'abc' };
  const access: RecordAccess = { github, keys: [key] };
  const call = (method: string, path: string, given?: unknown, login = 'olga') =>
    forge.call(login, method, `/repos/olga/work${path}`, given);
  return {
    client,
    github,
    forge,
    identity,
    access,
    call,
    start: async (run = identity.run, as = access): Promise<RunStore> =>
      newRunStore(as, { ...identity, run }),
    /** The state that another process loads. */
    load: async (as = access) => await loadRun(await github.thread(number), as),
    async store(as = access): Promise<RunStore> {
      const found = await loadRun(await github.thread(number), as);
      if (found.kind !== 'run') throw new Error(`no run: ${JSON.stringify(found)}`);
      return found.store;
    },
    comments: async () =>
      (await forge.call('olga', 'GET', `${issues}/${number}/comments?per_page=100`)).body as {
        id: number;
        body: string;
      }[],
    remove: (comment: number) => call('DELETE', `/issues/comments/${comment}`),
    /** The `nth` of the next writes. */
    cutNextWrite(phase: 'received' | 'applied', method?: 'PATCH', nth = 1) {
      cut = { phase, method, left: nth };
    },
    uncut() {
      cut = undefined;
    },
    /** Number of calls the App makes during `work`. */
    async calls(work: () => Promise<unknown>) {
      const before = forge.calls.length;
      await work();
      const made = forge.calls.slice(before);
      const count = (kind: 'read' | 'write') => made.filter(each => each.kind === kind).length;
      return { read: count('read'), write: count('write') };
    },
    async [Symbol.asyncDispose]() {
      await forge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Place = Awaited<ReturnType<typeof openPlace>>;

/** Entries of about `size` characters that do not pack. */
export function heavy(from: number, count: number, size: number): Entry[] {
  return Array.from({ length: count }, (_, at) => {
    let result = '';
    for (let n = 0; result.length < size; n++)
      result += createHash('sha256')
        .update(`${from + at}.${n}`)
        .digest('base64');
    return { t: 'step', key: `step ${from + at}`, result, at: from + at };
  });
}
export const small = (n: number): Entry => ({ t: 'step', key: `small ${n}`, result: n, at: n });

export const passing = (n: number, size: number): Entry => ({
  t: 'checkpoint',
  key: 'turn',
  state: heavy(n, 1, size).map(entry => (entry.t === 'step' ? entry.result : null)),
  at: 1,
});
