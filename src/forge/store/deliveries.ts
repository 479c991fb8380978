// The queue and the log of webhook deliveries, one row each.
import { randomUUID } from 'node:crypto';
import { present } from '../../lib/present.ts';
import { type Core, now } from '../core.ts';
import { getApp } from './apps.ts';
import { getHook } from './hooks.ts';

export interface Delivery {
  id: number;
  /** Who sends it: an app, or a hook of a repository. */
  app_id: number | null;
  hook_id: number | null;
  guid: string;
  event: string;
  action: string | null;
  installation_id: number | null;
  repository_id: number | null;
  /** The body as it was signed and sent. */
  payload: string;
  redelivery: number;
  /** `sending` that outlives its process was attempted and is never sent again. */
  state: 'queued' | 'sending' | 'done';
  queued_at: string;
  delivered_at: string | null;
  /** Seconds. */
  duration: number | null;
  /** `OK`, the reason phrase of a failure, or why there was no answer. */
  status: string | null;
  /** 0 when there was no answer. */
  status_code: number | null;
  /** JSON objects. */
  request_headers: string | null;
  response_headers: string | null;
  /** At most the first 10,000 characters. */
  response_body: string | null;
}

export function queueDelivery(
  core: Core,
  delivery: Pick<Delivery, 'event' | 'action' | 'installation_id' | 'repository_id' | 'payload'> &
    Partial<Pick<Delivery, 'app_id' | 'hook_id' | 'guid'>>,
): number {
  return core.db.insert('deliveries', {
    ...delivery,
    guid: delivery.guid ?? randomUUID(),
    redelivery: delivery.guid !== undefined,
    state: 'queued',
    queued_at: now(core),
  });
}

/** Whose deliveries: those of an app or of a hook. */
export interface SentBy {
  column: 'app_id' | 'hook_id';
  id: number;
}

/** Deliveries that were sent, newest first, from the one before the id `before` on. */
export const sentDeliveries = (
  core: Core,
  { column, id }: SentBy,
  { before, failed, limit }: { before: number; failed: boolean | undefined; limit: number },
): Delivery[] =>
  core.db.all<Delivery>(
    `SELECT * FROM deliveries WHERE ${column} = ? AND state <> 'queued' AND id < ?
     AND (status IS 'OK') IN (?, ?) ORDER BY id DESC LIMIT ?`,
    id,
    before,
    failed !== true,
    failed === false,
    limit,
  );

/** The last one that a hook sent and that was answered, or was given up. */
export const lastDelivery = (core: Core, hookId: number): Delivery | undefined =>
  core.db.one<Delivery>(
    "SELECT * FROM deliveries WHERE hook_id = ? AND state = 'done' ORDER BY id DESC LIMIT 1",
    hookId,
  );

/** Where a delivery goes, and what it says of its sender. */
export interface Target {
  url: string;
  /** What it is signed with. */
  secret: string | null;
  contentType: 'json' | 'form';
  /** Whether the certificate of an https address goes unchecked. */
  insecure: boolean;
  hookId: number;
  /** What it is installed on, in GitHub's words. */
  installedOn: { type: 'integration' | 'repository'; id: number };
}

export function targetOf(core: Core, { app_id, hook_id }: Delivery): Target {
  if (hook_id !== null) {
    const { id, url, secret, content_type, insecure_ssl, repository_id } = getHook(core, hook_id);
    const installedOn = { type: 'repository', id: repository_id } as const;
    return { url, secret, contentType: content_type, insecure: insecure_ssl === 1, hookId: id, installedOn };
  }
  const { id, webhook_url, webhook_secret } = getApp(core, present(app_id, 'the app of a delivery'));
  const installedOn = { type: 'integration', id } as const;
  return {
    url: webhook_url,
    secret: webhook_secret,
    contentType: 'json',
    insecure: false,
    hookId: id,
    installedOn,
  };
}

export const nextQueued = (core: Core, { column, id }: SentBy): Delivery | undefined =>
  core.db.one<Delivery>(
    `SELECT * FROM deliveries WHERE state = 'queued' AND ${column} = ? ORDER BY id LIMIT 1`,
    id,
  );

/** Who has something to send. */
export const queuedSenders = (core: Core): SentBy[] =>
  core.db.all<SentBy>(
    `SELECT DISTINCT iif(hook_id IS NULL, 'app_id', 'hook_id') AS "column", coalesce(hook_id, app_id) AS id
     FROM deliveries WHERE state = 'queued'`,
  );

export const findDelivery = (core: Core, id: number): Delivery | undefined =>
  core.db.one<Delivery>('SELECT * FROM deliveries WHERE id = ?', id);

export const allDeliveries = (core: Core): Delivery[] =>
  core.db.all<Delivery>('SELECT * FROM deliveries ORDER BY id');
