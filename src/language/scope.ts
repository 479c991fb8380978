// Finds names that no scope can bind, and what is bound and never used, without running anything.
import {
  type AtomicTask,
  type CallTask,
  type Case,
  type FunctionTask,
  type Input,
  outputNames,
  type Task,
  type Value,
} from './ast.ts';
import { type Library, parametersOf } from './library.ts';
import {
  judgedName,
  lastEvaluation,
  mapNames,
  previousOutput,
  reduceNames,
  roundNames,
  scriptNames,
  settingNames,
} from './names.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Report } from './problem.ts';
import { type Placeholder, placeholders, type Template } from './text.ts';

interface Name {
  /** The fields that `{{name.field}}` may read; undefined: known only when it runs. */
  fields: readonly string[] | undefined;
  used: boolean;
  /** Of a function: the names of its parameters. */
  parameters?: readonly string[];
}

/** Names in reach: those of this place, then those around it. */
class Scope {
  #names: Map<string, Name> | undefined;
  readonly #outer: Scope | undefined;

  constructor(outer?: Scope, names?: readonly [string, Name][]) {
    this.#outer = outer;
    if (names) for (const [bound, as] of names) this.bind(bound, as);
  }

  get(wanted: string): Name | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      const found = scope.#names?.get(wanted);
      if (found) return found;
    }
    return undefined;
  }

  bind(bound: string, as: Name): void {
    this.#names ??= new Map();
    this.#names.set(bound, as);
  }

  names(): string[] {
    return [...(this.#names?.keys() ?? []), ...(this.#outer?.names() ?? [])];
  }
}

const name = (fields?: readonly string[]): Name => ({ fields, used: false });
const plain = (names: readonly string[]): [string, Name][] => names.map(each => [each, name([])]);
const unknown = (names: readonly string[]): [string, Name][] => names.map(each => [each, name()]);

/** What a test can read of the step before: its outputs; undefined: any; null: there is no step before. */
type Previous = readonly string[] | undefined | null;

/** Checks the names in the program whose root is `task`. `broken` tasks bind their name with any fields. */
export function checkNames(task: Task, report: Report, broken: Set<Task>, library: Library): void {
  walk(task, new Scope(undefined, plain(settingNames)), null, true);

  function walk(current: Task, outer: Scope, previous: Previous, isRoot = false): void {
    if (broken.has(current)) return;
    const { inputs } = current;
    // The caller binds the root's parameters first: its other inputs may be made of them.
    const around = isRoot ? new Scope(outer, unknown(parameterNames(inputs))) : outer;
    const scope = inputs.length > 0 ? new Scope(around) : around;
    for (const input of inputs) {
      checkInput(input, current, around, isRoot);
      if (!isRoot || input.value.kind !== 'parameter') scope.bind(input.name, name());
    }
    if (current.type !== 'function' && current.type !== 'atomic') check(current.description, scope);
    checkParts(current, scope, around, previous);
    for (const input of inputs)
      if (input.name !== '' && scope.get(input.name)?.used === false)
        report(input.at, `input "${input.name}" is never used`, 'warning');
  }

  function checkParts(current: Task, scope: Scope, around: Scope, previous: Previous): void {
    switch (current.type) {
      case 'atomic':
        checkAtomic(current, scope, around);
        break;
      case 'sequential':
        walkSteps(current.steps, scope, previous);
        break;
      case 'map':
        checkValue(current.over, scope);
        walk(current.inner, new Scope(scope, unknown(mapNames)), previous);
        break;
      case 'reduce': {
        checkValue(current.initial, scope);
        for (const input of current.inputs) scope.get(input.name)!.used = true;
        walk(current.inner, new Scope(scope, unknown([reduceNames.data])), previous);
        const fields = broken.has(current.inner) ? undefined : outputNames(current.inner);
        const folded = unknown([reduceNames.accumulator, reduceNames.original]);
        walk(current.reduction, new Scope(scope, [[reduceNames.result, name(fields)], ...folded]), previous);
        break;
      }
      case 'script':
        checkCommand(current.command, scope);
        for (const input of current.inputs) scope.get(input.name)!.used = true;
        break;
      case 'director-evaluator': {
        const { director, script, evaluator } = current;
        walk(director, new Scope(scope, [[lastEvaluation, name(['success', 'feedback'])]]), previous);
        const judged = new Scope(scope, [...plain(roundNames), ...result(director)]);
        if (script) walk(script, judged, previous);
        const outcome = script ? [...plain(scriptNames), ...result(script)] : [];
        if (evaluator) walk(evaluator, new Scope(judged, outcome), previous);
        break;
      }
      case 'function':
        walkFunction(current, scope);
        break;
      case 'call':
        for (const { value } of current.args) checkValue(value, scope);
        checkCall(current, scope);
        break;
      case 'cond':
        for (const each of current.cases) {
          checkTest(each, scope, previous);
          walk(each.task, scope, previous);
        }
        if (current.otherwise) walk(current.otherwise, scope, previous);
        break;
      case 'let': {
        const inner = new Scope(scope);
        for (const { name: bound, value } of current.binds) {
          checkValue(value, inner);
          inner.bind(bound, name());
        }
        walk(current.body, inner, previous);
        break;
      }
    }
  }

  function walkSteps(steps: Task[], scope: Scope, before: Previous): void {
    const visible = new Scope(scope);
    let previous = before;
    let last: Task | undefined;
    for (const step of steps) {
      walk(step, visible, previous);
      for (const [bound, as] of result(step)) visible.bind(bound, as);
      if (step.type === 'function') continue;
      previous = broken.has(step) ? undefined : outputNames(step);
      last = step;
    }
    if (steps.some(step => step.type === 'cond')) return;
    for (const step of steps)
      if (step !== last && step.type === 'atomic' && step.outputs.length > 0)
        if (visible.get(step.name ?? '')?.used !== true)
          report(step.at, 'the outputs of this step are never read', 'warning');
  }

  function walkFunction(current: FunctionTask, scope: Scope): void {
    const own: Name = { ...name([]), used: true, parameters: current.parameters.map(each => each.name) };
    const inner = new Scope(new Scope(scope, [[current.name, own]]), unknown(own.parameters ?? []));
    check(current.description, inner);
    walk(current.body, inner, null);
  }

  /** What a task that is done binds. */
  function result(done: Task): [string, Name][] {
    if (done.type === 'function')
      return [[done.name, { ...name([]), parameters: done.parameters.map(each => each.name) }]];
    const fields = broken.has(done) ? undefined : outputNames(done);
    const bound: [string, Name][] = done.name === undefined ? [] : [[done.name, name(fields)]];
    if (done.type === 'atomic' && done.outputSlot !== undefined)
      bound.push([done.outputSlot, bound[0]?.[1] ?? name(fields)]);
    return bound;
  }

  function checkAtomic(task: AtomicTask, scope: Scope, around: Scope): void {
    let inner = scope;
    if (task.inputSource) {
      resolve(task.inputSource, around);
      inner = new Scope(scope, plain([judgedName]));
    }
    check(task.description, inner);
    check(task.system, inner);
    check(task.instructions, inner);
    check(task.expectedOutput, inner);
    check(task.criteria, inner);
  }

  function checkCall({ ref, args, at }: CallTask, scope: Scope): void {
    if (ref.name === '') return;
    const local = scope.get(ref.name);
    const template = library.find(ref.name);
    const parameters =
      local?.parameters ?? (template?.type === 'function' ? parametersOf(template) : undefined);
    if (local) local.used = true;
    if (!parameters) {
      const known = [...scope.names().filter(each => scope.get(each)?.parameters), ...functionsOf(library)];
      report(
        ref.at,
        local || template
          ? `"${ref.name}" is not a function: only a function can be called`
          : `unknown ref "${ref.name}": no function of that name stands before this call or in the library${didYouMean(ref.name, known)}`,
      );
      return;
    }
    const given = new Set(args.map(arg => arg.name));
    for (const parameter of parameters)
      if (!given.has(parameter)) report(at, `the call of "${ref.name}" misses the argument "${parameter}"`);
    for (const arg of args)
      if (arg.name !== '' && !parameters.includes(arg.name))
        report(
          arg.at,
          `"${ref.name}" has no parameter "${arg.name}"${didYouMean(arg.name, parameters)}: it takes ${parameters.join(', ') || 'none'}`,
        );
  }

  function checkTest({ reads, testAt }: Case, scope: Scope, previous: Previous): void {
    for (const { name: wanted, path } of reads) {
      if (wanted === previousOutput) {
        const [field] = path;
        if (previous === null) report(testAt, '"output" is the result of the step before, and there is none');
        else if (field !== undefined && previous && ![...previous, 'content', 'status'].includes(field))
          report(testAt, `the step before has no output "${field}"${didYouMean(field, previous)}`);
        continue;
      }
      const entry = scope.get(wanted);
      if (entry) {
        checkRead(wanted, path[0], entry, testAt);
        continue;
      }
      const dotted = split([wanted, ...path].join('.'), scope)?.[0];
      report(
        testAt,
        dotted === undefined
          ? `nothing binds "${wanted}"${didYouMean(wanted, scope.names())}`
          : `a test cannot read "${dotted}", whose name has a dot: give it another name with <input name="..." from="${dotted}"/>`,
      );
    }
  }

  /** In a test, a result with outputs has its content beside them. */
  function checkRead(wanted: string, field: string | undefined, entry: Name, at: Placeholder['at']): void {
    entry.used = true;
    const { fields, parameters } = entry;
    const members = fields && fields.length > 0 ? [...fields, 'content'] : fields;
    if (parameters) report(at, `"${wanted}" is a function: it can be called, not read`);
    else if (field !== undefined && members && !members.includes(field))
      report(at, `"${wanted}" has no field "${field}"${didYouMean(field, members)}`);
  }

  function checkInput(input: Input, { at }: Task, outer: Scope, isRoot: boolean): void {
    if (input.value.kind !== 'parameter') checkValue(input.value, outer);
    else if (!isRoot)
      report(
        // Of a template that is taken here, the place where it is taken.
        input.at.file === at.file ? input.at : at,
        `input "${input.name}" has no value: write from="..." or content (only the root's inputs are filled by the caller)`,
      );
  }

  /** A value is no step: in a test in it there is no step before. */
  function checkValue(value: Value, scope: Scope): void {
    if (value.kind === 'binding') resolve(value.from, scope);
    else if (value.kind === 'text') check(value.text, scope);
    else walk(value.task, scope, null);
  }

  function check(text: Template | undefined, scope: Scope): void {
    if (!text) return;
    for (const part of text.parts) if (typeof part !== 'string') resolve(part, scope);
  }

  function checkCommand(command: Template, scope: Scope): void {
    for (const { name: wanted, at } of placeholders(command)) {
      if ((settingNames as readonly string[]).includes(wanted)) continue;
      const isBound = split(wanted, scope) !== undefined;
      report(
        at,
        isBound
          ? `only settings of the run may stand in <command>: pass "${wanted}" as an <input> and read it from the environment`
          : `"${wanted}" is not a setting of the run (${settingNames.join(', ')})${didYouMean(wanted, settingNames)}`,
      );
    }
  }

  function resolve({ name: wanted, at }: Placeholder, scope: Scope): void {
    const found = split(wanted, scope);
    if (!found) {
      report(at, `nothing binds "${wanted}"${didYouMean(wanted, scope.names())}`);
      return;
    }
    const [bound, field] = found;
    const entry = scope.get(bound)!;
    entry.used = true;
    if (entry.parameters) report(at, `"${bound}" is a function: it can be called, not read`);
    else if (field !== undefined && entry.fields && !entry.fields.includes(field))
      report(at, `"${bound}" has no field "${field}"${didYouMean(field, entry.fields)}`);
  }
}

/** Of the inputs of a root: what its caller fills. */
function parameterNames(inputs: readonly Input[]): string[] {
  return inputs.filter(input => input.value.kind === 'parameter').map(input => input.name);
}

function functionsOf(library: Library): string[] {
  return library.templates().flatMap(({ type, name: each }) => (type === 'function' ? [each] : []));
}

/** The longest bound name that `wanted` begins with, and the field that follows it. */
function split(wanted: string, scope: Scope): [string, string | undefined] | undefined {
  if (scope.get(wanted)) return [wanted, undefined];
  for (let dot = wanted.lastIndexOf('.'); dot > 0; dot = wanted.lastIndexOf('.', dot - 1))
    if (scope.get(wanted.slice(0, dot))) return [wanted.slice(0, dot), wanted.slice(dot + 1)];
  return undefined;
}
