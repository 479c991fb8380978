// Plays one directive by the real way: a local GitHub with the App on it, the layers, the jobs. Nobody approves anything.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import type { RepositoryContext } from '../../src/app/handlers/repository-context.ts';
import { isTesting, type RunView } from '../../src/app/comments/view.ts';
import { configPath } from '../../src/app/config/config.ts';
import type { RunNotice } from '../../src/app/run-events.ts';
import { type Local, openLocal } from '../../src/doors/cli/local.ts';
import type { Settings } from '../../src/doors/settings.ts';
import { secretsOf } from '../../src/engine/models/provider-keys.ts';
import { parseScript, type Script } from '../../src/engine/models/script.ts';
import { scriptedModel } from '../../src/engine/models/scripted.ts';
import type { ModelChoice } from '../../src/engine/runtime/open-model.ts';
import { systemClock } from '../../packages/ground/lib/clock.ts';
import { present } from '../../packages/ground/lib/present.ts';
import { git } from '../../packages/ground/workspace/git.ts';
import type { Directive } from './directives.ts';
import { hiddenFault } from './commands.ts';
import type { Said } from './roles.ts';

/** Whom the model plays: everybody, the layers up to the listing, or the engineers of one issue that is the directive. */
export type Mode = 'all' | 'roles' | 'engineer';

export interface Given {
  mode: Mode;
  model: ModelChoice;
  /** Keys of the repository's configuration. */
  config: Readonly<Record<string, unknown>>;
  settings: Pick<Settings, 'path' | 'allows'>;
  /** An empty one, for everything that is made. */
  folder: string;
  signal: AbortSignal;
  /** A line for whoever waits. */
  tell(line: string): void;
}

export interface Played {
  said: Said[];
  issues: { title: string; state: string; rounds: number }[];
  /** Reason that there was no run, or that the hidden tests failed; undefined: they passed, or were not to run. */
  fault: string | undefined;
  /** Every reply of a model, with what it used. */
  replies: Script['replies'];
  seconds: number;
}

const owner = 'you';

/** Throws the signal's reason; whatever else goes wrong is what it came to. */
export async function play(directive: Directive, given: Given): Promise<Played> {
  const { mode, model, settings, folder, signal, tell } = given;
  const began = performance.now();
  const record = join(folder, 'recorded.json');
  const local = await openLocal({
    folder: join(folder, 'forge'),
    repository: { owner, name: directive.id, from: await repositoryOf(directive, given) },
    person: owner,
    logLevel: 'silent',
    installations: {
      model: { ...model, record },
      secrets: model.provider === 'served' ? secretsOf(model.keys) : [],
      host: settings,
      test: directive.test || undefined,
      log: tell,
    },
  });
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  // Nobody may wait for it at that moment.
  stopped.catch(() => {});
  try {
    await Promise.race([local.idle(), stopped]);
    const [context] = local.installations.repositories();
    const repository = present(context, 'the repository');
    if (mode === 'engineer') handOver(directive, repository);
    const said: Said[] = [];
    local.installations.bus.on(notice => {
      if (notice.type === 'message' && mode !== 'engineer')
        said.push({ layer: notice.layer, text: notice.content });
      const line = lineOf(notice);
      if (line !== undefined) tell(line);
    });
    const number = await file(local, directive);
    const view = await settled(local, repository, number, stopped);
    const issues = (view?.issues ?? []).map(({ title, state, rounds }) => ({ title, state, rounds }));
    const fault = view
      ? mode !== 'roles' && (await faultOf(directive, view, repository, given))
      : await refusal(local, directive, number);
    const replies = await recorded(record);
    return { said, issues, fault: fault || undefined, replies, seconds: (performance.now() - began) / 1000 };
  } finally {
    await local.stopJobs();
    await local.close();
  }
}

/** The project as a git repository, with the configuration. */
async function repositoryOf({ id, project }: Directive, { folder, mode, config }: Given): Promise<string> {
  const path = join(folder, id);
  cpSync(project, path, { recursive: true, filter: from => basename(from) !== '.git' });
  const file = join(path, configPath);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, stringify({ ...config, approval: mode === 'roles' ? 'destructive' : 'none' }));
  const as = ['-c', 'user.name=you', '-c', 'user.email=you@users.noreply.github.com'];
  await git(['init', '--quiet', '--initial-branch=main'], { cwd: path });
  await git(['add', '--all'], { cwd: path });
  await git([...as, 'commit', '--quiet', '--message', 'The project as it is'], { cwd: path });
  return path;
}

