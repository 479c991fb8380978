// Secrets as clients send them: sealed to a key of the repository, which GitHub gives everybody who may set one.
import type { Core } from '../core.ts';
import type { Repository } from '../store/repositories.ts';

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
export async function secretKey(core: Core, { id }: Repository): Promise<Key> {
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
export async function unsealed(
  sealed: string,
  { public_key, private_key }: Key,
): Promise<string | undefined> {
  const sodium = await library();
  const bytes = (text: string) => Buffer.from(text, 'base64');
  try {
    const open = sodium.crypto_box_seal_open(bytes(sealed), bytes(public_key), bytes(private_key));
    return new TextDecoder('utf-8', { fatal: true }).decode(open);
  } catch {
    return undefined;
  }
}
