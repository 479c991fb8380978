// GitHub's identity tokens for a job with `id-token: write`: an address, and the token for requesting one.
// https://docs.github.com/actions/reference/security/oidc
import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunnerOptions } from '../../../packages/forge/actions/runner.ts';
import type { PlannedJob } from '../../../packages/forge/actions/planned-job.ts';

export async function idTokens() {
  const secret = randomBytes(32);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (text: string) => `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  const given: string[] = [];
  const give = (text: string) => {
    given.push(text);
    return text;
  };
  const server = createServer((request, response) => {
    const bearer = request.headers.authorization?.replace(/^bearer /, '') ?? '';
    const [, body = ''] = bearer.split('.');
    const aud = new URL(request.url ?? '', 'http://here').searchParams.get('audience');
    const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString() || '{}'), aud };
    const isOurs = bearer === signed(bearer.split('.').slice(0, 2).join('.'));
    response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isOurs ? { value: give(signed(`${part({ alg: 'HS256' })}.${part(claims)}`)) } : {}),
    );
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  /** Variables of the steps of a job: none unless it may ask. */
  function variables({ permissions, contexts, origin }: PlannedJob): Record<string, string> {
    if (permissions['id-token'] !== 'write') return {};
    const { repository, ref } = contexts['github'] as Record<string, string>;
    const job_workflow_ref = `${origin.repository}/${origin.path}@${origin.sha}`;
    const claims = { sub: `repo:${repository}:ref:${ref}`, job_workflow_ref };
    return {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: give(signed(`${part({ alg: 'HS256' })}.${part(claims)}`)),
    };
  }
  return {
    /** Every token that was given out, and what each was asked for by. */
    given,
    runner: (usual: RunnerOptions): RunnerOptions => ({
      ...usual,
      carryOut: (core, job, order) =>
        usual.carryOut(core, { ...job, env: [...job.env, variables(job)] }, order),
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}
