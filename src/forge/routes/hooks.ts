// Webhooks of a repository. Only its admins set them, and deliveries go to the addresses they set and no further.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { openHook, pingHook, testHook } from '../changes/hooks.ts';
import { now } from '../core.ts';
import { invalid, invalidField, notFound } from '../errors.ts';
import { pageOf } from '../page.ts';
import { hookConfig, hookJson, masked } from '../render/hook.ts';
import {
  created,
  noContent,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  readBy,
  type WriteCall,
  write,
} from '../route.ts';
import { eventsOfHook, findHook, getHook, type Hook, hooksOf } from '../store/hooks.ts';
import { attemptAgain, listDeliveries, showDelivery } from './deliveries.ts';
import { isEvent } from './hook-events.ts';

/** GitHub's limit of hooks that hear of one event. */
const mostHooks = 20;

const config = z.object({
  url: z.string().max(2048).optional(),
  content_type: z.enum(['json', 'form']).optional(),
  secret: z.string().max(1024).nullish(),
  insecure_ssl: z.union([z.enum(['0', '1']), z.literal(0), z.literal(1)]).optional(),
});
const events = z.array(z.string()).max(200);
const newHook = z.object({
  name: z.literal('web').optional(),
  config,
  events: events.default(['push']),
  active: z.boolean().default(true),
});
const hookChange = z.object({
  config: config.optional(),
  events: events.optional(),
  add_events: events.optional(),
  remove_events: events.optional(),
  active: z.boolean().optional(),
});

type Settings = Pick<Hook, 'url' | 'content_type' | 'secret' | 'insecure_ssl'>;

/** The columns of a configuration of `self`; what it leaves out is as `before`. 422 for an address that is none. */
function settingsOf(asked: z.infer<typeof config>, before?: Settings, self = before): Settings {
  const url = asked.url ?? before?.url;
  if (url === undefined) throw invalidField('Hook', 'url', 'missing_field');
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (!/^https?:$/.test(protocol)) throw invalid('Hook', 'Sorry, the url is not a valid URL', 'url');
  // What was read and is written back stands for the secret that is there.
  const kept =
    asked.secret === undefined ? before?.secret : asked.secret === masked ? self?.secret : asked.secret;
  const secret = kept || null;
  return {
    url,
    content_type: asked.content_type ?? before?.content_type ?? 'form',
    secret,
    insecure_ssl: Number(asked.insecure_ssl ?? before?.insecure_ssl ?? 0),
  };
}

function checked(asked: string[]): string {
  const named = [...new Set(asked)].sort();
  const unknown = named.find(event => event !== '*' && !isEvent(event));
  if (named.length === 0) throw invalid('Hook', 'At least one event must be named', 'events');
  if (unknown !== undefined) throw invalid('Hook', `${JSON.stringify(unknown)} is not an event`, 'events');
  return JSON.stringify(named.includes('*') ? ['*'] : named);
}

/** 422 for a hook like another one of the repository. */
function checkTwins(call: WriteCall, hook: Pick<Hook, 'url' | 'content_type' | 'events'>, self?: Hook): void {
  const others = hooksOf(call.core, call.repository.id).filter(({ id }) => id !== self?.id);
  const same = others.some(
    ({ url, content_type, events: wanted }) =>
      url === hook.url && content_type === hook.content_type && wanted === hook.events,
  );
  if (same) throw invalid('Hook', 'Hook already exists on this repository');
  if (others.length >= mostHooks)
    throw invalid('Hook', `A repository cannot have more than ${mostHooks} hooks`);
}

function hookOf({ core, repository, params }: RepositoryCall): Hook {
  const hook = findHook(core, Number(params['hook_id']));
  if (hook?.repository_id !== repository.id) throw notFound();
  return hook;
}

const show = (call: RepositoryCall, hook: Hook) => hookJson(call.core, call.repository, hook);

function create(call: WriteCall) {
  const input = parse(call, 'Hook', newHook);
  const hook = { ...settingsOf(input.config), events: checked(input.events), active: Number(input.active) };
  checkTwins(call, hook);
  return created(show(call, openHook(call.core, call.by, call.repository, hook)));
}

function update(call: WriteCall, hook: Hook, row: Partial<Omit<Hook, 'id'>>): Hook {
  checkTwins(call, { ...hook, ...row }, hook);
  call.core.db.update('hooks', hook.id, { ...row, updated_at: now(call.core) });
  return getHook(call.core, hook.id);
}

/** A configuration that is sent takes the place of the whole one: a secret that it leaves out is gone. */
function change(call: WriteCall) {
  const hook = hookOf(call);
  const input = parse(call, 'Hook', hookChange);
  const wanted = [...(input.events ?? eventsOfHook(hook)), ...(input.add_events ?? [])];
  const next = update(call, hook, {
    ...(input.config && settingsOf(input.config, { ...hook, secret: null }, hook)),
    events: checked(wanted.filter(event => !input.remove_events?.includes(event))),
    active: input.active === undefined ? hook.active : Number(input.active),
  });
  return ok(show(call, next));
}

const reader: Need = { role: 'admin', scopes: ['repository_hooks:read'] };
const writer: Need = { role: 'admin', scopes: ['repository_hooks:write'] };

/** The deliveries of the path's hook. */
const sent = (call: RepositoryCall) => ({ column: 'hook_id', id: hookOf(call).id }) as const;

export const hookRoutes: Route[] = [
  readBy(reader, '/hooks', call =>
    pageOf(
      call,
      hooksOf(call.core, call.repository.id).map(hook => show(call, hook)),
    ),
  ),
  write('POST', '/hooks', writer, create),
  readBy(reader, '/hooks/{hook_id}', call => ok(show(call, hookOf(call)))),
  write('PATCH', '/hooks/{hook_id}', writer, change),
  write('DELETE', '/hooks/{hook_id}', writer, call => {
    call.core.db.run('DELETE FROM hooks WHERE id = ?', hookOf(call).id);
    return noContent();
  }),
  readBy(reader, '/hooks/{hook_id}/config', call => ok(hookConfig(hookOf(call)))),
  write('PATCH', '/hooks/{hook_id}/config', writer, call => {
    const hook = hookOf(call);
    return ok(hookConfig(update(call, hook, settingsOf(parse(call, 'Hook', config), hook))));
  }),
  write('POST', '/hooks/{hook_id}/pings', writer, call => {
    pingHook(call.core, call.by, call.repository, hookOf(call));
    return noContent();
  }),
  write('POST', '/hooks/{hook_id}/tests', writer, async call => {
    await testHook(call.core, call.by, call.repository, hookOf(call));
    return noContent();
  }),
  readBy(reader, '/hooks/{hook_id}/deliveries', call => listDeliveries(call, sent(call))),
  readBy(reader, '/hooks/{hook_id}/deliveries/{delivery_id}', call => showDelivery(call, sent(call))),
  write('POST', '/hooks/{hook_id}/deliveries/{delivery_id}/attempts', writer, call =>
    attemptAgain(call, sent(call)),
  ),
];
