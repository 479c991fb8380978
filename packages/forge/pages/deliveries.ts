// The log of webhooks: what was sent, how it was answered, and a button to send it again.
import { jsonOf } from '@echelon/ground';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Forge } from '../forge.ts';
import type { Delivery } from '../apps/delivery-rows.ts';
import { Refusal, numberOf } from './api.ts';
import { form, type Html, pager, show, when } from './layout.ts';

/** Deliveries on one page of the log. */
const onPage = 50;

export function deliveryPages(app: Hono, forge: Pick<Forge, 'deliveries' | 'redeliver'>) {
  app.get('/deliveries', c => {
    const number = numberOf(c.req.query('page') ?? '1');
    const all = forge.deliveries().reverse();
    return show(
      c,
      'Deliveries',
      html`<h1>Webhook deliveries</h1>
${all.length === 0 ? html`<p class="empty">Nothing was sent yet.</p>` : html`<ul class="list">${all.slice((number - 1) * onPage, number * onPage).map(row)}</ul>`}
${pager('/deliveries', number, all.length > number * onPage)}`,
    );
  });

  app.get('/deliveries/:id', c => {
    const delivery = deliveryOf(forge, c.req.param('id'));
    return show(
      c,
      `Delivery ${delivery.id}`,
      html`<div class="title"><h1>${name(delivery)}</h1>${form(c, `/deliveries/${delivery.id}`, html`<button>Deliver again</button>`)}</div>
<p class="summary">${outcome(delivery)} ${delivery.guid}, queued ${when(delivery.queued_at)}${took(delivery)}</p>
${text('Request headers', delivery.request_headers)}
${text('Payload', delivery.payload)}
${text('Response headers', delivery.response_headers)}
${text('Response', delivery.response_body)}`,
    );
  });

  app.post('/deliveries/:id', async c => {
    await forge.redeliver(deliveryOf(forge, c.req.param('id')).id);
    return c.redirect('/deliveries', 303);
  });
}

/** Throws Refusal 404 when there is none of this id. */
function deliveryOf(forge: Pick<Forge, 'deliveries'>, id: string): Delivery {
  const delivery = forge.deliveries().find(each => String(each.id) === id);
  if (delivery === undefined) throw new Refusal(404, `There is no delivery ${id}.`);
  return delivery;
}

function name({ event, action, redelivery }: Delivery): string {
  return `${event}${action === null ? '' : `.${action}`}${redelivery ? ' (again)' : ''}`;
}

function took({ duration, status }: Delivery): string {
  return `${duration === null ? '' : `, took ${duration} s`}${status === null ? '' : `, ${status}`}`;
}

function row(delivery: Delivery): Html {
  return html`<li>${outcome(delivery)}<div><a class="strong" href="/deliveries/${delivery.id}">${name(delivery)}</a>
<p class="quiet">${when(delivery.queued_at)}${took(delivery)}</p></div></li>`;
}

function outcome({ state, status_code: code }: Delivery): Html {
  if (state !== 'done') return html`<span class="outcome queued">${state}</span>`;
  const good = code !== null && code >= 200 && code < 300;
  return html`<span class="outcome ${good ? 'success' : 'failure'}">${code === 0 || code === null ? 'no answer' : code}</span>`;
}

/** A text as it went over the wire; JSON is indented. */
function text(title: string, content: string | null): Html {
  if (content === null || content === '') return html``;
  return html`<h2>${title}</h2><pre class="payload">${indented(content)}</pre>`;
}

function indented(content: string): string {
  const value = jsonOf(content);
  return value === undefined ? content : JSON.stringify(value, null, 2);
}
