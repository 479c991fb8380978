// Ways to write less, put into the one canonical form before anything is read of a program. Places stay as they are.
import type { Attribute, Element, Text } from './element.ts';
import { isBlank } from './element.ts';

/** Hold one task; its parts may stand there directly, which is an atomic task without its wrapper. */
const holders = new Set([
  'inner_task',
  'reduction_task',
  'director',
  'evaluator',
  'body',
  'step',
  'case',
  'else',
  'on_failure',
]);

/** May stand where a task of that type stands. */
const types = new Set(['cond', 'let', 'call']);

/** Names of elements in the design and in other languages, with their names here. */
const names: Readonly<Record<string, string>> = { param: 'parameter' };

type Child = Element | Text;

/** The same program in canonical form; what is so already is the same object. */
export function canonicalForm(root: Element): Element {
  return element(root, false);
}

/** `holdsTasks`: its parent is one in which `<cond>` and the like are tasks. */
function element(given: Element, holdsTasks: boolean): Element {
  let at = given;
  if (types.has(at.name) && (holdsTasks || isTaskOf(at)))
    at = {
      ...at,
      name: 'task',
      attributes: new Map([['type', { value: at.name, at: at.at }], ...at.attributes]),
    };
  if (Object.hasOwn(names, at.name)) at = { ...at, name: names[at.name]! };
  if (at.name === 'task') at = withInputs(withSteps(withName(at)));
  else if (holders.has(at.name)) at = wrapped(at);
  const children = same(at.children, child =>
    child.kind === 'element' ? element(child, at.name !== 'task') : child,
  );
  return children === at.children ? at : { ...at, children };
}

/** At the root nothing around it says that it is a task: its own parts do. */
const isTaskOf = ({ name, children, attributes }: Element): boolean =>
  children.some(
    child =>
      child.kind === 'element' &&
      { cond: ['case'], let: ['bind', 'body'], call: ['arg'] }[name]?.includes(child.name),
  ) ||
  (name === 'call' && attributes.has('ref'));

/** `<name>x</name>` is the attribute. */
function withName(task: Element): Element {
  const child = task.children.find(isElement('name'));
  const [only, ...more] = child?.children ?? [];
  if (!child || task.attributes.has('name') || child.attributes.size > 0) return task;
  if (only?.kind !== 'text' || more.length > 0) return task;
  const name: Attribute = { value: only.text.trim(), at: only.at };
  const { before, atEnd } = commentsOf(child);
  return {
    ...withComments(task, {
      before: [...commentsOf(task).before, ...before, ...atEnd],
      atEnd: commentsOf(task).atEnd,
    }),
    attributes: new Map([...task.attributes, ['name', name]]),
    children: task.children.filter(each => each !== child),
  };
}

/** `<step>` among the parts of a sequence, or of its `<steps>`, is a task. */
function withSteps(task: Element): Element {
  if (task.attributes.get('type')?.value !== 'sequential') return task;
  const isStep = isElement('step');
  const first = task.children.find(isStep);
  const gathered =
    first && !task.children.some(isElement('steps'))
      ? [
          ...task.children.filter(child => !isStep(child)),
          newElement('steps', first.at, task.children.filter(isStep)),
        ]
      : task.children;
  const children = same(gathered, child =>
    isElement('steps')(child)
      ? { ...child, children: same(child.children, each => (isStep(each) ? stepTask(each) : each)) }
      : child,
  );
  return children === task.children ? task : { ...task, children };
}

/** Inputs that the design writes beside `<inputs>`: free text in `<parameters>`, and the query of a memory task. */
function withInputs(task: Element): Element {
  const type = task.attributes.get('type')?.value;
  const isMemory = [type, task.attributes.get('subtype')?.value].includes('associative_memory');
  const constraints = isMemory ? task.children.find(isElement('constraints')) : undefined;
  const isInput = (child: Child): child is Element =>
    child.kind === 'element' &&
    (child.name === 'parameters'
      ? type !== 'function' && child.children.some(each => each.kind === 'text' && !isBlank(each.text))
      : (isMemory && child.name === 'query') || constraints?.children.includes(child) === true);
  const children = task.children.flatMap(child => (child === constraints ? constraints.children : [child]));
  const inputs = children.filter(isInput).map(each => ({
    ...each,
    name: 'input',
    attributes: new Map([['name', { value: each.name, at: each.at }], ...each.attributes]),
  }));
  if (inputs.length === 0) return task;
  const holder = children.find(isElement('inputs')) ?? newElement('inputs', inputs[0]!.at, []);
  const rest = children.filter(child => child !== holder && !isInput(child));
  return { ...task, children: [...rest, { ...holder, children: [...holder.children, ...inputs] }] };
}

/** The task in a step, which has the step's attributes as well; else the step itself as one. */
function stepTask(step: Element): Child {
  const asTask: Element = { ...step, name: 'task' };
  const [held, ...more] = step.children;
  if (held?.kind !== 'element' || more.length > 0) return asTask;
  if (held.name !== 'task' && !types.has(held.name)) return asTask;
  // An attribute on both is left to the checker, which reports a task in an atomic one.
  for (const name of step.attributes.keys()) if (held.attributes.has(name)) return asTask;
  const outer = commentsOf(step);
  const inner = commentsOf(held);
  return withComments(
    { ...held, attributes: new Map([...step.attributes, ...held.attributes]) },
    { before: [...outer.before, ...inner.before], atEnd: [...inner.atEnd, ...outer.atEnd] },
  );
}

type Comments = NonNullable<Element['comments']>;

const commentsOf = ({ comments = { before: [], atEnd: [] } }: Element): Comments => comments;

/** With those of an element that is left out. */
const withComments = (element: Element, comments: Comments): Element =>
  comments.before.length + comments.atEnd.length > 0 ? { ...element, comments } : element;

/** A holder whose parts stand in it directly, with a task around them; its own attributes stay with it. */
function wrapped(holder: Element): Element {
  const parts = holder.children.filter(child => child.kind === 'element');
  const isHeld = parts.some(({ name }) => name === 'task' || types.has(name));
  const hasText = holder.children.some(child => child.kind === 'text' && !isBlank(child.text));
  if (parts.length === 0 || isHeld || hasText) return holder;
  return { ...holder, children: [newElement('task', holder.at, holder.children)] };
}

const newElement = (name: string, at: Element['at'], children: Element['children']): Element => ({
  kind: 'element',
  name,
  at,
  attributes: new Map(),
  children,
});

const isElement =
  (name: string) =>
  (child: Child): child is Element =>
    child.kind === 'element' && child.name === name;

/** As `map`; the list itself where nothing changed. */
function same(list: readonly Child[], change: (child: Child) => Child): readonly Child[] {
  let changed: Child[] | undefined;
  for (const [index, child] of list.entries()) {
    const next = change(child);
    if (next === child) continue;
    changed ??= list.slice();
    changed[index] = next;
  }
  return changed ?? list;
}
