// Serves the local forge with the App on it, and its pages.
import type { Forge } from '../../forge/forge.ts';
import { pages } from '../../forge/pages/pages.ts';
import { digest } from '../../lib/json.ts';
import { openLocal } from './local.ts';
import { person, repositoryName } from './own-repository.ts';
import { sampleRepository } from './sample.ts';
import type { Running, ServePlan } from './serve-plan.ts';

export async function serveForge({
  parts,
  data,
  port,
  repo,
  fresh,
  server: { logLevel, host },
}: ServePlan): Promise<Running> {
  const name = repositoryName(repo);
  const scripted = parts.model.provider === 'scripted';
  const banner = scripted
    ? 'The scripted model is playing: replies come from a file that fits the sample only. Set ANTHROPIC_API_KEY to work for real.'
    : undefined;
  const local = await openLocal({
    folder: data,
    port,
    ...(host && { host }),
    // A forge that was kept shows what it has; a new one gets the sample.
    repository:
      repo || fresh ? { owner: person, name, from: repo ?? (await sampleRepository(data)) } : undefined,
    person,
    logLevel,
    installations: parts,
    pages: forge => {
      // The key comes from the person's token, so the person must be there first.
      forge.addUser(person);
      return pages(forge, { actor: person, key: pageKey(forge), ...(banner && { banner }) });
    },
  });
  const at = local.forge.url.replace('127.0.0.1', 'localhost');
  console.log(
    `the local forge is at ${at}${repo || fresh ? `/${person}/${name}` : '/'}?key=${pageKey(local.forge)}`,
  );
  console.log(`its API is at ${at}/api/v3, the token of ${person} is ${local.forge.tokenFor(person)}`);
  console.log(`open an issue, put the label echelon on it, and comment /approve when asked`);
  if (banner) console.log(banner);
  return { reconcile: thorough => local.webhooks.reconcileAll(thorough), close: () => local.close() };
}

/** Opens the pages; the same after a restart, known only to who sees what is printed. */
const pageKey = (forge: Forge) => digest(`pages ${forge.tokenFor(person)}`).slice(0, 32);
