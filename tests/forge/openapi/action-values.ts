// Secrets and variables of a repository: permitted and forbidden calls of a client.
import sodium from 'libsodium-wrappers';
import { expect } from 'vitest';
import type { Caller, Story } from './story.ts';

export async function secrets(story: Story, at: string, stranger: Caller): Promise<void> {
  const key = await story.call(200, 'GET', `${at}/public-key`);
  await story.call(403, 'GET', `${at}/public-key`, { as: stranger });
  const key_id = String(key.at('key_id'));
  await sodium.ready;
  const seal = (text: string) => {
    const to = Buffer.from(String(key.at('key')), 'base64');
    return Buffer.from(sodium.crypto_box_seal(Buffer.from(text), to)).toString('base64');
  };
  const set = (status: number, name: string, text: string, as?: Caller) =>
    story.call(status, 'PUT', `${at}/${name}`, {
      body: { encrypted_value: seal(text), key_id },
      ...(as !== undefined && { as }),
    });
  await set(201, 'TWO', 'hidden');
  await set(204, 'two', 'hidden again');
  await set(403, 'TWO', 'taken', stranger);
  for (const wrong of ['GITHUB_X', '1x', 'a-b', 'a%2Fb', 'a b', 'x'.repeat(256)]) await set(422, wrong, 'x');
  await set(422, 'BIG', 'x'.repeat(48 * 1024 + 1));
  const sealed = { encrypted_value: Buffer.from('plain').toString('base64'), key_id };
  await story.call(422, 'PUT', `${at}/TWO`, { body: sealed });
  await story.call(422, 'PUT', `${at}/TWO`, { body: { encrypted_value: seal('x'), key_id: '1' } });
  await story.call(422, 'PUT', `${at}/TWO`, { body: { encrypted_value: '%', key_id }, wrong: true });
  await story.call(422, 'PUT', `${at}/TWO`, { body: {}, wrong: true });
  const shown = await story.call(200, 'GET', `${at}?per_page=1`);
  expect(JSON.stringify(shown)).not.toContain('hidden');
  await story.call(204, 'DELETE', `${at}/TWO`);
  await story.call(404, 'DELETE', `${at}/TWO`);
}

export async function variables(story: Story, at: string, stranger: Caller): Promise<void> {
  const body = { name: 'place', value: 'here' };
  await story.call(201, 'POST', at, { body });
  await story.call(409, 'POST', at, { body });
  await story.call(422, 'POST', at, { body: { name: 'GITHUB_X', value: '' } });
  await story.call(422, 'POST', at, { body: { name: 'x', value: 1 }, wrong: true });
  await story.call(403, 'POST', at, { body, as: stranger });
  await story.call(200, 'GET', at);
  await story.call(403, 'GET', at, { as: stranger });
  await story.call(200, 'GET', `${at}/PLACE`);
  await story.call(201, 'POST', at, { body: { name: 'OTHER', value: '' } });
  await story.call(409, 'PATCH', `${at}/PLACE`, { body: { name: 'other' } });
  await story.call(204, 'PATCH', `${at}/place`, { body: { name: 'SPOT', value: 'there' } });
  await story.call(404, 'GET', `${at}/PLACE`);
  expect((await story.call(200, 'GET', `${at}/SPOT`)).at('value')).toBe('there');
  await story.call(204, 'DELETE', `${at}/SPOT`);
  await story.call(404, 'PATCH', `${at}/SPOT`, { body: { value: 'x' } });
}
