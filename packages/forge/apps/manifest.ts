// Apps that people register from a manifest: what GitHub's page makes of it, and the code that its credentials are got by.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { HOUR_MS } from '@echelon/ground';
import { type Core, timestamp } from '../core.ts';
import { ApiError } from '../errors.ts';
import { type App, findApp, getApp, registerApp } from './app-rows.ts';

/** docs.github.com, Registering a GitHub App from a manifest. */
export const AppManifest = z
  .object({
    name: z.string().min(1).max(34),
    url: z.url(),
    redirect_url: z.url({ protocol: /^https?$/ }),
    hook_attributes: z.object({ url: z.url(), active: z.boolean().default(true) }).optional(),
    default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).default({}),
    default_events: z.array(z.string()).default([]),
  })
  .refine(({ hook_attributes, default_events }) => hook_attributes || default_events.length === 0, {
    message: 'events need a webhook',
    path: ['default_events'],
  });
export type AppManifest = z.infer<typeof AppManifest>;

/** Registers the app. Answers the code, which is good for one hour. Throws ApiError 422 where the name is taken. */
export function registerManifest(core: Core, manifest: AppManifest): string {
  const slug = manifest.name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  if (slug === '') throw new ApiError(422, `Name ${manifest.name} has no letter or digit`);
  if (findApp(core, slug)) throw new ApiError(422, `Name ${manifest.name} is already taken`);
  const { hook_attributes: hook } = manifest;
  const app = registerApp(core, {
    slug,
    name: manifest.name,
    webhookUrl: hook?.active ? hook.url : '',
    events: manifest.default_events,
    permissions: manifest.default_permissions,
  });
  const code = randomBytes(20).toString('hex');
  const expires_at = timestamp(core.clock.now() + HOUR_MS);
  core.db.insert('manifest_codes', { code, app_id: app.id, expires_at });
  return code;
}

/** The app of a code, which is worth nothing afterwards. */
export function redeemCode(core: Core, code: string): App | undefined {
  const found = core.db.find<{ app_id: number; expires_at: string }>('manifest_codes', { code });
  core.db.remove('manifest_codes', { code });
  return found && found.expires_at > timestamp(core.clock.now()) ? getApp(core, found.app_id) : undefined;
}
