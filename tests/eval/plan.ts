// Options of an evaluation, all checked before anything is played.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import {
  type OptionSpec,
  optionsHelp,
  type Parsed,
  readOptions,
  textOf,
} from '../../src/doors/cli/options.ts';
import type { Settings } from '../../src/doors/settings.ts';
import { hasKey } from '../../src/engine/models/provider-keys.ts';
import { parseScript } from '../../src/engine/models/script.ts';
import type { ModelChoice } from '../../src/engine/runtime/open-model.ts';
import { messageOf } from '../../packages/ground/lib/message.ts';
import { didYouMean } from '../../packages/ground/lib/nearest.ts';
import { type Directive, ownDirective } from './directives.ts';
import type { Mode } from './play.ts';

const options = {
  model: {
    type: 'string',
    value: 'name',
    help: 'anthropic (the models that the product takes by itself), a model such as claude-opus-5-5 or openai/gpt-oss, or scripted:<path>: replies from a file, or from <directive>.json in a folder',
  },
  only: { type: 'string', value: 'id,...', help: 'these directives; not set: all' },
  project: {
    type: 'string',
    value: 'folder',
    help: 'in their place a project of yours; what is delivered is laid over it',
  },
  directive: {
    type: 'string',
    value: 'file',
    help: 'for --project: what is wanted; the first line is the title',
  },
  roles: { type: 'boolean', help: 'the layers alone, up to the listing' },
  engineer: { type: 'boolean', help: 'the engineer alone: the directive is its issue' },
  against: {
    type: 'string',
    value: 'mini-swe-agent',
    help: 'plays each by that agent too, if `mini` is on the PATH (pip install mini-swe-agent)',
  },
  budget: { type: 'string', value: 'USD', help: 'what all of it may cost; default 5' },
  config: { type: 'string', value: 'file', help: 'more of .github/echelon.yml: prices, models, effort' },
  record: { type: 'string', value: 'folder', help: 'keeps what was replied there, as <directive>.json' },
  json: {
    type: 'boolean',
    help: 'the result as one JSON object on stdout; the table and what happens go to stderr',
  },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies Record<string, OptionSpec>;

export const help = (all: readonly Directive[]) => `Usage: npm run eval -- --model <name> [options]

Scores a model as the layers and as the engineer on ${all.length} small directives, by whole runs on a local GitHub. What is
delivered is judged by tests that no model sees.

${optionsHelp(options)}

Directives: ${all.map(({ id }) => id).join(', ')}

Exit code 0: all that were played passed; 1: not so; 2: called wrongly; 130: interrupted.`;

export interface Plan {
  directives: Directive[];
  mode: Mode;
  /** As it was named. */
  name: string;
  modelFor(directive: Directive): ModelChoice;
  config: Record<string, unknown>;
  /** USD. */
  budget: number;
  record: string | undefined;
  /** mini-swe-agent plays them too, by this name of the model. */
  against: string | undefined;
  json: boolean;
}

/** The plan, or every problem with the options. */
export function planOf(
  argv: string[],
  { providers }: Pick<Settings, 'providers'>,
  all: readonly Directive[],
): { help: true } | { problems: string[] } | { plan: Plan } {
  const parsed = readOptions(argv, options);
  const { values, positionals, problems } = parsed;
  if (values['help']) return { help: true };
  for (const word of positionals) problems.push(`unexpected argument ${word}`);
  if (values['roles'] && values['engineer'])
    problems.push('--roles goes without --engineer: without both, both are scored');
  const budget = Number(textOf(parsed, 'budget') ?? 5);
  if (!(budget > 0 && Number.isFinite(budget))) problems.push('--budget is an amount above 0, in USD');
  const directives = ownOf(parsed, problems) ?? chosen(textOf(parsed, 'only'), all, problems);
  const config = configOf(textOf(parsed, 'config'), problems);
  const name = textOf(parsed, 'model');
  if (name === undefined) problems.push('which model? --model <name>');
  const modelFor = name === undefined ? undefined : modelOf(name, directives, providers, problems);
  const record = textOf(parsed, 'record');
  const against = textOf(parsed, 'against');
  if (against !== undefined && (against !== 'mini-swe-agent' || parsed.values['project'] !== undefined))
    problems.push('--against mini-swe-agent plays the directives of this folder');
  if (against !== undefined && (name === 'anthropic' || name?.startsWith(scripted)))
    problems.push('--against needs --model with the name of one model, which both ask');
  if (problems.length > 0 || name === undefined || !modelFor) return { problems };
  if (record !== undefined) mkdirSync(record, { recursive: true });
  const models = name === 'anthropic' || name.startsWith(scripted) ? {} : { default: name };
  return {
    plan: {
      ...{ directives, name, modelFor, budget, json: values['json'] === true },
      mode: values['roles'] ? 'roles' : values['engineer'] ? 'engineer' : 'all',
      config: { retries: 0, ...config, models: { ...(config['models'] as object | undefined), ...models } },
      record: record && resolve(record),
      against: against && (name.includes('/') ? name : `anthropic/${name}`),
    },
  };
}

/** Undefined where no project is named. */
function ownOf(parsed: Parsed, problems: string[]): Directive[] | undefined {
  const [project, file] = [textOf(parsed, 'project'), textOf(parsed, 'directive')];
  if (project === undefined && file === undefined) return undefined;
  if (project === undefined || file === undefined) problems.push('--project goes with --directive');
  else
    try {
      if (!statSync(project).isDirectory()) throw new Error('no folder');
      return [ownDirective(resolve(project), file)];
    } catch (error) {
      problems.push(`--project ${project}, --directive ${file}: ${messageOf(error)}`);
    }
  return [];
}

function chosen(only: string | undefined, all: readonly Directive[], problems: string[]): Directive[] {
  if (only === undefined) return [...all];
  const ids = all.map(({ id }) => id);
  const names = only.split(',').map(name => name.trim());
  for (const name of names)
    if (!ids.includes(name)) problems.push(`--only: unknown directive ${name}${didYouMean(name, ids)}`);
  return all.filter(({ id }) => names.includes(id));
}

function configOf(file: string | undefined, problems: string[]): Record<string, unknown> {
  if (file === undefined) return {};
  try {
    const value: unknown = parse(readFileSync(file, 'utf8'));
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value };
    problems.push(`--config ${file}: keys of .github/echelon.yml stand in it`);
  } catch (error) {
    problems.push(`--config ${file}: ${messageOf(error)}`);
  }
  return {};
}

const scripted = 'scripted:';

function modelOf(
  name: string,
  directives: readonly Directive[],
  keys: Settings['providers'],
  problems: string[],
): Plan['modelFor'] | undefined {
  if (!name.startsWith(scripted)) {
    if (!hasKey(keys))
      problems.push(`--model ${name} needs a key in the environment: ANTHROPIC_API_KEY or OPENAI_API_KEY`);
    return () => ({ provider: 'served', keys });
  }
  const path = resolve(name.slice(scripted.length));
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const scripts = new Map<string, ModelChoice>();
  for (const { id } of directives) {
    const file = isFolder ? join(path, `${id}.json`) : path;
    try {
      const script = readFileSync(file, 'utf8');
      parseScript(script, file);
      scripts.set(id, { provider: 'scripted', script, file });
    } catch (error) {
      problems.push(`--model ${name}: ${messageOf(error)}`);
    }
  }
  return ({ id }) => {
    const model = scripts.get(id);
    if (!model) throw new Error(`there is no script for ${id}`);
    return model;
  };
}
