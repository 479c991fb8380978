// Secrets and variables of a repository, which its workflows read. Of a secret only its name is ever answered.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { ApiError, found } from '../errors.ts';
import { pageOfAll } from '../page.ts';
import { created, noContent, ok, parse, readBy, type RepositoryCall, type Route, write } from '../route.ts';
import { type ActionValue, actionValueRows, setActionValue } from './workflow-rows.ts';
import type { Core } from '../core.ts';
import type { Repository } from '../repositories/repository-rows.ts';

interface Key {
  /** As GitHub's, a number as text. */
  id: string;
  /** Both base64. */
  public_key: string;
  private_key: string;
}

/** Loaded with the first secret: most forges are sent none. */
async function library() {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return sodium;
}

/** The repository's key, made when it is first asked for. */
async function secretKey(core: Core, { id }: Repository): Promise<Key> {
  const find = () => core.db.find<Key>('secret_keys', { repository_id: id });
  const known = find();
  if (known) return known;
  const sodium = await library();
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const key = {
    id: String(core.clock.now()),
    public_key: base64(publicKey),
    private_key: base64(privateKey),
  };
  core.db.ensure('secret_keys', { repository_id: id, ...key });
  return find() ?? (await secretKey(core, { id } as Repository));
}

/** The text in what was sealed to the key; undefined: it was not, or it is no text. */
async function unsealed(sealed: string, { public_key, private_key }: Key): Promise<string | undefined> {
  const sodium = await library();
  const bytes = (text: string) => Buffer.from(text, 'base64');
  try {
    const open = sodium.crypto_box_seal_open(bytes(sealed), bytes(public_key), bytes(private_key));
    return new TextDecoder('utf-8', { fatal: true }).decode(open);
  } catch {
    return undefined;
  }
}

type Kind = ActionValue['kind'];

const scopes = { secret: 'secrets', variable: 'actions_variables' } as const;
const reader = (kind: Kind): Need => ({ role: 'write', scopes: [`${scopes[kind]}:read`] });
const writer = (kind: Kind): Need => ({ role: 'write', scopes: [`${scopes[kind]}:write`] });

/** Bytes of a value. */
const LONGEST = 48 * 1024;

/** As GitHub keeps it: names are alike whatever their case. Throws 422. */
function nameOf(kind: Kind, given: string): string {
  const word = kind === 'secret' ? 'Secret' : 'Variable';
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(given) || given.length > 255)
    throw new ApiError(
      422,
      `${word} names can only contain alphanumeric characters ([a-z], [A-Z], [0-9]) or underscores (_). Spaces are not allowed. Must start with a letter ([a-z], [A-Z]) or underscores (_).`,
    );
  if (/^GITHUB_/i.test(given)) throw new ApiError(422, `${word} names must not start with GITHUB_.`);
  return given.toUpperCase();
}

function checkLength(value: string): void {
  if (Buffer.byteLength(value) > LONGEST)
    throw new ApiError(422, `The value is larger than ${LONGEST / 1024} KB.`);
}

/** Names are alike whatever their case. */
const find = ({ core, repository }: RepositoryCall, kind: Kind, name: string): ActionValue | undefined =>
  core.db.find<ActionValue>('action_values', { repository_id: repository.id, kind, name });

function named(call: RepositoryCall, kind: Kind): ActionValue {
  const { name = '', secret_name = name } = call.params;
  return found(find(call, kind, secret_name));
}

const secretJson = ({ name, created_at, updated_at }: ActionValue) => ({ name, created_at, updated_at });
const variableJson = (row: ActionValue) => ({ ...secretJson(row), value: row.value });

const removal = (kind: Kind, path: string): Route =>
  write('DELETE', path, writer(kind), call => {
    const { name } = named(call, kind);
    call.core.db.remove('action_values', { repository_id: call.repository.id, kind, name });
    return noContent();
  });

const sealed = z.object({ encrypted_value: z.base64(), key_id: z.string() });
const variable = z.object({ name: z.string(), value: z.string() });

export const actionValueRoutes = [
  readBy(reader('secret'), '/actions/secrets', call => {
    const rows = actionValueRows(call.core, call.repository.id, 'secret');
    return pageOfAll(call, rows, secretJson, 'secrets');
  }),
  // Owners here are people, who have none.
  readBy(reader('secret'), '/actions/organization-secrets', () => ok({ total_count: 0, secrets: [] })),
  readBy(reader('secret'), '/actions/secrets/public-key', async ({ core, repository }) => {
    const { id, public_key } = await secretKey(core, repository);
    return ok({ key_id: id, key: public_key });
  }),
  write('PUT', '/actions/secrets/{secret_name}', writer('secret'), async call => {
    const { core, repository, params } = call;
    const name = nameOf('secret', params['secret_name'] ?? '');
    const { encrypted_value, key_id } = parse(call, 'Secret', sealed);
    const key = await secretKey(core, repository);
    const value = key_id === key.id ? await unsealed(encrypted_value, key) : undefined;
    if (value === undefined)
      throw new ApiError(422, 'The value is not sealed to the public key of the repository.');
    checkLength(value);
    const isNew = !find(call, 'secret', name);
    setActionValue(core, repository.id, 'secret', name, value);
    return isNew ? created({}) : noContent();
  }),
  removal('secret', '/actions/secrets/{secret_name}'),
  readBy(reader('variable'), '/actions/variables', call => {
    const rows = actionValueRows(call.core, call.repository.id, 'variable');
    return pageOfAll(call, rows, variableJson, 'variables');
  }),
  write('POST', '/actions/variables', writer('variable'), call => {
    const { core, repository } = call;
    const given = parse(call, 'Variable', variable);
    const name = nameOf('variable', given.name);
    checkLength(given.value);
    if (find(call, 'variable', name)) throw new ApiError(409, 'Already exists - Variable already exists');
    setActionValue(core, repository.id, 'variable', name, given.value);
    return created({});
  }),
  readBy(reader('variable'), '/actions/variables/{name}', call => ok(variableJson(named(call, 'variable')))),
  write('PATCH', '/actions/variables/{name}', writer('variable'), call => {
    const { core, repository } = call;
    const { name: old, value: before } = named(call, 'variable');
    const given = parse(call, 'Variable', variable.partial());
    const name = given.name === undefined ? old : nameOf('variable', given.name);
    const value = given.value ?? before;
    checkLength(value);
    if (name.toUpperCase() !== old.toUpperCase()) {
      if (find(call, 'variable', name)) throw new ApiError(409, 'Already exists - Variable already exists');
      const place = 'repository_id = ? AND kind = ? AND name = ?';
      const values = [name, repository.id, 'variable', old];
      core.db.run(`UPDATE action_values SET name = ? WHERE ${place}`, ...values);
    }
    setActionValue(core, repository.id, 'variable', name, value);
    return noContent();
  }),
  removal('variable', '/actions/variables/{name}'),
];
