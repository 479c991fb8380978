// Serves the local forge with the App on it, and its pages.
import { digest } from '@echelon/ground';
import { table } from '../../app/commands/table.ts';
import { quickReplies } from '../../app/comments/quick-replies.ts';
import { anyKey } from '../../engine/models/provider-keys.ts';
import { type Forge, pages } from '@echelon/forge';
import type { AppCredentials } from '../app/server-settings.ts';
import type { Installations } from '../app/installations.ts';
import { issueRuns } from './issue-runs/issue-runs.ts';
import { bot, openLocal } from './local.ts';
import { person, repositoryName } from './own-repository.ts';
import { directiveIn, sampleDirective, sampleRepository } from './sample.ts';
import { RECONCILE_MS, type Running, type ServePlan, appNeedsModel } from './serve-plan.ts';
import { setupPages } from './setup-pages.ts';

/** `registered`: the App is on GitHub now, and is to be served in the place of this. */
export async function serveForge(
  { parts, data, port, repo, fresh, server: { logLevel, host, api, webhookProxy } }: ServePlan,
  registered: (app: AppCredentials) => void,
): Promise<Running> {
  const name = repositoryName(repo);
  const scripted = parts.model.provider === 'scripted';
  const banner = scripted
    ? `The scripted model is playing: replies come from a file that fits the sample only. Open an issue from the sample's examples; set ${anyKey} and start again to work for real, with npm start -- --repo FOLDER on a repository of your own.`
    : undefined;
  let installations: Installations | undefined;
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
      const missing = scripted ? `${appNeedsModel}: set it, and start again` : undefined;
      const setup = setupPages({
        ...{ api, data, webhookProxy, missing },
        registered(app, install) {
          console.log(`install the App on a repository: ${install}`);
          console.log(`the next start is this App again with --data ${data}`);
          registered(app);
        },
      });
      const also = { name: 'Register on GitHub', path: '/setup', pages: setup };
      const fits = { repository: `${person}/${name}`, labels: 'echelon', ...directiveIn(sampleDirective()) };
      const examples = repo ? [] : [fits];
      return pages(forge, {
        ...{ actor: person, key: pageKey(forge), also, examples, ...(banner && { banner }) },
        commands: table,
        issueRuns: issueRuns(() => installations?.repositories() ?? [], forge.changes),
        quickReplies: thread => quickReplies(thread.map(each => ({ ...each, byBot: each.author === bot }))),
      });
    },
  });
  installations = local.installations;
  const at = local.forge.url.replace('127.0.0.1', 'localhost');
  console.log(
    `the local forge is at ${at}${repo || fresh ? `/${person}/${name}` : '/'}?key=${pageKey(local.forge)}`,
  );
  console.log(`its API is at ${at}/api/v3, the token of ${person} is ${local.forge.tokenFor(person)}`);
  console.log(
    'open an issue, put the label echelon on it, and approve when asked; the pages renew themselves',
  );
  console.log(`to register the App on GitHub: ${at}/setup?key=${pageKey(local.forge)}`);
  if (banner) console.log(banner);
  return {
    port: Number(new URL(local.forge.url).port || 80),
    pace: () => RECONCILE_MS,
    reconcile: thorough => local.webhooks.reconcileAll(thorough),
    close: () => local.close(),
  };
}

/** Opens the pages; the same after a restart, known only to who sees what is printed. */
const pageKey = (forge: Forge) => digest(`pages ${forge.tokenFor(person)}`).slice(0, 32);
