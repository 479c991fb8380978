// A repository as the product reaches it, on a GitHub that answers what a test says.
import { Octokit } from '@octokit/rest';
import nock from 'nock';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { connectRepository } from '../../../src/app/github/repository.ts';
import { holdRequests } from '../../held-requests.ts';
import { testClock } from '../../ground/lib/clocks.ts';

export interface Given {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The connection is cut instead of an answer. */
  cut?: boolean;
}

/** `answer` is asked for each request. `asked`: the addresses so far, with their query. */
export function place(answer: (url: URL, body: Record<string, unknown>) => Given) {
  const clock = testClock();
  const asked: string[] = [];
  holdRequests();
  // No request of these tests leaves the machine.
  nock.disableNetConnect();
  const scope = nock('https://api.github.com').persist();
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])
    scope.intercept(/^/, method).reply(async (request: Request) => {
      const url = new URL(request.url);
      const text = await request.text();
      asked.push(url.pathname + url.search);
      const given = answer(url, text === '' ? {} : (JSON.parse(text) as Record<string, unknown>));
      if (given.cut) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      return [
        given.status ?? 200,
        JSON.stringify(given.body ?? {}),
        { 'content-type': 'application/json', ...given.headers },
      ];
    });
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const client = new Octokit({ log: silent });
  const github = connectRepository(client, {
    ...{ owner: 'olga', name: 'work', id: 1, bot: 'echelon[bot]', clock, wait: sharedWait(clock) },
  });
  return { github, client, asked, clock };
}
