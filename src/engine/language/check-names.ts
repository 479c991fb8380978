// Finds names that no scope can bind, and what is bound and never used, without running anything.
import {
  type AtomicTask,
  type Candidates,
  type CondTask,
  type DirectorEvaluatorTask,
  type FunctionTask,
  type Input,
  type LetTask,
  type MapTask,
  type ReduceTask,
  type SequentialTask,
  type Task,
  type Value,
  textsOf,
} from './ast.ts';
import {
  boundBy,
  boundByDirector,
  boundByFailure,
  boundByMap,
  boundByScript,
  boundForDirector,
} from './bound-names.ts';
import { checkCall } from './check-call.ts';
import {
  warnOfUnread,
  checkCommand,
  checkPlaceholder,
  checkTest,
  checkText,
  type Previous,
  shapeRead,
} from './check-reads.ts';
import type { Library } from './library.ts';
import { isOfLanguage, candidateNames, judgedName, reduceNames, settingNames } from './names.ts';
import type { Report } from './problem.ts';
import type { ReadTask } from './task-element.ts';
import { callable, type KnownPreceding, type Name, Scope, texts, unread, values } from './scope.ts';
import { article, type Shape, shapeOfResult, text, unknown } from './shape.ts';
import { passedOn } from './text.ts';

/** Values shared by the whole check of a program. */
interface Check extends Omit<ReadTask, 'task'> {
  report: Report;
  library: Library;
}

/** Treatment of an unbound name: a parameter that the caller must give, or an error. */
export type FreeNames = 'asked for' | 'refused';

/** Checks the names in the program whose root was `read`. `reads`: those of `preceding` that it reads. */
export function checkNames(
  read: ReadTask,
  report: Report,
  library: Library,
  freeNames: FreeNames = 'refused',
  preceding?: KnownPreceding,
): { reads: string[]; flows: Scope['flows'] } {
  const { task, broken, files } = read;
  const outermost = new Scope(undefined, texts(settingNames));
  if (freeNames === 'asked for' && task.type !== 'function') outermost.askIn(task.at.file);
  const { scope, previous, reads } = scopeBehind(preceding, outermost);
  walk(task, scope, previous, { report, broken, files, library }, true);
  for (const { name, value } of task.inputs) if (value.kind === 'parameter') scope.use(name);
  for (const { name, at } of outermost.asked)
    task.inputs.push({ name, at, value: { kind: 'parameter' }, stdin: false, asked: true });
  return { reads: reads(), flows: outermost.flows };
}

/** The scope that `preceding` makes within `outermost`, what `output` is there, and which of its names were read so far. */
export function scopeBehind(
  preceding: KnownPreceding | undefined,
  outermost: Scope,
): { scope: Scope; previous: Previous; reads: () => string[] } {
  if (!preceding) return { scope: outermost, previous: null, reads: () => [] };
  const names = [...preceding.names].map(([name, { shape, parameters }]): [string, Name] => [
    name,
    parameters ? callable(parameters) : unread(shape),
  ]);
  return {
    scope: new Scope(outermost, names),
    previous: preceding.previous ? unread(preceding.previous.shape) : null,
    reads: () => names.flatMap(([name, { used }]) => (used ? [name] : [])),
  };
}

function walk(task: Task, from: Scope, previous: Previous, check: Check, isRoot = false): void {
  const { inputs } = task;
  const outer = Scope.ofTask(task, from, check.files.get(task));
  // The caller binds the root's parameters first: its other inputs may be made of them.
  const parameters = inputs.filter(({ value }) => value.kind === 'parameter').map(({ name }) => name);
  const around = isRoot ? new Scope(outer, values(parameters)) : outer;
  const scope = inputs.length > 0 ? new Scope(around) : around;
  for (const input of inputs) {
    checkInput(input, task, around, isRoot, check);
    if (!isRoot || input.value.kind !== 'parameter')
      scope.bind(input.name, unread(shapeOfValue(input.value, around, check)));
  }
  if (task.type !== 'function' && task.type !== 'atomic') checkText(task.description, scope, check.report);
  checkParts(task, scope, previous, check);
  if (task.candidates) checkCandidates(task.candidates, task, scope, check);
  if (task.onFailure) walk(task.onFailure, new Scope(outer, boundByFailure()), previous, check);
  if (check.broken.has(task)) return;
  for (const input of inputs) {
    if (input.name === '' || scope.get(input.name)?.used !== false) continue;
    // A call has no session of its own, and the body of a function sees its parameters only.
    if (task.type === 'call' || task.type === 'function')
      check.report(input.at, `input "${input.name}" is never used`, 'warning');
    else input.shown = true;
  }
}

