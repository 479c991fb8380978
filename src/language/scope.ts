// Finds names that no scope can bind, and what is bound and never used, without running anything.
import { type AtomicTask, type Input, outputNames, type Task } from './ast.ts';
import { lastEvaluation, roundNames, scriptNames, settingNames } from './names.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Report } from './problem.ts';
import { type Placeholder, placeholders, type Template } from './text.ts';

interface Name {
  /** The fields that `{{name.field}}` may read; undefined: known only when it runs. */
  fields: readonly string[] | undefined;
  used: boolean;
}

/** Names in reach: those of this place, then those around it. */
class Scope {
  readonly #names: Map<string, Name>;
  readonly #outer: Scope | undefined;

  constructor(names: [string, Name][], outer?: Scope) {
    this.#names = new Map(names);
    this.#outer = outer;
  }

  get(wanted: string): Name | undefined {
    return this.#names.get(wanted) ?? this.#outer?.get(wanted);
  }

  bind(bound: string, as: Name): void {
    this.#names.set(bound, as);
  }

  names(): string[] {
    return [...this.#names.keys(), ...(this.#outer?.names() ?? [])];
  }
}

const name = (fields?: readonly string[]): Name => ({ fields, used: false });
const plain = (names: readonly string[]): [string, Name][] => names.map(each => [each, name([])]);

/** Checks the names in the program whose root is `task`. `broken` tasks bind their name with any fields. */
export function checkNames(task: Task, report: Report, broken: Set<Task>): void {
  const settings = new Scope(plain(settingNames));
  walk(task, settings, true);

  function walk(current: Task, outer: Scope, isRoot: boolean): void {
    if (broken.has(current)) return;
    const isParameter = (input: Input) => isRoot && input.value.kind === 'parameter';
    // The caller binds the root's parameters first: its other inputs may be made of them.
    const given = current.inputs.filter(isParameter).map((input): [string, Name] => [input.name, name()]);
    const around = new Scope(given, outer);
    const scope = new Scope([], around);
    for (const input of current.inputs) {
      checkInput(input, around, isRoot);
      if (!isParameter(input)) scope.bind(input.name, name());
    }
    check(current.description, scope);
    switch (current.type) {
      case 'atomic':
        for (const part of templates(current)) check(part, scope);
        break;
      case 'sequential':
        walkSteps(current.steps, scope);
        break;
      case 'script':
        checkCommand(current.command, scope);
        for (const input of current.inputs) scope.get(input.name)!.used = true;
        break;
      case 'director-evaluator': {
        const { director, script, evaluator } = current;
        walk(director, new Scope([[lastEvaluation, name(['success', 'feedback'])]], scope), false);
        const judged = new Scope([...plain(roundNames), ...result(director)], scope);
        if (script) walk(script, judged, false);
        const outcome = script ? [...plain(scriptNames), ...result(script)] : [];
        walk(evaluator, new Scope(outcome, judged), false);
        break;
      }
    }
    for (const input of current.inputs)
      if (input.name !== '' && scope.get(input.name)?.used === false)
        report(input.at, `input "${input.name}" is never used`, 'warning');
  }

  function walkSteps(steps: Task[], scope: Scope): void {
    const visible = new Scope([], scope);
    for (const step of steps) {
      walk(step, visible, false);
      for (const [bound, as] of result(step)) visible.bind(bound, as);
    }
    for (const step of steps.slice(0, -1))
      if (step.type === 'atomic' && step.outputs.length > 0 && visible.get(step.name ?? '')?.used !== true)
        report(step.at, 'the outputs of this step are never read', 'warning');
  }

  /** What a task that is done binds. */
  function result(done: Task): [string, Name][] {
    return done.name === undefined
      ? []
      : [[done.name, name(broken.has(done) ? undefined : outputNames(done))]];
  }

  function checkInput(input: Input, outer: Scope, isRoot: boolean): void {
    switch (input.value.kind) {
      case 'parameter':
        if (!isRoot)
          report(
            input.at,
            `input "${input.name}" has no value: write from="..." or content (only the root's inputs are filled by the caller)`,
          );
        break;
      case 'binding':
        resolve(input.value.from, outer);
        break;
      case 'text':
        check(input.value.text, outer);
        break;
      case 'task':
        walk(input.value.task, outer, false);
        break;
    }
  }

  function check(text: Template | undefined, scope: Scope): void {
    if (text) for (const placeholder of placeholders(text)) resolve(placeholder, scope);
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
    if (field !== undefined && entry.fields && !entry.fields.includes(field))
      report(at, `"${bound}" has no field "${field}"${didYouMean(field, entry.fields)}`);
  }
}

/** The longest bound name that `wanted` begins with, and the field that follows it. */
function split(wanted: string, scope: Scope): [string, string | undefined] | undefined {
  if (scope.get(wanted)) return [wanted, undefined];
  for (let dot = wanted.lastIndexOf('.'); dot > 0; dot = wanted.lastIndexOf('.', dot - 1))
    if (scope.get(wanted.slice(0, dot))) return [wanted.slice(0, dot), wanted.slice(dot + 1)];
  return undefined;
}

function templates(task: AtomicTask): (Template | undefined)[] {
  return [task.system, task.instructions, task.expectedOutput, task.criteria];
}
