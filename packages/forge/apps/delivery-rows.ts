// The queue and the log of webhook deliveries, one row each.
import { randomUUID } from 'node:crypto';
import { type Core, now } from '../core.ts';

export interface Delivery {
  id: number;
  app_id: number;
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
  delivery: Pick<Delivery, 'app_id' | 'event' | 'action' | 'installation_id' | 'repository_id' | 'payload'> &
    Partial<Pick<Delivery, 'guid'>>,
): number {
  return core.db.insert('deliveries', {
    ...delivery,
    guid: delivery.guid ?? randomUUID(),
    redelivery: delivery.guid !== undefined,
    state: 'queued',
    queued_at: now(core),
  });
}

/** Deliveries of an app that were sent, newest first, from the one before the id `before` on. */
export const sentDeliveries = (
  core: Core,
  appId: number,
  { before, status, limit }: { before: number; status: string | null; limit: number },
): Delivery[] =>
  core.db.all<Delivery>(
    `SELECT * FROM deliveries WHERE app_id = ? AND state <> 'queued' AND id < ?
     AND (status IS 'OK') IN (?, ?) ORDER BY id DESC LIMIT ?`,
    appId,
    before,
    status !== 'failure',
    status === 'success',
    limit,
  );

export const nextQueued = (core: Core, appId: number): Delivery | undefined =>
  core.db.rows<Delivery>('deliveries', { state: 'queued', app_id: appId }, 'id LIMIT 1')[0];

/** The apps that have something to be sent. */
export const queuedSenders = (core: Core): number[] =>
  core.db
    .all<{ app_id: number }>("SELECT DISTINCT app_id FROM deliveries WHERE state = 'queued' AND app_id > 0")
    .map(({ app_id }) => app_id);