/** `scope` has the task's own inputs. */
function checkParts(task: Task, scope: Scope, previous: Previous, check: Check): void {
  switch (task.type) {
    case 'atomic':
      checkAtomic(task, scope, check.report);
      break;
    case 'sequential':
      checkSteps(task, scope, previous, check);
      break;
    case 'map':
      checkMap(task, scope, previous, check);
      break;
    case 'reduce':
      checkReduce(task, scope, previous, check);
      break;
    case 'script':
      checkCommand(task.command, scope, check.report);
      useInputs(task.inputs, scope);
      break;
    case 'director-evaluator':
      checkRounds(task, scope, previous, check);
      break;
    case 'function':
      checkFunction(task, scope, check);
      break;
    case 'call':
      for (const { value } of task.args) checkValue(value, scope, check);
      checkCall(task, scope, check.library, check.report);
      break;
    case 'cond':
      checkCases(task, scope, previous, check);
      break;
    case 'let':
      checkLet(task, scope, previous, check);
      break;
  }
}

function checkAtomic(task: AtomicTask, scope: Scope, report: Report): void {
  let inner = scope;
  if (task.inputSource) {
    checkPlaceholder(task.inputSource, scope, report);
    inner = new Scope(scope, texts([judgedName]));
  }
  for (const each of textsOf(task)) checkText(each, inner, report);
}

function checkSteps(task: SequentialTask, scope: Scope, before: Previous, check: Check): void {
  const visible = new Scope(scope);
  const done: { step: Task; result: Name }[] = [];
  let previous = before;
  for (const step of task.steps) {
    walk(step, visible, previous, check);
    const result = unread(shapeOf(step, check));
    for (const [bound, as] of boundBy(step, result)) visible.bind(bound, as);
    if (step.type === 'function') continue;
    done.push({ step, result });
    previous = result;
  }
  // The steps of a sequence that accumulates are shown what those before them gave; the last one's is its result.
  if (task.context.accumulate) return;
  for (const { step, result } of done.slice(0, -1))
    if (!check.broken.has(step)) warnOfUnread(step, result, check.report);
}

function checkMap(task: MapTask, scope: Scope, previous: Previous, check: Check): void {
  const element = checkList(task.over, task, scope, check);
  walk(task.inner, new Scope(scope, boundByMap(element)), previous, check);
}

function checkReduce(task: ReduceTask, scope: Scope, previous: Previous, check: Check): void {
  const element = task.over ? checkList(task.over, task, scope, check) : unknown;
  checkValue(task.initial, scope, check);
  if (!task.over) useInputs(task.inputs, scope);
  walk(task.inner, new Scope(scope, [[reduceNames.data, unread(element)]]), previous, check);
  const result: Name = { ...unread(shapeOf(task.inner, check)), by: task.inner };
  const folded = values([reduceNames.accumulator, reduceNames.original]);
  walk(task.reduction, new Scope(scope, [[reduceNames.result, result], ...folded]), previous, check);
}

/** The elements of a list that a map or a reduce works; a number is none. */
function checkList(over: Value, task: Task, scope: Scope, check: Check): Shape {
  checkValue(over, scope, check);
  const { kind, element, members } = shapeOfValue(over, scope, check);
  // Of a result with outputs, the one that is a list, or the list that its content is.
  const isResult = members?.has('content');
  if (kind && kind !== 'list' && kind !== 'text' && !isResult)
    check.report(task.at, `<over> is ${article[kind]}: a list is needed, or a text that is one`);
  return element ?? unknown;
}

