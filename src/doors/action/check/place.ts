// Where a part of `mode: check` calls GitHub: the job's own token, with everything that is answered recorded.
import { messageOf } from '@echelon/ground';
import { lacksPermission, pullsForbidden } from '../../../app/comments/replies.ts';
import { tokenClient } from '../../../app/github/token-client.ts';
import { type Finding, missing, well } from '../../finding.ts';
import { readPlace } from '../run-place.ts';
import { recorded } from './recorder.ts';

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
