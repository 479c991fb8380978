// The commands of the REPL: what each does stands beside what `:help` says of it.
import { existsSync, writeFileSync } from 'node:fs';
import { didYouMean, messageOf, shortened } from '@echelon/ground';
import { asText, type BoundName, without } from '../../../../engine/engine.ts';
import { oneLine } from '../../../progress.ts';
import { promptText } from '../../output.ts';
import { type Done, type Place, refused, type Surroundings } from './carry-out.ts';
import { load, canonical, programOf } from './save.ts';
import { type Spending, tokensOf } from './spending.ts';
import { lastName, libraryOf, loggedAs, namesOf, type State } from './state.ts';

/** Dependencies of commands besides the entries. */
export interface CommandParts extends Surroundings {
  spending: Spending;
  /** USD of all entries. */
  budget: number;
  models: {
    /** Of tasks that name none, in words. */
    told(): string;
    /** Throws an Error for a name that is none. */
    choose(name: string): void;
  };
  /** Folder from which sessions may get files; undefined: none. */
  indexed: string | undefined;
}

export interface CommandPlace extends Place {
  /** State before the last entry that changed something. */
  before: State | undefined;
}

interface Command {
  args: string;
  help: string;
  /** `rest`: what stands behind its name. */
  run(rest: string, place: CommandPlace, parts: CommandParts): Done;
}

/** Characters of a value that `:bindings` shows. */
const SHOWN = 80;

const told = (state: State, text: string, data: unknown): Done => ({
  outcome: { kind: 'told', text, data, warnings: [] },
  state,
});

export const commands: Readonly<Record<string, Command>> = {
  help: {
    args: '',
    help: 'this text',
    run: (_rest, { state }) => told(state, helpText(), helpText()),
  },
  bindings: {
    args: '',
    help: 'names, what they are, and the beginning of their values',
    run(_rest, { state }) {
      const rows = [...state.preceding.names].map(([name, bound]) => ({
        name,
        type: typeOf(bound),
        value: shortened(oneLine(bound.parameters ? '' : asText(bound.bound.value)), SHOWN),
      }));
      const text = rows.map(({ name, type, value }) => `${name}: ${type}${value && `  ${value}`}`);
      return told(state, text.join('\n') || 'nothing is bound yet', rows);
    },
  },
  context: {
    args: '',
    help: 'what the last session was sent, and what the next one can see',
    run(_rest, { state }, { spending, indexed }) {
      const names = [...state.preceding.names.keys()];
      const { last } = spending;
      const files = indexed === undefined ? 'no files' : `files of ${indexed}, where it inherits no context`;
      const text = [
        last ? promptText(last) : 'no session was asked yet',
        `The next session sees its own text with what that reads; in reach are: ${names.join(', ') || 'no names'}.`,
        `Besides it is shown ${files}.`,
      ].join('\n');
      const sent = last && {
        task: last.task,
        model: last.model,
        system: last.system,
        messages: last.messages,
      };
      return told(state, text, { last: sent ?? null, names, files: indexed ?? null });
    },
  },
  cost: {
    args: '',
    help: 'model calls, tokens and dollars by task, and what is left',
    run(_rest, { state }, { spending: { byTask, total }, budget }) {
      const left = Math.max(0, budget - total.cost_usd);
      const row = (name: string, spent: typeof total) =>
        `${name}: ${spent.turns} model ${spent.turns === 1 ? 'call' : 'calls'}, ${tokensOf(spent)} tokens, $${spent.cost_usd.toFixed(4)}`;
      const rows = [...byTask].map(([name, spent]) => row(name, spent));
      const text = [...rows, `${row('all', total)}; $${left.toFixed(4)} of $${budget} are left`].join('\n');
      const data = { tasks: Object.fromEntries(byTask), total, budget_usd: budget, left_usd: left };
      return told(state, text, data);
    },
  },
  show: {
    args: 'name',
    help: 'a definition, a value, or a task of the library as text',
    run(name, { state }, { library }) {
      const logged = loggedAs(state, name);
      const bound = state.preceding.names.get(name);
      const template = libraryOf(state, library).find(name);
      if (bound?.parameters && logged && 'program' in logged) return shown(state, name, canonical(logged));
      const { value } = bound?.bound ?? {};
      // A text as it is, data over several lines.
      const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
      if (bound) return shown(state, name, text);
      if (template) return shown(state, name, template.source);
      return unbound(name, state);
    },
  },
  save: {
    args: 'file [name]',
    help: 'what was defined and run as a program, or what one name stands for; :save! writes over a file',
    run: (rest, place, parts) => save(rest, place, parts, false),
  },
  'save!': {
    args: 'file [name]',
    help: '',
    run: (rest, place, parts) => save(rest, place, parts, true),
  },
  load: {
    args: 'file',
    help: 'defines the functions of a program file, and registers its task for ref; nothing is run',
    run: load,
  },
  undo: {
    args: '',
    help: 'takes back what the last entry bound; what it cost stays spent',
    run: (_rest, { state, before }) =>
      before ? told(before, changes(state, before), null) : refused(state, ['there is nothing to take back']),
  },
  forget: {
    args: 'name',
    help: 'unbinds a name',
    run(name, { state }) {
      if (!state.preceding.names.has(name)) return unbound(name, state);
      const log = state.log.filter(logged => !namesOf(logged).includes(name));
      return told({ ...state, log, preceding: without(state.preceding, name) }, `${name} is forgotten`, name);
    },
  },
  model: {
    args: '[name]',
    help: 'the model of tasks that name none, or another one from now on',
    run(name, { state }, { models }) {
      try {
        if (name !== '') models.choose(name);
      } catch (error) {
        return refused(state, [messageOf(error)]);
      }
      return told(state, models.told(), models.told());
    },
  },
  quit: {
    args: '',
    help: 'leaves, as Ctrl-D does',
    run: (_rest, { state }) => ({ outcome: { kind: 'left', warnings: [] }, state }),
  },
};

