// Branches that served their time, removed by what their names begin with.
import { answered, type Caller, type Client } from './octokit.ts';

/** One that is gone already is success. */
export async function removeBranches(
  { request }: Client,
  { read, write }: Caller,
  here: { owner: string; repo: string },
  prefix: string,
): Promise<void> {
  const listing = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}';
  const { data } = await read(() => request(listing, { ...here, ref: `heads/${prefix}` }));
  for (const { ref } of data)
    try {
      const route = 'DELETE /repos/{owner}/{repo}/git/refs/{ref}';
      await write(() => request(route, { ...here, ref: ref.replace(/^refs\//, '') }));
    } catch (error) {
      if (!answered(error, 404, 422)) throw error;
    }
}
