// Use of API calls from GitHub's headers: the limit nearest to its end counts.
import { expect, test } from 'vitest';
import { callsUsed } from '../../../src/app/github/token-client.ts';

type Headers = Record<string, string>;

/** A client of which a test plays the answers. */
function client() {
  let after = (_response: { headers: Headers }) => {};
  let error = (_error: Error) => {};
  const hook = {
    after: (_name: string, heard: typeof after) => (after = heard),
    error: (_name: string, heard: typeof error) => (error = heard),
  } as unknown as Parameters<typeof callsUsed>[0]['hook'];
  return {
    used: callsUsed({ hook }),
    answers: (headers: Headers) => after({ headers }),
    refuses(headers: Headers) {
      const refused = Object.assign(new Error('no'), { response: { headers } });
      expect(() => error(refused)).toThrow(refused);
    },
  };
}
const headers = (resource: string, used: string, limit = '1000'): Headers => ({
  'x-ratelimit-resource': resource,
  'x-ratelimit-used': used,
  'x-ratelimit-limit': limit,
});

test('nothing is known before an answer, nor by one that does not tell', () => {
  const { used, answers } = client();
  expect(used()).toBeUndefined();
  answers({});
  answers(headers('core', 'many'));
  expect(used()).toBeUndefined();
});

test('the newest answer counts, a refusal too', () => {
  const { used, answers, refuses } = client();
  answers(headers('core', '10'));
  refuses(headers('core', '11'));
  expect(used()).toEqual({ used: 11, limit: 1000 });
});

test('of calls and points the one that is nearest to its end', () => {
  const { used, answers } = client();
  answers(headers('core', '300'));
  answers(headers('graphql', '500', '5000'));
  expect(used()).toEqual({ used: 300, limit: 1000 });
});
