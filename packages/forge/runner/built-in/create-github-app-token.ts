// actions/create-github-app-token: a token of an App for the job's repository, which is closed when the job has ended.
import { createSign } from 'node:crypto';
import { z } from 'zod';
import { messageOf } from '@echelon/ground';
import { StepFailed, type StepRun } from '../step.ts';
import { inputsOf } from './inputs.ts';

const permission = /^permission-(.+)$/;

const Installation = z.object({ id: z.number(), app_slug: z.string() });
const Token = z.object({ token: z.string() });

/** Asks for one as anybody does: what it may do is the API's to say. */
export async function makeAppToken(step: StepRun): Promise<void> {
  const asked = Object.entries(step.inputs).filter(([name]) => permission.test(name));
  const inputs = inputsOf(step, { ...Object.fromEntries(asked), 'client-id': '', 'private-key': '' });
  for (const name of ['client-id', 'private-key'] as const)
    if (inputs[name] === '') throw new StepFailed(`Input required and not supplied: ${name}`);
  const repository = step.render('${{ github.repository }}');
  const permissions = Object.fromEntries(
    asked
      .filter(([, level]) => level !== '')
      .map(([name, level]) => [name.replace(permission, '$1').replaceAll('-', '_'), level]),
  );
  try {
    const app = identityOf(inputs['client-id'], inputs['private-key'], step.state.host.clock.now());
    const installation = Installation.parse(
      await call(step, app, 'GET', `/repos/${repository}/installation`),
    );
    const { token } = Token.parse(
      await call(step, app, 'POST', `/app/installations/${installation.id}/access_tokens`, {
        repositories: [repository.split('/')[1]],
        ...(Object.keys(permissions).length > 0 && { permissions }),
      }),
    );
    step.state.host.secrets.add(token);
    step.saved['token'] = token;
    step.setOutput('token', token);
    step.setOutput('installation-id', String(installation.id));
    step.setOutput('app-slug', installation.app_slug);
  } catch (error) {
    throw new StepFailed(`Failed to create token for "${repository}": ${messageOf(error)}`, { cause: error });
  }
}

/** After the job. */
export async function closeAppToken(step: StepRun): Promise<void> {
  const { token } = step.saved;
  if (token === undefined) return;
  await call(step, token, 'DELETE', '/installation/token');
  step.write('Token revoked');
}

/** GitHub takes a JSON web token for ten minutes at most, and a minute's difference of clocks. */
function identityOf(issuer: string, privateKey: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: issuer, iat: seconds - 30, exp: seconds + 540 };
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  const signature = createSign('RSA-SHA256').update(signed).sign(privateKey.replaceAll('\\n', '\n'));
  return `${signed}.${signature.toString('base64url')}`;
}

async function call(
  { state, signal }: StepRun,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${state.host.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
