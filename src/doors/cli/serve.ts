// `npm start`: with an App's credentials the App for GitHub, without them the local forge with the App on it and its pages.
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import type { Forge } from '../../forge/forge.ts';
import { digest } from '../../lib/json.ts';
import type { OperatorOptions } from '../app/open-repository.ts';
import type { ModelChoice } from '../../engine/runtime/open-model.ts';
import { InUse, lock } from '../../workspace/lock.ts';
import { type OptionSpec, optionsHelp, readOptions } from './options.ts';
import { repositoryName, repositoryProblem, scriptToPlay } from './own-repository.ts';
import { derivedKey, portOf, readServerSettings, type ServerSettings } from '../app/server-settings.ts';
import type { Settings } from '../settings.ts';
import { sampleRepository } from './sample.ts';

const options = {
  port: { type: 'string', value: 'number', help: 'where to listen (default 3000, or PORT)' },
  data: {
    type: 'string',
    value: 'folder',
    help: 'where the forge, mirrors and jobs are kept (default .echelon)',
  },
  repo: { type: 'string', value: 'path', help: 'a local git repository for the forge (default: the sample)' },
  script: {
    type: 'string',
    value: 'file',
    help: 'replies for the scripted model, where ANTHROPIC_API_KEY is not set (default: for the sample)',
  },
  test: { type: 'string', value: 'command', help: 'the test command, when the guess is wrong' },
  debug: { type: 'boolean', help: 'stack traces' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies Record<string, OptionSpec>;

const help = `Usage: npm start -- [options]      (or: npx echelon serve [options])

With APP_ID, PRIVATE_KEY and WEBHOOK_SECRET in the environment: the GitHub App, webhooks at /api/github/webhooks.
Without them: a local GitHub with the App on it, with pages to read, label, comment and review, at
http://localhost:3000. ANTHROPIC_API_KEY makes the models real; without it a script plays the sample's story. A
repository of your own needs the key, or --script.

${optionsHelp(options)}`;

const person = 'you';
/** How often open runs are looked at, whether or not an event came (milliseconds). */
const RECONCILE_MS = 60_000;
/** Every so many times also runs that wait or are over. */
const THOROUGH = 10;

export async function serve(argv: string[], settings: Settings): Promise<number> {
  const planned = await planServe(argv, settings);
  if ('help' in planned) {
    console.log(help);
    return 0;
  }
  if ('problems' in planned) {
    for (const problem of planned.problems) console.error(problem);
    console.error('\nnpm start -- --help lists the options.');
    return 2;
  }
  const { server, parts, data, port, repo } = planned.plan;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  let unlock: () => void;
  try {
    unlock = lock(join(data, 'lock'), `--data ${data}`);
  } catch (error) {
    if (!(error instanceof InUse)) throw error;
    console.error(error.message);
    return 2;
  }
  try {
    const running = server.app
      ? await serveApp(settings, server.app, server, parts, data, port)
      : await serveForge(server, parts, data, port, repo);
    await untilEnded(running, parts.log);
  } finally {
    unlock();
  }
  return 0;
}

interface ServePlan {
  server: ServerSettings;
  parts: OperatorOptions;
  data: string;
  port: number;
  repo: string | undefined;
}

/** What is to be served, or every problem with the options; nothing is made yet. */
async function planServe(
  argv: string[],
  settings: Settings,
): Promise<{ help: true } | { problems: string[] } | { plan: ServePlan }> {
  const { values, positionals, problems } = readOptions(argv, options);
  if (values['help']) return { help: true };
  for (const word of positionals) problems.push(`unexpected argument ${word}`);
  const server = readServerSettings();
  const given = values['port'];
  const port = typeof given === 'string' ? portOf(given) : (server.port ?? 3000);
  if (port === undefined) problems.push(`--port ${given}: not a port`);
  const repo = typeof values['repo'] === 'string' ? resolve(values['repo']) : undefined;
  const repoProblem = repo && (await repositoryProblem(repo));
  if (repoProblem) problems.push(`--repo ${values['repo']}: ${repoProblem}`);
  if (repo && server.app)
    problems.push('--repo goes without the credentials of an App: those work on GitHub');
  const data = resolve(typeof values['data'] === 'string' ? values['data'] : '.echelon');
  // A forge that was kept may hold more than the sample.
  const kept = holdsNone(join(data, 'forge', 'git')) ? undefined : `the repository that --data ${data} holds`;
  const model = modelOf(values['script'], repo ? '--repo' : kept, settings, server);
  if ('problem' in model) problems.push(model.problem);
  if (problems.length > 0 || 'problem' in model || port === undefined) return { problems };
  const parts = {
    model,
    secrets: [settings.anthropic.apiKey, server.app?.privateKey, server.app?.secret].filter(
      each => each !== undefined,
    ),
    host: settings,
    caps: server.caps,
    test: typeof values['test'] === 'string' ? values['test'].trim() : undefined,
    log: (line: string) => console.error(line),
    debug: values['debug'] === true,
  };
  return { plan: { server, parts, data, port, repo } };
}

/** Looks at open runs now and then, until the process is to end; closes what runs then. */
async function untilEnded(running: Running, log: (line: string) => void): Promise<void> {
  let tick = 0;
  const timer = setInterval(
    () => void running.reconcile(++tick % THOROUGH === 0).catch(error => log(`reconcile: ${String(error)}`)),
    RECONCILE_MS,
  );
  await new Promise<void>(done => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => done());
  });
  clearInterval(timer);
  console.log('stopping; jobs that run go on and are found again at the next start');
  await running.close();
}