/** Throws what loading does. */
export function command(name: string, rest: string, place: CommandPlace, parts: CommandParts): Done {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) {
    const near = didYouMean(name, Object.keys(commands)).replace(/"([^"]+)"/, ':$1');
    return refused(place.state, [`unknown command :${name}${near || '; :help lists them'}`]);
  }
  if (found.args === '' && rest !== '') return refused(place.state, [`:${name} takes nothing behind it`]);
  const needs = found.args !== '' && !found.args.startsWith('[');
  if (needs && rest === '') return refused(place.state, [`write :${name} ${found.args}`]);
  return found.run(rest, place, parts);
}

function save(
  rest: string,
  { state, file: entry }: CommandPlace,
  { library }: CommandParts,
  over: boolean,
): Done {
  const [file = '', name, ...more] = rest.split(/\s+/);
  if (more.length > 0) return refused(state, [`unexpected ${more[0]}: write :save file [name]`]);
  if (!over && existsSync(file)) return refused(state, [`${file} is there already; :save! writes over it`]);
  const program = programOf(state, file, library, name);
  if ('problems' in program) return refused(state, program.problems);
  try {
    writeFileSync(file, program.text, { flag: over ? 'w' : 'wx' });
  } catch (error) {
    return refused(state, [`${entry}: ${messageOf(error)}`]);
  }
  return told(state, `${file} is written`, { file, program: program.text });
}

const unbound = (name: string, state: State): Done =>
  refused(state, [`nothing binds "${name}"${didYouMean(name, [...state.preceding.names.keys()])}`]);

const shown = (state: State, name: string, text: string): Done => told(state, text.trimEnd(), { name, text });

function typeOf({ bound, parameters }: BoundName): string {
  if (parameters) return `function(${parameters.join(', ')})`;
  const { value } = bound;
  if (value === null) return 'null';
  if (Array.isArray(value)) return `list of ${value.length}`;
  return { string: 'text', boolean: 'boolean', number: 'number' }[typeof value as string] ?? 'object';
}

/** Describes the changes of taking back the last entry. */
function changes(now: State, before: State): string {
  const names = [...now.preceding.names.keys(), ...before.preceding.names.keys()].filter(
    name => name !== lastName && now.preceding.names.get(name) !== before.preceding.names.get(name),
  );
  const [...once] = new Set(names);
  return once.length > 0 ? `${once.join(', ')}: as before` : 'taken back';
}

const entries: readonly (readonly [form: string, help: string])[] = [
  ['<task ...>', 'runs a task; its result is bound to `it`, and to its name where it has one'],
  ['<task type="function" ...>', 'defines a function, for <call ref="..."> of later entries'],
  ['name = <task ...>', 'runs a task and binds its result (also: :let name = ...)'],
  ['draft.files > 3', 'works out an expression, as in the test of a <case>; name = ... binds its value'],
];

const helpText = (): string => {
  const rows = Object.entries(commands)
    .filter(([, { help }]) => help !== '')
    .map(([name, { args, help }]) => [`:${name} ${args}`.trimEnd(), help] as const);
  return [
    ...[...entries, ...rows].map(([left, help]) => `  ${left.padEnd(28)}${help}`),
    '',
    'An entry goes on until its elements and brackets are closed; :cancel, Ctrl-C or two empty lines drop it.',
  ].join('\n');
};
