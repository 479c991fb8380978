// Options of `npm start`, all checked before anything is created.
import { anyKey, hasKey, secretsOf } from '../../engine/models/provider-keys.ts';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ModelChoice } from '../../engine/models.ts';
import type { OperatorOptions } from '../app/open-repository.ts';
import { keptCredentials } from '../app/registration.ts';
import { portOf, readServerSettings, type ServerSettings } from '../app/server-settings.ts';
import type { Settings } from '../settings.ts';
import { envFileOption, newFile, type OptionSpec, type Parsed, recordOption, textOf } from './options.ts';
import { person, repositoryName, repositoryProblem, scriptToPlay } from './own-repository.ts';
import { forgeProblem } from './product-repository.ts';

export const serveOptions = {
  port: { type: 'string', value: 'number', help: 'port to listen on (default: PORT, or 3000)' },
  data: {
    type: 'string',
    value: 'folder',
    help: 'folder of forge, mirrors and jobs (default: .echelon in your home)',
  },
  repo: { type: 'string', value: 'path', help: 'a local git repository for the forge (default: the sample)' },
  script: {
    type: 'string',
    value: 'file',
    help: "replies for the scripted model, used without a key (default: the sample's)",
  },
  record: recordOption,
  test: { type: 'string', value: 'command', help: 'the test command, if the guess is wrong' },
  env: envFileOption,
  debug: { type: 'boolean', help: 'stack traces' },
} as const satisfies Record<string, OptionSpec>;

export interface ServePlan {
  server: ServerSettings;
  parts: OperatorOptions;
  data: string;
  port: number;
  /** A repository of the user's own for the forge. */
  repo: string | undefined;
  /** No repository was kept in the forge. */
  fresh: boolean;
}

/** Between two looks at open runs where webhooks tell of what happens (milliseconds). */
export const RECONCILE_MS = 60_000;

/** A running server. */
export interface Running {
  port: number;
  /** Milliseconds until open runs are to be looked at again, whether or not an event comes. */
  pace(): number;
  /** Looks at open runs; `thorough`: also at those that wait or are over. */
  reconcile(thorough: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The plan of what to serve, or all problems with the options. Creates nothing. */
export async function planServe(
  given: Parsed,
  settings: Settings,
): Promise<{ problems: string[] } | ServePlan> {
  const { values, problems } = given;
  const text = (name: keyof typeof serveOptions) => textOf(given, name);
  const named = text('data');
  // The folder that this is started in may be somebody else's clone, and bring a forge, mirrors and credentials along.
  const data = resolve(named ?? join(settings.home, '.echelon'));
  if (named === undefined && resolve('.echelon') !== data && existsSync('.echelon'))
    console.error('.echelon is not read; --data .echelon serves what is kept there');
  const read = readServerSettings();
  // Credentials in the environment go before those that a registration has left.
  const server = { ...read, app: read.app ?? keptCredentials(data) };
  const absent = server.app ? undefined : forgeProblem();
  if (absent) problems.push(`without the credentials of an App: ${absent}`);
  const wanted = text('port');
  const port = wanted === undefined ? (server.port ?? 3000) : portOf(wanted);
  if (port === undefined) problems.push(`--port ${wanted}: not a port`);
  const repo = text('repo') && resolve(text('repo')!);
  const repoProblem = repo && (await repositoryProblem(repo));
  if (repoProblem) problems.push(`--repo ${text('repo')}: ${repoProblem}`);
  if (repo && server.app)
    problems.push(
      `--repo goes without the credentials of an App: those work on GitHub${read.app ? '' : `, and --data ${data} holds some`}`,
    );
  // A forge that was kept may hold more than the sample.
  const fresh = holdsNone(join(data, 'forge', 'git'));
  const kept = fresh ? undefined : `the repository that --data ${data} holds`;
  const model = modelOf(text('script'), repo ? '--repo' : kept, settings, server);
  if ('problem' in model) problems.push(model.problem);
  const record = newFile('--record', text('record'), problems);
  if (problems.length > 0 || 'problem' in model || port === undefined) return { problems };
  const parts = {
    model: { ...model, record },
    secrets: secretsOf(settings.providers),
    host: settings,
    caps: server.caps,
    test: text('test')?.trim(),
    log: (line: string) => console.error(line),
    debug: values['debug'] === true,
  };
  return { server, parts, data, port, repo, fresh };
}

export const appNeedsModel = `the App needs ${anyKey} in the environment`;

/** True if a folder of `<owner>/<name>.git` has no repository, or only the sample that a start left unfinished. */
function holdsNone(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const names = readdirSync(folder).flatMap(owner =>
    readdirSync(join(folder, owner)).map(name => `${owner}/${name}`),
  );
  return names.every(name => name === `${person}/${repositoryName(undefined)}.git`);
}

/**
 * A real one with a key; else the script, the sample's where only the sample is served. `own`: what is served besides,
 * as the user knows it.
 */
function modelOf(
  script: string | undefined,
  own: string | undefined,
  settings: Settings,
  server: ServerSettings,
): ModelChoice | { problem: string } {
  if (hasKey(settings.providers)) return { provider: 'served', keys: settings.providers };
  if (server.app) return { problem: appNeedsModel };
  const remedy = `${anyKey} in the environment, or --script <file>`;
  return scriptToPlay(script, { own, remedy });
}
