// Static knowledge of a value: its kind, its members, its elements.
import { didYouMean, isObject, type Json } from '@echelon/ground';
import type { Output, Task } from './ast.ts';
import type { Steps } from './text.ts';

export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'object';

/** `{}` is a value of which nothing is known. */
export interface Shape {
  readonly kind?: Kind;
  /** It may be null as well. */
  readonly nullable?: boolean;
  /** Members that can be read by name, whatever the kind: a result has content and status besides its outputs. */
  readonly members?: ReadonlyMap<string, Shape>;
  /** True if it has no other members. */
  readonly closed?: boolean;
  readonly element?: Shape;
}

export const unknown: Shape = {};
export const text: Shape = { kind: 'text', closed: true };
export const number: Shape = { kind: 'number', closed: true };

/** Of what a function is bound to, and what has neither value nor members. */
export const nothing: Shape = { closed: true };

/** The result of a session with these outputs. Without any its value is its content. */
const resultWith = (outputs: readonly (readonly [string, Shape])[], content: Shape = unknown): Shape => ({
  ...(outputs.length > 0 ? { kind: 'object' } : content),
  members: new Map([['content', content], ['status', text], ['error', unknown], ...outputs]),
  closed: true,
});

/** The result of `task`, as far as it is known before it runs. */
export function shapeOfResult(task: Task): Shape {
  return task.onFailure ? oneOf([ownShape(task), shapeOfResult(task.onFailure)]) : ownShape(task);
}

function ownShape(task: Task): Shape {
  switch (task.type) {
    case 'atomic':
      return resultWith(task.outputs.map(output => [output.name, shapeOfOutput(output)]));
    case 'script':
      return resultWith(
        // The exit code of a command that was left out is empty.
        [
          ['stdout', text],
          ['stderr', text],
          ['exit_code', unknown],
        ],
        text,
      );
    case 'sequential': {
      const last = task.steps.findLast(step => step.type !== 'function');
      return last ? shapeOfResult(last) : unknown;
    }
    case 'map': {
      const element = dataOf(shapeOfResult(task.inner));
      const list: Shape = { kind: 'list', element };
      const results: Shape = { kind: 'list' };
      return {
        ...list,
        members: new Map([
          ['content', list],
          ['status', text],
          ['results', results],
        ]),
        closed: true,
      };
    }
    case 'reduce':
      return shapeOfResult(task.reduction);
    case 'director-evaluator':
      return shapeOfResult(task.director);
    case 'function':
      return nothing;
    case 'call':
      return unknown;
    case 'cond':
      return oneOf(
        [...task.cases.map(each => each.task), ...(task.otherwise ? [task.otherwise] : [])].map(
          shapeOfResult,
        ),
      );
    case 'let':
      return shapeOfResult(task.body);
  }
}

/** The result's value, without what can be read of a result only. */
const dataOf = ({ kind, element }: Shape): Shape => ({ ...(kind && { kind }), ...(element && { element }) });

/** Members of a result that has one of these shapes. A member that none of them has does not exist. */
function oneOf(shapes: readonly Shape[]): Shape {
  const known = shapes.flatMap(({ members, closed }) => (members && closed ? [members] : []));
  if (known.length < shapes.length) return unknown;
  const names = known.flatMap(members => [...members.keys()]);
  return { members: new Map(names.map(name => [name, unknown])), closed: true };
}

const kinds = { string: 'text', number: 'number', boolean: 'boolean', json: undefined } as const;

function shapeOfOutput({ type, nullable, schema }: Output): Shape {
  const kind = kinds[type];
  const plain: Shape = kind ? { kind, closed: true } : shapeOfSchema(schema);
  return nullable ? { ...plain, nullable } : plain;
}

/** Shape of a JSON Schema, as far as its plain keywords determine it. */
function shapeOfSchema(schema: Json | undefined): Shape {
  if (!schema || !isObject(schema)) return unknown;
  const { type, properties, items, additionalProperties } = schema;
  switch (type) {
    case 'object': {
      if (!properties || !isObject(properties)) return { kind: 'object' };
      const members = new Map(Object.entries(properties).map(([name, each]) => [name, shapeOfSchema(each)]));
      return { kind: 'object', members, ...(additionalProperties === false && { closed: true }) };
    }
    case 'array':
      return { kind: 'list', closed: true, element: shapeOfSchema(items) };
    case 'string':
      return text;
    case 'number':
    case 'integer':
      return number;
    case 'boolean':
      return { kind: 'boolean', closed: true };
    default:
      return unknown;
  }
}

/** Of a value that is there. */
export function shapeOfJson(value: Json): Shape {
  if (Array.isArray(value)) return { kind: 'list' };
  if (isObject(value))
    return {
      kind: 'object',
      members: new Map(Object.entries(value).map(([name, each]) => [name, shapeOfJson(each)])),
      closed: true,
    };
  switch (typeof value) {
    case 'string':
      return text;
    case 'number':
      return number;
    case 'boolean':
      return { kind: 'boolean', closed: true };
    default:
      return unknown;
  }
}

/**
 * Each step of `steps` taken into the shape of `name`; `problem`: the first that is not there, and why. `find` tells
 * which of the names that there are is meant by one that is written.
 */
export function shapeAt(
  shape: Shape,
  steps: Steps,
  name: string,
  find: (written: string, names: readonly string[]) => string = written => written,
): { shape: Shape } | { problem: string } {
  let at = shape;
  let read = name;
  for (const step of steps) {
    if (typeof step === 'number') {
      if (at.kind && at.kind !== 'list')
        return { problem: `"${read}" is ${article[at.kind]}, which has no element [${step}]` };
      at = at.element ?? unknown;
      read += `[${step}]`;
      continue;
    }
    const names = [...(at.members?.keys() ?? [])];
    const inner = at.members?.get(find(step, names)) ?? (step === 'content' ? text : undefined);
    if (!inner && (at.closed || at.kind === 'list'))
      return { problem: `"${read}" has no field "${step}"${didYouMean(step, names)}` };
    at = inner ?? unknown;
    read += `.${step}`;
  }
  return { shape: at };
}

export const article: Readonly<Record<Kind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
};
