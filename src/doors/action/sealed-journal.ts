// The journal of an attempt on its way to the next one: an artifact, which everybody who may read the repository can fetch.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBounded } from '@echelon/ground/workspace';
import { journalFile, MAX_BYTES } from '../../app/job.ts';

/** Its name in what a job hands over. */
const keptJournal = 'journal.kept';

/** The jobs of one directive have the same key, made from that of their model: no other secret reaches them. */
export interface Seal {
  /**
   * Stored keys of the models that the job may call. What a job gets for its identity, and GitHub's own tokens, are another
   * job's in no case: without a stored key nothing could be opened again, and nothing is handed on.
   */
  keys: readonly string[];
  /** The replies are played, and public: the journal may be so, too. */
  isPlayed: boolean;
  /** GitHub's id of the repository. */
  repository: string;
  directive: number;
}

const CIPHER = 'aes-256-gcm';
/** Bytes of the nonce and of the tag that GCM wants (NIST SP 800-38D). */
const NONCE = 12;
const TAG = 16;

/** Characters below which a key may be guessed: `none`, for a server that wants none. */
const SECRET_CHARS = 16;

/** HKDF (RFC 5869): one key for each directive of each repository. */
const keyOf = (key: string, { repository, directive }: Seal) =>
  Buffer.from(hkdfSync('sha256', key, '', `echelon attempt journal\n${repository}\n${directive}`, 32));

/** Leaves the journal of the job `op` in its folder for the next attempt, which begins anew where no key can seal it. */
export async function keepJournal(folder: string, op: string, seal: Seal): Promise<void> {
  const text = await readBounded(folder, journalFile, MAX_BYTES);
  if (!Buffer.isBuffer(text)) return;
  // Not through a link that was put in its place.
  await rm(join(folder, keptJournal), { recursive: true, force: true });
  if (seal.keys.length === 0 && !seal.isPlayed) return;
  if (seal.keys.some(key => key.length < SECRET_CHARS)) return;
  await writeFile(join(folder, keptJournal), sealed(text, op, seal), { mode: 0o600, flag: 'wx' });
}

/** Lays the journal that the job `op` has left into its folder. False: it was sealed with a key that is not known here. */
export async function openJournal(folder: string, op: string, seal: Seal): Promise<boolean> {
  const kept = await readBounded(folder, keptJournal, MAX_BYTES + NONCE + TAG);
  // An unencrypted file there was not written by a job that had a key.
  await rm(join(folder, journalFile), { force: true });
  if (!Buffer.isBuffer(kept)) return true;
  const text = opened(kept, op, seal);
  if (text) await writeFile(join(folder, journalFile), text, { mode: 0o600 });
  return text !== undefined;
}

function sealed(text: Buffer, op: string, seal: Seal): Buffer {
  const [key] = seal.keys;
  if (key === undefined) return text;
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, keyOf(key, seal), nonce).setAAD(Buffer.from(op));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function opened(kept: Buffer, op: string, seal: Seal): Buffer | undefined {
  if (seal.keys.length === 0 && seal.isPlayed) return kept;
  for (const key of seal.keys)
    try {
      const cipher = createDecipheriv(CIPHER, keyOf(key, seal), kept.subarray(0, NONCE), {
        authTagLength: TAG,
      });
      cipher.setAAD(Buffer.from(op)).setAuthTag(kept.subarray(-TAG));
      return Buffer.concat([cipher.update(kept.subarray(NONCE, -TAG)), cipher.final()]);
    } catch {
      // Another key's, or changed on the way.
    }
  return undefined;
}
