// The page on which a person registers an app that another site has sent the manifest of, as on GitHub.
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { AppManifest } from '../changes/manifest.ts';
import { ApiError } from '../errors.ts';
import type { Forge } from '../forge.ts';
import { Refusal } from './api.ts';
import { allowFormsTo } from './guard.ts';
import { form, show } from './layout.ts';
import { field } from './request.ts';

/** Where other sites send manifests; that page only asks. */
export const newAppPath = /^(\/organizations\/[\w-]+)?\/settings\/apps\/new$/;

export function newAppPages(forge: Pick<Forge, 'registerManifest'>) {
  const app = new Hono();

  const ask = async (c: Context) => {
    const text = await field(c, 'manifest');
    const manifest = manifestIn(text);
    const state = c.req.query('state') ?? '';
    const hook = manifest.hook_attributes?.url ?? 'none';
    allowFormsTo(c, new URL(manifest.redirect_url).origin);
    return show(
      c,
      'Create GitHub App',
      html`<h1>Create GitHub App</h1>
${form(
  c,
  '/settings/apps/create',
  html`<input type="hidden" name="manifest" value="${text}"><input type="hidden" name="state" value="${state}">
<p><label>Name <input name="name" value="${manifest.name}" maxlength="34" required></label></p>
<p class="quiet">Webhook: ${hook}. It may: ${Object.entries(manifest.default_permissions)
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ')}.</p>
<p><button type="submit">Create GitHub App for me</button></p>`,
)}`,
    );
  };
  app.post('/settings/apps/new', ask);
  app.post('/organizations/:organization/settings/apps/new', ask);

  app.post('/settings/apps/create', async c => {
    const manifest = manifestIn(await field(c, 'manifest'));
    try {
      const code = forge.registerManifest({ ...manifest, name: await field(c, 'name') });
      const back = new URL(manifest.redirect_url);
      back.searchParams.set('code', code);
      back.searchParams.set('state', await field(c, 'state'));
      return c.redirect(back.href, 302);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new Refusal(error.status, error.message);
    }
  });

  return app;
}

function manifestIn(text: string): AppManifest {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Refusal(422, `The manifest is no JSON: ${(error as Error).message}`);
  }
  const read = AppManifest.safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Refusal(422, `The manifest is not one of an App: ${problems.join('; ')}`);
}
