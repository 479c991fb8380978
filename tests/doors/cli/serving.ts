// `echelon serve` as a real process, its forge asked over HTTP as its user would.
import { isBoard, statusOf } from '../../board.ts';
import { type Options, type Running, startCli } from './run-cli.ts';
import { until } from '../../until.ts';

export interface Serving extends Running {
  /** http://localhost:PORT */
  url: string;
  token: string;
  /** Key of the pages. */
  key: string;
  /** Asks the API with the token; throws for any answer that is not 2xx. */
  api(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** The sample as the forge names it. */
export const sample = '/repos/you/sample';

/** Starts it and waits until it has said where it is. */
export async function serving(args: string[], options: Options = {}): Promise<Serving> {
  const running = startCli(['serve', ...args], options);
  const [, url = '', key = '', token = ''] = await running.says(
    /forge is at (http:\/\/(?:localhost|127\.0\.0\.3):\d+)\/\S*\?key=(\w+)\n.*the token of you is (\S+)\n/,
  );
  return { ...running, url, token, key, api: asking(`${url}/api/v3`, token) };
}

export function asking(base: string, token: string): Serving['api'] {
  return async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `token ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : await answer.json();
  };
}

export interface Comment {
  id: number;
  body: string;
  user: { login: string };
}

export interface Pull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  head: { ref: string; sha: string };
  base: { ref: string };
}

export const commentsOf = async (at: Serving, issue: number) =>
  (await at.api('GET', `${sample}/issues/${issue}/comments?per_page=100`)) as Comment[];

export const pullsOf = async (at: Serving) =>
  (await at.api('GET', `${sample}/pulls?state=all&per_page=100&sort=created&direction=asc`)) as Pull[];

/** The comment that shows the run, once it shows the status; throws when the run ended otherwise. */
export const board = (at: Serving, issue: number, status: string, ms = 60_000) =>
  until(
    `the run of #${issue} is ${status}`,
    async () => {
      const found = (await commentsOf(at, issue)).find(each => isBoard(each.body));
      const now = /^\w+/.exec(statusOf(found?.body ?? ''))?.[0];
      if (now !== status && /^(completed|failed|cancelled)$/.test(now ?? ''))
        throw new Error(`the run is ${now}:\n${found?.body}\n${at.ran.stderr}`);
      return now === status ? found : undefined;
    },
    { ms, more: () => at.ran.stderr },
  );
