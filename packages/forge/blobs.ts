// Files that the API sends callers to instead of answering with them, as GitHub does: good for a minute, no token needed.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { artifactFile } from './actions/artifact-store.ts';
import { logsOfRun } from './actions/run-logs.ts';
import type { Core } from './core.ts';
import { notFound } from './errors.ts';
import { runOfId } from './store/workflows.ts';

const kinds = ['artifact', 'run-logs'] as const;
type Kind = (typeof kinds)[number];

const lifetime = 60_000;
/** Of this process: an address of an earlier one is void. */
const secret = randomBytes(32);
const place = /^\/_blobs\/([\w-]+)\/(\d+)$/;

export const isBlobPath = (path: string): boolean => place.test(path);

/** The address of the file of an artifact or a run. */
export function blobUrl(core: Core, kind: Kind, id: number): string {
  const expires = core.clock.now() + lifetime;
  return `${core.site}/_blobs/${kind}/${id}?expires=${expires}&sig=${signature(kind, id, expires)}`;
}

const signature = (kind: string, id: number, expires: number): string =>
  createHmac('sha256', secret).update(`${kind}/${id}/${expires}`).digest('base64url');

/** Answers a request for such an address. Throws 404 for one that was not given out, is too old, or leads to nothing. */
export async function serveBlob(
  core: Core,
  path: string,
  query: string,
  response: ServerResponse,
): Promise<void> {
  const [, named = '', number = ''] = place.exec(path) ?? [];
  const asked = new URLSearchParams(query);
  const [id, expires] = [Number(number), Number(asked.get('expires'))];
  const given = Buffer.from(asked.get('sig') ?? '');
  const right = Buffer.from(signature(named, id, expires));
  const kind = kinds.find(each => each === named);
  if (!kind || given.length !== right.length || !timingSafeEqual(given, right)) throw notFound();
  if (core.clock.now() > expires) throw notFound();
  await using file = await openFile(core, kind, id);
  // Removed since the address was given out, or never written.
  const found = await stat(file.path).catch(() => undefined);
  if (!found) throw notFound();
  response.writeHead(200, {
    'content-type': 'application/zip',
    'content-length': found.size,
    'content-disposition': `attachment; filename="${kind}-${id}.zip"`,
    'x-content-type-options': 'nosniff',
  });
  // A client that goes away before the end needs no answer.
  await pipeline(createReadStream(file.path), response).catch(() => response.destroy());
}

function gone(): never {
  throw notFound();
}

async function openFile(core: Core, kind: Kind, id: number): Promise<{ path: string } & AsyncDisposable> {
  const kept = (path: string) => ({ path, [Symbol.asyncDispose]: async () => {} });
  switch (kind) {
    case 'artifact':
      return kept(artifactFile(core, id));
    case 'run-logs':
      return await logsOfRun(core, runOfId(core, id) ?? gone());
  }
}
