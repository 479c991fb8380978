// GitHub client of a part of `mode: check`: the job's own token, with all answers recorded.
import { messageOf } from '@echelon/ground';
import { lacksPermission, pullsForbidden } from '../../../app/app.ts';
import { tokenClient } from '../../../app/set-up.ts';
import { type Finding, missing, well } from '../../finding.ts';
import { readPlace } from '../run-place.ts';

/** Throws an Error for what is missing in the workflow. */
export async function openPlace(env: NodeJS.ProcessEnv) {
  const place = await readPlace(env);
  if ('problem' in place) throw new Error(place.problem);
  const client = tokenClient(place.token, place.api, { pullsForbidden, lacksPermission });
  return { place, client, record: recorded(client) };
}

/** `what` is well if the work does not throw. */
export async function tried(what: string, done: string, work: () => Promise<unknown>): Promise<Finding> {
  try {
    await work();
    return well(what, done);
  } catch (error) {
    return missing(what, messageOf(error));
  }
}

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

/** A type's name, the shapes of an object's members, or the shape of an array's first member. */
type Shape = string | Shape[] | { [key: string]: Shape };

function shapeOf(value: unknown): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

/**
 * Everything that the client calls from now on, one line of JSON a call: its route as in GitHub's description, the status, names
 * of headers, and the body's shape without values.
 */
function recorded({ hook }: Hooked): () => string {
  const calls: object[] = [];
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
