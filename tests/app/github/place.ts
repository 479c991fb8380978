// A repository as the product reaches it, on a GitHub that answers what a test says.
import { Octokit } from '@octokit/rest';
import { sharedWait } from '../../../src/lib/shared-wait.ts';
import { connectRepository } from '../../../src/app/github/repository.ts';
import { testClock } from '../../engine/models/clock.ts';

export interface Given {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** `answer` is asked for each request. `asked`: the addresses so far, with their query. */
export function place(answer: (url: URL, body: Record<string, unknown>) => Given) {
  const clock = testClock();
  const asked: string[] = [];
  const fetch = async (address: string, { body }: { body?: string } = {}) => {
    const url = new URL(address);
    asked.push(url.pathname + url.search);
    const given = answer(url, body === undefined ? {} : (JSON.parse(body) as Record<string, unknown>));
    return new Response(JSON.stringify(given.body ?? {}), {
      status: given.status ?? 200,
      headers: { 'content-type': 'application/json', ...given.headers },
    });
  };
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const client = new Octokit({ request: { fetch }, log: silent });
  const github = connectRepository(client, {
    ...{ owner: 'olga', name: 'work', id: 1, bot: 'echelon[bot]', clock, wait: sharedWait(clock) },
  });
  return { github, asked, clock };
}
