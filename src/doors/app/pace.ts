// The distance between an installation's writes. What only reads waits for nothing, and neither does a query of GraphQL.
import PQueue from 'p-queue';

/** Milliseconds between two writes of one who makes many (GitHub, best practices for using the REST API). */
const DISTANCE_MS = 1000;

/** What of a request says whether it writes. */
export interface Asked {
  method: string;
  url: string;
  /** Of GraphQL. */
  query?: unknown;
}

/** Resolves when the request may be sent. A reaction goes before other writes: somebody has just typed a command. */
export function pace(): (asked: Asked) => Promise<void> {
  const turns = new PQueue({ concurrency: 1, intervalCap: 1, interval: DISTANCE_MS, strict: true });
  return async asked => {
    if (writes(asked)) await turns.add(() => {}, { priority: asked.url.endsWith('/reactions') ? 1 : 0 });
  };
}

const writes = ({ method, url, query }: Asked): boolean =>
  url.endsWith('/graphql') ? !/^\s*(query\b|\{)/.test(String(query)) : method !== 'GET' && method !== 'HEAD';
