// Options of the demo, all checked before anything is created.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '@echelon/ground';
import { checkGit } from '@echelon/ground/workspace';
import type { ModelChoice } from '../../engine/models.ts';
import { newFile, type OptionSpec, type Parsed, recordOption, textOf } from './options.ts';
import { repositoryName, repositoryProblem, scriptToPlay } from './own-repository.ts';
import { forgeProblem } from './product-repository.ts';
import { readStory, type Story, directiveIn, sampleDirective } from './sample.ts';
import type { Settings } from '../settings.ts';

export const demoOptions = {
  repo: {
    type: 'string',
    value: 'path',
    help: 'a local git repository instead of the sample; it is cloned, not changed',
  },
  title: { type: 'string', value: 'text', help: 'title of the directive' },
  body: { type: 'string', value: 'text', help: 'body of the directive' },
  directive: {
    type: 'string',
    value: 'text',
    help: 'title (the first line) and body',
  },
  script: { type: 'string', value: 'file', help: 'replies for the scripted model' },
  record: recordOption,
  story: {
    type: 'string',
    value: 'name',
    help: 'what people do: review, merge (conflicts, red checks) or trouble (things go wrong)',
  },
  model: {
    type: 'string',
    one: ['anthropic', 'scripted'],
    help: 'anthropic needs ANTHROPIC_API_KEY',
  },
  approve: {
    type: 'string',
    one: ['auto', 'ask'],
    help: 'who approves: the demo (auto, default) or you',
  },
  via: {
    type: 'string',
    one: ['app', 'actions'],
    help: 'who works: the App (default), or workflows as on GitHub Actions',
  },
  test: { type: 'string', value: 'command', help: 'the test command, if the guess is wrong' },
  keep: {
    type: 'string',
    value: 'folder',
    help: 'keep forge and clones in this empty or new folder',
  },
  json: { type: 'boolean', help: 'print the outcome as JSON, as the last line' },
  debug: { type: 'boolean', help: 'print every event, and stack traces' },
} as const satisfies Record<string, OptionSpec>;

export interface DemoPlan {
  via: 'app' | 'actions';
  /** Undefined: the sample. */
  repo: string | undefined;
  name: string;
  title: string;
  body: string;
  model: ModelChoice;
  /** Acts of people after the directive; none: they only approve. */
  acts: Story['acts'];
  /** Laid over the sample's, by path. */
  files: Story['files'];
  approve: 'auto' | 'ask';
  test: string | undefined;
  keep: string | undefined;
  json: boolean;
  debug: boolean;
}

/** The plan, or every problem with the options; nothing is made yet. */
export async function planDemo(
  given: Parsed,
  settings: Settings,
  interactive: boolean,
): Promise<{ problems: string[] } | DemoPlan> {
  const { values, problems } = given;
  const text = (name: keyof typeof demoOptions) => textOf(given, name);
  const absent = forgeProblem();
  if (absent) problems.push(absent);
  const gitProblem = await checkGit().then(() => undefined, messageOf);
  if (gitProblem) problems.push(gitProblem);

  const repo = text('repo') && resolve(text('repo')!);
  const repoProblem = repo && !gitProblem ? await repositoryProblem(repo) : undefined;
  if (repoProblem) problems.push(`--repo ${text('repo')}: ${repoProblem}`);
  const keep = text('keep') && resolve(text('keep')!);
  if (keep && existsSync(keep) && (!statSync(keep).isDirectory() || readdirSync(keep).length > 0))
    problems.push(`--keep ${text('keep')}: exists and is not an empty folder`);

  const directive = directiveOf(text('directive'), text('title'), text('body'), repo !== undefined, problems);
  const model = modelOf(text('script'), text('model'), repo !== undefined, settings, problems);
  const own = text('script') ?? repo ?? text('directive') ?? text('title');
  const story = storyOf(text('story'), model, own, problems);
  const record = newFile('--record', text('record'), problems);
  if (record && text('via') === 'actions')
    problems.push('--record goes without --via actions: those jobs get nothing of this machine');
  const approve = text('approve') === 'ask' ? 'ask' : 'auto';
  if (approve === 'ask' && !interactive) problems.push('--approve ask needs a terminal to ask on');
  if (problems.length > 0 || !directive || !story) return { problems };
  const { directive: ofStory, ...played } = story;
  return {
    repo,
    name: repositoryName(repo),
    ...(ofStory ?? directive),
    ...{ ...played, model: { ...played.model, record } },
    approve,
    via: text('via') === 'actions' ? 'actions' : 'app',
    test: text('test')?.trim(),
    keep,
    json: values['json'] === true,
    debug: values['debug'] === true,
  };
}

function directiveOf(
  whole: string | undefined,
  title: string | undefined,
  body: string | undefined,
  ownRepository: boolean,
  problems: string[],
): { title: string; body: string } | undefined {
  if (whole !== undefined && (title !== undefined || body !== undefined))
    problems.push('--directive goes without --title and --body');
  if (whole === undefined && title === undefined && body !== undefined) problems.push('--body needs --title');
  const text = whole ?? (title !== undefined ? `${title}\n${body ?? ''}` : undefined);
  if (text === undefined && ownRepository) {
    problems.push('--repo needs a directive: --title <text> and --body <text>, or --directive <text>');
    return undefined;
  }
  const { title: heading, body: content } = directiveIn(text ?? sampleDirective());
  if (heading === '') problems.push('the directive has no title');
  else if (heading.length > 256)
    problems.push(`the title has ${heading.length} characters; at most 256 are possible`);
  if (content.length > 65_536)
    problems.push(`the body has ${content.length} characters; at most 65536 are possible`);
  return { title: heading, body: content };
}

/** `own`: what of somebody's own would be played, which no story of the sample fits. */
function storyOf(
  name: string | undefined,
  model: ModelChoice | undefined,
  own: string | undefined,
  problems: string[],
): Story | undefined {
  if (!model || name === undefined) return model && { model, acts: [], files: {}, directive: undefined };
  const isSample = model.provider === 'scripted' && own === undefined;
  const read = isSample
    ? readStory(name, model)
    : { problem: "it fits the sample's own repository, directive and script only" };
  if (!('problem' in read)) return read;
  problems.push(`--story ${name}: ${read.problem}`);
  return undefined;
}

function modelOf(
  file: string | undefined,
  name: string | undefined,
  ownRepository: boolean,
  settings: Settings,
  problems: string[],
): ModelChoice | undefined {
  if (name === 'anthropic') {
    if (file !== undefined) problems.push('--script goes without --model anthropic');
    const { anthropic } = settings.providers;
    if (!anthropic) problems.push('--model anthropic needs ANTHROPIC_API_KEY in the environment');
    return anthropic && { provider: 'served', keys: settings.providers };
  }
  const own = ownRepository ? '--repo' : undefined;
  const chosen = scriptToPlay(file, { own, remedy: '--script <file> or --model anthropic' });
  if (!('problem' in chosen)) return chosen;
  problems.push(chosen.problem);
  return undefined;
}
