// Webhook deliveries as the REST API shows them.
import type { Delivery } from '../store/deliveries.ts';

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