/** The layers are played by a script that hands the directive over as one issue. */
function handOver({ title, body }: Directive, context: RepositoryContext): void {
  const create = { action: 'create_issues', issues: [{ title, body, domain: 'backend' }] };
  const block = (action: object) => `\`\`\`json\n${JSON.stringify(action)}\n\`\`\``;
  const replies = [
    { for: '2ic', text: 'As directed.' },
    { for: 'eng-lead', text: 'As directed.' },
    { for: 'team-lead', text: [block(create), block({ action: 'schedule' })].join('\n') },
  ];
  const script = parseScript(JSON.stringify({ version: 1, replies }), 'the layers');
  context.openModel = async played => {
    const model = scriptedModel(script, { clock: systemClock, played });
    return { model, used: () => model.used() };
  };
}

async function file({ forge }: Local, { id, title, body }: Directive): Promise<number> {
  const call = async (path: string, content: object) => {
    const answer = await forge.call(owner, 'POST', `/repos/${owner}/${id}${path}`, content);
    if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as { number: number };
  };
  const { number } = await call('/issues', { title, body });
  await call(`/issues/${number}/labels`, { labels: ['echelon'] });
  return number;
}

/** State of the run when it goes no further by itself; undefined: there is none. */
async function settled(
  local: Local,
  { views, provider }: RepositoryContext,
  number: number,
  stopped: Promise<never>,
): Promise<RunView | undefined> {
  let told = Promise.withResolvers<void>();
  const off = local.installations.bus.on(() => told.resolve());
  try {
    for (;;) {
      told = Promise.withResolvers();
      await Promise.race([local.idle(), stopped]);
      const view = views.get(number);
      const works =
        view && (isTesting(view) || view.issues.some(({ state }) => state === 'running') || provider.until());
      if (!works) return view;
      await Promise.race([told.promise, stopped]);
    }
  } finally {
    off();
  }
}

async function faultOf(
  directive: Directive,
  view: RunView,
  context: RepositoryContext,
  { model, settings, folder, signal }: Given,
): Promise<string | undefined> {
  const branches = view.issues.flatMap(({ state, branch }) =>
    state === 'done' && branch !== null ? [branch] : [],
  );
  if (branches.length === 0) return `nothing was delivered: ${whyNothing(view)}`;
  const mirror = await context.newestMirror();
  const commits = await Promise.all(branches.map(branch => mirror.resolve(branch)));
  return await hiddenFault(directive, {
    mirror,
    base: present(await mirror.resolve('main'), 'main'),
    commits: commits.map((commit, index) => present(commit, branches[index] ?? '')),
    folder: join(folder, 'hidden'),
    hostPath: settings.path,
    secretsPresent: keepsSecrets({ model, settings }),
    signal,
  });
}

const whyNothing = ({ issues, note, waitingFor }: RunView): string =>
  issues.find(({ reason }) => reason)?.reason ??
  note ??
  (waitingFor ? `the run waits for ${waitingFor}` : 'nothing was worked');

/** Reason that no run began, from the App's comment. */
async function refusal({ forge }: Local, { id }: Directive, number: number): Promise<string> {
  const { body } = await forge.call(owner, 'GET', `/repos/${owner}/${id}/issues/${number}/comments`);
  const said = (body as { body: string }[])
    .at(-1)
    ?.body.replace(/<!--.*?-->/gs, '')
    .trim();
  return `no run began: ${said ?? 'nobody says why'}`;
}

/** True if code of a model must not see a key, and the operator has not waived that. */
export const keepsSecrets = ({ model, settings }: Pick<Given, 'model' | 'settings'>): boolean =>
  model.provider === 'served' && !settings.allows.isolationNone;

/** No file: nobody was asked. */
async function recorded(path: string): Promise<Script['replies']> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? [] : parseScript(text, path).replies;
}

function lineOf(notice: RunNotice): string | undefined {
  switch (notice.type) {
    case 'message':
      return `${notice.layer} replied`;
    case 'slot_changed':
      return `#${notice.issue} is ${notice.to}${notice.reason ? `: ${notice.reason}` : ''}`;
    case 'error':
      return `${notice.where} failed: ${notice.message}`;
    default:
      return undefined;
  }
}
