// A job's identity in the place of a stored key: what GitHub, the exchange and the API are sent, each held to the letter.
import nock from 'nock';
import { expect, test } from 'vitest';
import { providerKeys } from '../../../src/engine/models/provider-keys.ts';
import { openModel } from '../../../src/engine/runtime/open-model.ts';
import { holdRequests } from '../../held-requests.ts';
import { request } from './request.ts';

const github = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://gh.test/?v=1', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'b' };
const anthropic = {
  ids: {
    ANTHROPIC_FEDERATION_RULE_ID: 'fdrl_1',
    ANTHROPIC_ORGANIZATION_ID: 'org',
    ANTHROPIC_WORKSPACE_ID: 'w',
  },
  audience: 'https://api.anthropic.com',
  exchange: 'https://api.anthropic.com/v1/oauth/token',
  body: {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ...{
      assertion: 'signed.by.github',
      federation_rule_id: 'fdrl_1',
      organization_id: 'org',
      workspace_id: 'w',
    },
  },
  ...{ api: 'https://api.anthropic.com/v1/messages', model: 'claude-opus-5-5' },
};
const openai: typeof anthropic = {
  ids: { OPENAI_IDENTITY_PROVIDER_ID: 'idp_1', OPENAI_SERVICE_ACCOUNT_ID: 'svc' } as never,
  audience: 'https://api.openai.com/v1',
  exchange: 'https://auth.openai.com/oauth/token',
  body: {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    ...{ subject_token: 'signed.by.github', subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
    ...{ identity_provider_id: 'idp_1', service_account_id: 'svc' },
  } as never,
  ...{ api: 'https://api.openai.com/v1/responses', model: 'gpt-6.2-sol' },
};

const openrouter: typeof anthropic = {
  ids: { OPENROUTER_FEDERATION_POLICY_ID: 'pol', OPENAI_BASE_URL: 'https://openrouter.ai/api/v1' } as never,
  audience: 'https://openrouter.ai',
  exchange: 'https://openrouter.ai/api/v1/oauth/token',
  body: {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    ...{ subject_token: 'signed.by.github', subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
    federation_policy_id: 'pol',
  } as never,
  ...{ api: 'https://openrouter.ai/api/v1/chat/completions', model: 'gpt-6.2-sol' },
};

/** Answers each of these once. */
function serve(
  { audience, exchange, body, api }: typeof anthropic,
  exchanged: [status: number, answer: object],
) {
  holdRequests();
  const at = (url: string) => [new URL(url).origin, new URL(url).pathname] as const;
  const [gh, id] = at(github.ACTIONS_ID_TOKEN_REQUEST_URL);
  nock(gh, { reqheaders: { authorization: 'bearer b' } })
    .get(id)
    .query({ v: '1', audience })
    .reply(200, { value: 'signed.by.github' });
  const [host, path] = at(exchange);
  nock(host)
    .post(path, body)
    .reply(...exchanged);
  const [server, calls] = at(api);
  const error = { type: 'permission_error', message: 'not short-lived-1' };
  nock(server, { reqheaders: { authorization: 'Bearer short-lived-1' }, badheaders: ['x-api-key'] })
    .post(calls)
    .twice()
    .reply(403, { type: 'error', error });
}

const all = [
  ['Anthropic', anthropic] as const,
  ['OpenAI', openai] as const,
  ['OpenRouter', openrouter] as const,
];
const opened = async (ids: NodeJS.ProcessEnv) => {
  const env = { ...github, ...ids };
  return (await openModel({ provider: 'served', keys: providerKeys(env, { identity: true }) }, {})).model;
};

test.for(all)('%s: exchanged once, sent with each call, and in no error', async ([, trust]) => {
  serve(trust, [200, { access_token: 'short-lived-1', token_type: 'Bearer', expires_in: 3600 }]);
  const model = await opened(trust.ids);
  for (const _ of [1, 2])
    await expect(model.call(request({ model: trust.model }))).rejects.toMatchObject({
      ...{ class: 'denied', message: expect.stringContaining('not ***') },
    });
  expect(nock.pendingMocks()).toEqual([]);
});

test.for(all)('%s: an identity that is not trusted is told as that, and not repeated', async ([, trust]) => {
  serve(trust, [401, { error: 'invalid_grant', error_description: 'signed.by.github is nobody' }]);
  const model = await opened(trust.ids);
  const error = await model.call(request({ model: trust.model })).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ class: 'denied', message: expect.stringContaining('its trust in this job') });
  expect(String(error)).not.toContain('signed.by');
});

test('an exchange that is down is tried again later, as a model that is', async () => {
  serve(anthropic, [503, { error: 'unavailable' }]);
  const model = await opened(anthropic.ids);
  const call = model.call(request({ model: anthropic.model }));
  await expect(call).rejects.toMatchObject({ class: 'timeout' });
});

test.for(all)(
  '%s: where GitHub does not say whose job it is, that is tried again, too',
  async ([, trust]) => {
    for (const answer of [
      () => nock('https://gh.test').get(/./).replyWithError('reset'),
      () => nock('https://gh.test').get(/./).reply(429, {}),
    ]) {
      holdRequests();
      answer();
      const model = await opened(trust.ids);
      const call = model.call(request({ model: trust.model }));
      await expect(call).rejects.toMatchObject({ class: 'timeout' });
    }
  },
);

test('another server that speaks OpenAI’s wire gets no token of theirs', async () => {
  holdRequests();
  nock('https://other.test', { reqheaders: { authorization: 'Bearer none' } })
    .post('/v1/chat/completions')
    .reply(403, {});
  const ids = { ...openai.ids, ...openrouter.ids, OPENAI_BASE_URL: 'https://other.test/v1' };
  const model = await opened(ids);
  await expect(model.call(request({ model: openai.model }))).rejects.toThrow(/^other\.test .*: 403/);
});

test('a stored key goes first; without the permission, or without all ids, there is no identity', () => {
  const env = { ANTHROPIC_API_KEY: 'sk-1', ...github, ...anthropic.ids };
  expect(providerKeys(env, { identity: true })).toEqual({ anthropic: { apiKey: 'sk-1' } });
  expect(providerKeys(anthropic.ids, { identity: true })).toEqual({});
  expect(
    providerKeys({ ...github, ...anthropic.ids, ANTHROPIC_ORGANIZATION_ID: ' ' }, { identity: true }),
  ).toEqual({});
});
