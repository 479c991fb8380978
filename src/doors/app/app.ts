// The GitHub App: hands what GitHub reports to its repository's context, as the installation it came from.
import { type Probot, ProbotOctokit } from 'probot';
import { messageOf, type SharedWait, systemClock } from '@echelon/ground';
import { type Event, eventOf, handleEvent, MalformedPayload, reconcile } from '../../app/app.ts';
import { caller, everyPage, PAGE } from '../../app/set-up.ts';
import { githubLimits, pace } from './github-limits.ts';
import type { Installations } from './installations.ts';
import type { Connection, RepositoryIdentity } from './open-repository.ts';

/**
 * Probot's client without blind retries: its retry plugin sends every method again, so it is off (reads are tried
 * again in github/octokit.ts). So is its throttle, which holds queries of GraphQL back like writes, and waits for a
 * limit inside a request: the run goes on later instead. The function form, because Probot lays its own throttle
 * options over an object.
 */
export const EchelonOctokit: typeof ProbotOctokit = ProbotOctokit.defaults((given: Given) => ({
  ...given,
  retry: { enabled: false },
  throttle: { enabled: false },
  // Probot has tokens made by a request of its own, which knows no address but api.github.com.
  ...(given.auth?.request &&
    given.baseUrl !== undefined && {
      auth: { ...given.auth, request: given.auth.request.defaults({ baseUrl: given.baseUrl }) },
    }),
}));

interface Given {
  baseUrl?: string;
  auth?: { request?: Octokit['request'] };
}

type Octokit = Awaited<ReturnType<Probot['auth']>>;

export type EchelonApp = ReturnType<typeof echelonApp>;

/** `paced`: writes keep the distance that GitHub advises; a local forge needs none. */
export function echelonApp(installations: Installations, probot: Probot, { paced }: { paced: boolean }) {
  const limits = githubLimits(systemClock);
  const { waitOf } = limits;
  const paces = new Map<number, ReturnType<typeof pace>>();
  /** A client of its own, whose answers tell what the installation has left. */
  const clientOf = async (installation: number) => {
    const client = await probot.auth(installation);
    if (paced) {
      const turn = paces.get(installation) ?? pace();
      paces.set(installation, turn);
      client.hook.before('request', turn);
    }
    client.hook.after('request', ({ headers }) => limits.note(installation, headers));
    client.hook.error('request', error => {
      if ('response' in error) limits.note(installation, error.response?.headers ?? {});
      throw error;
    });
    return client;
  };
  const bot = loginOf(probot);

  const contextOf = async (octokit: Octokit, place: RepositoryIdentity, installation: number) =>
    installations.repository(place, connectionOf(octokit, installation, await bot(), waitOf(installation)));

  async function reconcileInstallation(id: number, thorough: boolean) {
    const wait = waitOf(id);
    if (wait.until() !== undefined) return;
    const client = await clientOf(id);
    for (const place of await repositoriesOf(id, client, wait)) {
      // If a wait began meanwhile, the rest is done when it is over.
      if (wait.until() !== undefined) return;
      const context = await contextOf(client, place, id);
      await reconcile(context, thorough).catch(error =>
        context.report(error, `${place.owner}/${place.name}`),
      );
    }
  }

  return {
    /**
     * Does what an event asks for. `payload` is GitHub's, of the event's name (`issues`). One that nothing is done about
     * is passed over, one that lacks what GitHub always sends is logged without its words. Rejects when the work fails.
     */
    async receive(name: string, payload: unknown): Promise<void> {
      const event = readEvent(name, payload, probot.log);
      if (event?.installation === undefined) return;
      const client = await clientOf(event.installation);
      await handleEvent(await contextOf(client, event.repository, event.installation), event);
    },
    /** The login that the App writes as. Throws when GitHub does not know the App, or does not answer. */
    bot,
    /** GitHub's limits, as reported. */
    github: limits,
    /** Brings every open run up to date. Throws when the installations cannot be listed; others' failures are logged. */
    async reconcileAll(thorough: boolean): Promise<void> {
      const octokit = await probot.auth();
      const listing = octokit.paginate('GET /app/installations', { per_page: 100 });
      const listed = await listing.catch(error => {
        limits.answered(error);
        throw error;
      });
      limits.answered();
      // One that cannot be read (suspended, say) does not hold up the others.
      for (const { id } of listed)
        await reconcileInstallation(id, thorough).catch(error =>
          probot.log.error(`installation ${id}: ${messageOf(error)}`),
        );
    },
  };
}

const connectionOf = (
  octokit: Octokit,
  installationId: number,
  bot: string,
  wait: SharedWait,
): Connection => ({
  // Probot types the same client by its own copy of the library.
  client: octokit as unknown as Connection['client'],
  bot,
  wait,
  async token() {
    const made = (await octokit.auth({ type: 'installation', installationId })) as { token: string };
    return made.token;
  },
});

/** Asks GitHub for the login that the App writes as, once. */
function loginOf(probot: Probot): () => Promise<string> {
  let login: Promise<string> | undefined;
  return () => {
    login ??= probot.auth().then(async octokit => {
      const { data } = await octokit.request('GET /app');
      return `${data?.slug}[bot]`;
    });
    // A failure is told to whoever waits for it; the next one asks again.
    login.catch(() => (login = undefined));
    return login;
  };
}

function readEvent(name: string, payload: unknown, log: Probot['log']): Event | undefined {
  try {
    const event = eventOf(name, payload);
    return 'ignored' in event ? undefined : event;
  } catch (error) {
    if (!(error instanceof MalformedPayload)) throw error;
    log.warn(error.message);
    return undefined;
  }
}

async function repositoriesOf(
  installation: number,
  client: Octokit,
  wait: SharedWait,
): Promise<RepositoryIdentity[]> {
  const { read } = caller(systemClock, wait);
  const listed = await everyPage(`the repositories of installation ${installation}`, async page => {
    const { data } = await read(() =>
      client.request('GET /installation/repositories', { per_page: PAGE, page }),
    );
    return data.repositories;
  });
  return listed.map(({ owner, name, id }) => ({ owner: owner.login, name, id: Number(id) }));
}
