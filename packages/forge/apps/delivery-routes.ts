// Deliveries of an app's webhooks: the log, and sending one again.
import type { Core } from '../core.ts';
import { ApiError } from '../errors.ts';
import { perPageOf } from '../page.ts';
import { type Answer, type Call, ok } from '../route.ts';
import { type Delivery, queueDelivery, sentDeliveries } from './delivery-rows.ts';

/** GitHub's `hook-delivery-item`. */
function deliveryItem(delivery: Delivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.delivered_at ?? delivery.queued_at,
    redelivery: delivery.redelivery === 1,
    duration: delivery.duration ?? 0,
    status: delivery.status ?? 'no answer',
    status_code: delivery.status_code ?? 0,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installation_id,
    repository_id: delivery.repository_id,
    throttled_at: null,
  };
}

/** The log, newest first. It grows at its head, so that a page begins at a `cursor`: the id of the last one shown. */
export function listDeliveries({ core, query, url }: Call, appId: number): Answer {
  const before = Number(query.get('cursor') ?? Number.MAX_SAFE_INTEGER);
  if (!Number.isSafeInteger(before)) throw new ApiError(400, 'Invalid cursor');
  const size = perPageOf(query);
  const found = sentDeliveries(core, appId, { before, status: query.get('status'), limit: size + 1 });
  const shown = found.slice(0, size);
  const next = new URLSearchParams(query);
  next.set('cursor', `${shown.at(-1)?.id}`);
  const link = found.length > size && `<${url}?${next}>; rel="next"`;
  return { ...ok(shown.map(deliveryItem)), ...(link && { headers: { link } }) };
}

/** Queues the same event again under the same GUID. */
export function redeliver(core: Core, delivery: Delivery): number {
  const { app_id, guid, event, action, installation_id, repository_id, payload } = delivery;
  return queueDelivery(core, {
    app_id,
    guid,
    event,
    action,
    installation_id,
    repository_id,
    payload,
  });
}