function checkRounds(task: DirectorEvaluatorTask, scope: Scope, previous: Previous, check: Check): void {
  const { director, script, evaluator } = task;
  const judged = new Scope(scope, boundForDirector());
  walk(director, judged, previous, check);
  const directed = new Scope(scope, [...boundByDirector(), ...resultOf(director, check)]);
  if (script) walk(script, directed, previous, check);
  const ran = script ? [...boundByScript(), ...resultOf(script, check)] : [];
  if (evaluator) walk(evaluator, new Scope(directed, ran), previous, check);
}

function checkCandidates({ script, evaluator }: Candidates, task: Task, scope: Scope, check: Check): void {
  if (script)
    walk(script, new Scope(scope, [[candidateNames.one, unread(shapeOf(task, check))]]), null, check);
  if (evaluator) walk(evaluator, new Scope(scope, texts([candidateNames.all])), null, check);
}

function checkFunction(task: FunctionTask, scope: Scope, check: Check): void {
  const parameters = task.parameters.map(each => each.name);
  const own: Name = { ...callable(parameters), used: true };
  const inner = new Scope(new Scope(scope, [[task.name, own]]), values(parameters));
  checkText(task.description, inner, check.report);
  walk(task.body, inner, null, check);
}

function checkCases(task: CondTask, scope: Scope, previous: Previous, check: Check): void {
  for (const each of task.cases) {
    checkTest(each, scope, previous, check.report);
    walk(each.task, scope, previous, check);
  }
  if (task.otherwise) walk(task.otherwise, scope, previous, check);
}

function checkLet(task: LetTask, scope: Scope, previous: Previous, check: Check): void {
  const inner = new Scope(scope);
  for (const { name, value } of task.binds) {
    checkValue(value, inner, check);
    inner.bind(name, unread(shapeOfValue(value, inner, check)));
  }
  walk(task.body, inner, previous, check);
}

function checkInput(input: Input, task: Task, outer: Scope, isRoot: boolean, check: Check): void {
  const { at } = task;
  if (input.value.kind === 'parameter' && !isRoot && isOfLanguage(input.name) && outer.get(input.name))
    input.value = { kind: 'binding', from: { name: input.name, at: input.at } };
  if (input.value.kind !== 'parameter') checkValue(input.value, outer, check);
  else if (!isRoot && !check.broken.has(task))
    check.report(
      // Of a template that is taken here, the place where it is taken.
      input.at.file === at.file ? input.at : at,
      `input "${input.name}" has no value: write from="${outer.get(input.name) ? input.name : '...'}" or content (only the root's inputs are filled by the caller)`,
    );
}

/** A value is no step: in a test in it there is no step before. */
function checkValue(value: Value, scope: Scope, check: Check): void {
  if (value.kind === 'binding') checkPlaceholder(value.from, scope, check.report);
  else if (value.kind === 'text') {
    const passed = passedOn(value.text);
    if (passed) checkPlaceholder(passed, scope, check.report);
    else checkText(value.text, scope, check.report);
  } else walk(value.task, scope, null, check);
}

/** A reduce folds all of its inputs, a command finds all of them in its environment. */
function useInputs(inputs: readonly Input[], scope: Scope): void {
  for (const { name } of inputs) scope.get(name)!.used = true;
}

/** The bindings that a finished task makes. */
const resultOf = (done: Task, check: Check): [string, Name][] => boundBy(done, unread(shapeOf(done, check)));

const shapeOf = (task: Task, { broken }: Check): Shape => (broken.has(task) ? unknown : shapeOfResult(task));

/** Of a value that has been checked. */
function shapeOfValue(value: Input['value'], scope: Scope, check: Check): Shape {
  switch (value.kind) {
    case 'parameter':
      return unknown;
    case 'task':
      return shapeOf(value.task, check);
    case 'binding':
      return shapeRead(value.from, scope);
    case 'text': {
      const passed = passedOn(value.text);
      return passed ? shapeRead(passed, scope) : text;
    }
  }
}
