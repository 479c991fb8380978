// Webhook deliveries as the REST API shows them.
import type { Core } from '../core.ts';
import { type Delivery, targetOf } from '../store/deliveries.ts';

/** GitHub's `hook-delivery-item`. */
export function deliveryItem(delivery: Delivery) {
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

/** GitHub's `hook-delivery`. */
export function deliveryJson(core: Core, delivery: Delivery) {
  const object = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return {
    ...deliveryItem(delivery),
    url: targetOf(core, delivery).url,
    request: { headers: object(delivery.request_headers), payload: object(delivery.payload) },
    response: { headers: object(delivery.response_headers), payload: delivery.response_body },
  };
}
