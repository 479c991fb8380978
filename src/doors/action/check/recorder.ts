// Records what GitHub answers as one JSON line a call: route, status, some headers, and the shape of the body without values.
import type { tokenClient } from '../../../app/github/token-client.ts';

type Hooked = Pick<ReturnType<typeof tokenClient>, 'hook'>;

/** Headers without a value of the repository. */
const kept = [
  'content-type',
  'etag',
  'link',
  'location',
  'x-accepted-github-permissions',
  'x-github-media-type',
];

export interface RecordedCall {
  method: string;
  /** As in GitHub's description: `/repos/{owner}/{repo}/pulls`. */
  route: string;
  status: number;
  /** Names of headers that the answer had. */
  headers: string[];
  shape: Shape;
  ms: number;
}

/** A type's name, the shapes of an object's members, or the shape of an array's first member. */
export type Shape = string | Shape[] | { [key: string]: Shape };

function shapeOf(value: unknown): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

/** Everything that the client calls from now on. */
export function recorded({ hook }: Hooked): () => string {
  const calls: RecordedCall[] = [];
  hook.wrap('request', async (request, options) => {
    const began = Date.now();
    const { method, url: route } = options;
    const note = (status: number, headers: object, body: unknown) =>
      calls.push({
        ...{ method, route, status, shape: shapeOf(body), ms: Date.now() - began },
        headers: kept.filter(name => name in headers),
      });
    try {
      const answer = await request(options);
      note(answer.status, answer.headers, answer.data);
      return answer;
    } catch (error) {
      const { status = 0, response } = error as {
        status?: number;
        response?: { headers: object; data: unknown };
      };
      note(status, response?.headers ?? {}, response?.data);
      throw error;
    }
  });
  return () => calls.map(call => `${JSON.stringify(call)}\n`).join('');
}