interface Running {
  reconcile(thorough: boolean): Promise<void>;
  close(): Promise<void>;
}

async function serveForge(
  { logLevel }: ServerSettings,
  parts: OperatorOptions,
  data: string,
  port: number,
  repo: string | undefined,
): Promise<Running> {
  const name = repositoryName(repo);
  const fresh = holdsNone(join(data, 'forge', 'git'));
  const scripted = parts.model.provider === 'scripted';
  const banner = scripted
    ? 'The scripted model is playing: replies come from a file that fits the sample only. Set ANTHROPIC_API_KEY to work for real.'
    : undefined;
  const [{ openLocal }, { pages }] = await Promise.all([
    import('./local.ts'),
    import('../../forge/pages/pages.ts'),
  ]);
  const local = await openLocal({
    folder: data,
    port,
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

async function serveApp(
  settings: Settings,
  app: NonNullable<ServerSettings['app']>,
  { logLevel }: ServerSettings,
  parts: OperatorOptions,
  data: string,
  port: number,
): Promise<Running> {
  const { openInstallations } = await import('../app/installations.ts');
  const installations = openInstallations({
    ...parts,
    secretsPresent: true,
    secrets: [...parts.secrets, ...settings.stateKeys.map(key => new TextDecoder().decode(key))],
    data,
    keys: settings.stateKeys.length > 0 ? settings.stateKeys : [derivedKey(app.privateKey)],
    web:
      app.baseUrl === 'https://api.github.com' ? 'https://github.com' : app.baseUrl.replace(/\/api\/v3$/, ''),
  });
  const { openWebhooks, webhookPath } = await import('../app/webhooks.ts');
  const webhooks = await openWebhooks(installations, app, { paced: true, logLevel });
  const bot = await webhooks.bot().catch(error => {
    throw new Error(refusedBy(app.baseUrl, error), { cause: error });
  });
  const server = createServer(requestLimits, (request, response) => {
    if (!webhooks.take(request, response))
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
  });
  console.log(`the App, ${bot}, listens on ${await listen(server, port)}; webhooks go to ${webhookPath}`);
  installations.track(webhooks.reconcileAll(true));
  return {
    reconcile: thorough => webhooks.reconcileAll(thorough),
    async close() {
      await installations.close();
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

function refusedBy(address: string, error: unknown): string {
  const { status, message } = error as { status?: number; message: string };
  return status === undefined || status >= 500
    ? `GitHub does not answer at ${address}: ${message}`
    : `GitHub at ${address} does not take APP_ID with PRIVATE_KEY: ${status} ${message}`;
}

/** Whether a folder of `<owner>/<name>.git` has no repository, or only the sample that a start was making. */
function holdsNone(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const names = readdirSync(folder).flatMap(owner =>
    readdirSync(join(folder, owner)).map(name => `${owner}/${name}`),
  );
  return names.every(name => name === `${person}/sample.git`);
}

/** Answers the port, which is another than 0. */
/** Milliseconds for the head of a request and for all of it, and between two looks at who takes longer. */
const requestLimits = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 5_000 };

/** Listens on every address, as webhooks come from elsewhere; answers where, as people read it. */
async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, done);
  });
  const at = server.address();
  if (at === null || typeof at === 'string') return at ?? `port ${port}`;
  return `${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}, every address of this machine`;
}

/**
 * A real one with a key; else the script, the sample's where only the sample is served. `own`: what is served besides,
 * as the user knows it.
 */
function modelOf(
  script: string | true | undefined,
  own: string | undefined,
  settings: Settings,
  server: ServerSettings,
): ModelChoice | { problem: string } {
  const { apiKey, baseUrl } = settings.anthropic;
  if (apiKey) return { provider: 'anthropic', apiKey, baseUrl };
  if (server.app) return { problem: 'the App needs ANTHROPIC_API_KEY in the environment' };
  const remedy = 'ANTHROPIC_API_KEY in the environment, or --script <file>';
  return scriptToPlay(typeof script === 'string' ? script : undefined, { own, remedy });
}
