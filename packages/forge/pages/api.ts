// The pages' only way to read and write: the forge's own API, asked as the acting person, so that permissions,
// limits and webhooks are the same as for any other client.
import { z } from 'zod';
import type { Forge } from '../forge.ts';
import type { Context, Hono } from 'hono';

/** `owner/name` from the address. Throws Refusal 404 for names that no repository can have. */
export function repositoryOf(c: Context): string {
  const repository = `${c.req.param('owner')}/${c.req.param('repo')}`;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || /(^|\/)\.{1,2}($|\/)/.test(repository))
    throw new Refusal(404, `No repository is named ${repository}`);
  return repository;
}

/** A number of an issue, pull request or page. Throws Refusal 404 for anything else. */
export function numberOf(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) throw new Refusal(404, `${text} is not a number`);
  return Number(text);
}

type ThreadKind = 'issues' | 'pull';

/** The issue or pull request of an address: the path of its page, and those of the API. Throws Refusal 404 as the above. */
export function threadOf(c: Context, kind: ThreadKind) {
  const [repository, number] = [repositoryOf(c), numberOf(c.req.param('number'))];
  const at = `/repos/${repository}`;
  const [issue, pull] = [`${at}/issues/${number}`, `${at}/pulls/${number}`];
  return { repository, number, page: `/${repository}/${kind}/${number}`, issue, pull };
}

/** Takes a form of such a page, and leads back to the page once its change is done. */
export const changeOf = (
  app: Hono,
  kind: ThreadKind,
  path: string,
  change: (c: Context, at: ReturnType<typeof threadOf>) => Promise<unknown>,
) =>
  app.post(`/:owner/:repo/${kind}/:number/${path}`, async c => {
    const at = threadOf(c, kind);
    await change(c, at);
    return c.redirect(at.page, 303);
  });

/** The id of a run or a job, as it stands in an address. Throws Refusal 404 for anything else. */
export function idOf(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw new Refusal(404, `${text} is not an id`);
  return Number(text);
}

/** A field of the form that was sent; empty when it is missing. */
export async function field(c: Context, name: string): Promise<string> {
  const value = (await c.req.parseBody())[name];
  // A form sends line ends as CR LF; Markdown and the command parser read LF.
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
}

/** All values of a field that can be chosen several times. */
export async function fields(c: Context, name: string): Promise<string[]> {
  const value = (await c.req.parseBody({ all: true }))[name];
  return [value].flat().filter(each => typeof each === 'string');
}

/** An error response of the API, with its message. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** A list is read to its end up to this many pages of 100; what is beyond is told, not dropped silently. */
const pagesAtMost = 10;

const refusal = z.object({
  message: z.string(),
  errors: z
    .array(
      z.union([z.string(), z.object({ field: z.string(), code: z.string(), message: z.string() }).partial()]),
    )
    .optional(),
});

const graphqlAnswer = z.object({
  data: z.unknown(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

export class Api {
  readonly #forge: Pick<Forge, 'call'>;
  readonly #login: string;

  /** Calls as the person of that login. */
  constructor(forge: Pick<Forge, 'call'>, login: string) {
    this.#forge = forge;
    this.#login = login;
  }

  /** Reads one value. `T` is the caller's word for it: `render/` makes it. Throws Refusal for any answer that is not 2xx. */
  async get<T>(path: string): Promise<T> {
    return (await this.#answer('GET', path)).body as T;
  }

  /** Reads the bytes of a file. */
  async bytes(path: string): Promise<Uint8Array> {
    const { body } = await this.#answer('GET', path, undefined, 'application/vnd.github.raw');
    return z.instanceof(Uint8Array).parse(body);
  }

  /** Reads one value, or undefined where there is none (404). */
  async find<T>(path: string): Promise<T | undefined> {
    return this.get<T>(path).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    });
  }

  /** One page of 100 of a list, and whether there is another. */
  async page<T>(path: string, number = 1): Promise<{ items: T[]; more: boolean }> {
    const query = `${path.includes('?') ? '&' : '?'}per_page=100&page=${number}`;
    const { body, headers } = await this.#answer('GET', path + query);
    return { items: body as T[], more: /rel="next"/.test(headers?.['link'] ?? '') };
  }

  /** A whole list; `more` says that it is longer than what is read here. */
  async all<T>(path: string): Promise<{ items: T[]; more: boolean }> {
    const items: T[] = [];
    for (let number = 1; number <= pagesAtMost; number++) {
      const next = await this.page<T>(path, number);
      items.push(...next.items);
      if (!next.more) return { items, more: false };
    }
    return { items, more: true };
  }

  /** Sends a change and gives the body of the answer. */
  async send(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    return (await this.#answer(method, path, body)).body;
  }

  /** Asks by GraphQL what REST does not tell, or changes. Throws Refusal for errors, which GraphQL answers with 200. */
  async graphql<T>(query: string, variables: Record<string, string | number | null>): Promise<T> {
    const answer = await this.send('POST', '/graphql', { query, variables });
    const { data, errors = [] } = graphqlAnswer.parse(answer);
    if (errors.length > 0) throw new Refusal(422, errors.map(({ message }) => message).join('; '));
    return data as T;
  }

  async #answer(method: string, path: string, body?: unknown, accept?: string) {
    const answer = await this.#forge.call(this.#login, method, path, body, accept);
    if (answer.status < 300) return answer;
    const told = refusal.safeParse(answer.body);
    if (!told.success)
      throw new Refusal(answer.status, `${method} ${path} was refused with status ${answer.status}`);
    const details = (told.data.errors ?? []).map(each =>
      typeof each === 'string'
        ? each
        : (each.message ?? `${each.field ?? 'field'}: ${each.code ?? 'invalid'}`),
    );
    throw new Refusal(answer.status, [told.data.message, ...details].join(': '));
  }
}
