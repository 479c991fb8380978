// A story that calls the routes of a forge, refusals included, and keeps what is wrong with each exchange.
import { createSign } from 'node:crypto';
import { z } from 'zod';
import { validateAnswer, validateRequest } from './validate.ts';

export interface Exchange {
  method: string;
  path: string;
  status: number;
  /** Differences from GitHub's description; a sent body that GitHub would not understand is one too. */
  violations: string[];
}

/** The caller: a token, or null for nobody. */
export type Caller = string | null;

interface Options {
  as?: Caller;
  body?: unknown;
  accept?: string;
  /** The body is wrong on purpose: it is not held against the description. */
  wrong?: true;
}

/** A client that expects a status of each call and judges the answer. */
export class Story {
  readonly exchanges: Exchange[] = [];
  readonly #api: string;
  readonly #usual: Caller;

  /** `api` is the address of the REST API; `usual` calls where a step does not say who does. */
  constructor(api: string, usual: Caller) {
    this.#api = api;
    this.#usual = usual;
  }

  /** Makes one call. Throws, naming the call, when the status is another than `status`. */
  async call(status: number, method: string, path: string, options: Options = {}): Promise<Told> {
    const { as = this.#usual, body, accept = 'application/vnd.github+json', wrong } = options;
    const answer = await fetch(this.#api + path, {
      method,
      redirect: 'manual',
      headers: {
        accept,
        ...(as !== null && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} instead of ${status}: ${text.slice(0, 500)}`);
    const mediaType = answer.headers.get('content-type') ?? undefined;
    const content: unknown = /json/.test(mediaType ?? '') ? JSON.parse(text) : text;
    this.exchanges.push({
      method,
      path,
      status,
      violations: [
        ...validateAnswer(method, path, status, content, mediaType),
        ...(wrong ? [] : validateRequest(method, path, body)),
      ],
    });
    return new Told(content);
  }
}

/** Values taken from an answer; missing ones fail the step. */
export class Told {
  readonly #content: unknown;

  constructor(content: unknown) {
    this.#content = content;
  }

  /** A number or text below the answer: `told.at('head', 'sha')`. */
  at(...keys: (string | number)[]): string | number {
    let value = this.#content;
    for (const key of keys) value = Reflect.get(Object(value), key);
    return z.union([z.string(), z.number()]).parse(value, { error: () => `${keys.join('.')} is missing` });
  }
}

/** A JSON web token by which an app calls as itself. */
export function appToken(id: number, privateKey: string, seconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: seconds - 30, exp: seconds + 300, iss: id })}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
}
