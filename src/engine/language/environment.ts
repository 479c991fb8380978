// Bindings of names: immutable frames, searched outward.
import { didYouMean, isObject, type Json } from '@echelon/ground';
import type { FunctionTask } from './ast.ts';
import { longestBound, type Steps } from './text.ts';
import type { TaskResult } from './result.ts';
import type { Known, KnownPreceding } from './scope.ts';
import { type Shape, shapeOfJson } from './shape.ts';

/** The value that a name is bound to. */
export interface Bound {
  /** The text that replaces `{{name}}`. */
  readonly text: string;
  /** The members that `{{name.field}}` reads, and `name.field` in a test. */
  readonly fields: Readonly<Record<string, Json>>;
  /** The value for a test of the whole, for a list, or for a further program. */
  readonly value: Json;
  /** A model wrote it: what is no list is not made one by its lines. */
  readonly reply?: true;
  /** A script printed it, and its middle is left out. */
  readonly cut?: true;
  /** Of a failure: elements that there are not read as nothing, so that no handler of it fails for them. */
  readonly lenient?: true;
  /** Of a function: the task, and the frame that its body sees. */
  readonly closure?: { readonly task: FunctionTask; readonly environment: Environment };
}

const noFields: Readonly<Record<string, Json>> = {};

/** A string stands for itself, other values for their JSON; the fields are an object's members. */
export function boundValue(value: Json): Bound {
  if (typeof value === 'string') return { text: value, fields: noFields, value };
  return { text: asText(value), fields: isObject(value) ? value : noFields, value };
}

/** Text form of a value: a string unchanged, everything else as JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** No scope binds the name, or what it is bound to has no such field. */
export class UnboundName extends Error {
  /** `; did you mean "x"?`, or nothing when no bound name or field is near. */
  readonly near: string;
  constructor(wanted: string, near: string) {
    super(`nothing binds "${wanted}"${near}`);
    this.near = near;
  }
}

function stepInto(value: Json, step: Steps[number]): Json | undefined {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  if (isObject(value) && Object.hasOwn(value, step)) return value[step];
  // Of a list of results, those without outputs are texts, and those without content are their outputs.
  return step === 'content' ? asText(value) : undefined;
}

/** Bindings of one place. Extending gives a new environment and leaves this one as it is. */
export class Environment {
  readonly #bindings: ReadonlyMap<string, Bound>;
  readonly #outer: Environment | undefined;

  /** An environment around everything; use `extend` for those within. */
  constructor(bindings: Iterable<readonly [string, Bound]> = [], outer?: Environment) {
    this.#bindings = new Map(bindings);
    this.#outer = outer;
  }

  /** A child whose bindings hide those of the same name around it; this environment stays as it is. */
  extend(bindings: Iterable<readonly [string, Bound]>): Environment {
    return new Environment(bindings, this);
  }

  /** The binding of `name` in the nearest frame that has it; undefined if none has. */
  get(name: string): Bound | undefined {
    // A loop, not recursion: a deep program makes a long chain of frames.
    for (let at: Environment | undefined = this; at; at = at.#outer) {
      const found = at.#bindings.get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** As `get`, whatever the case of its letters: a name that is written otherwise counts where `name` is not bound. */
  getAnyCase(name: string): Bound | undefined {
    const bound = this.get(name);
    if (bound) return bound;
    const other = this.names().find(each => each.toLowerCase() === name.toLowerCase());
    return other === undefined ? undefined : this.get(other);
  }

  /** As `get`. Throws UnboundName. */
  find(name: string): Bound {
    const found = this.get(name);
    if (!found) throw new UnboundName(name, didYouMean(name, this.names()));
    return found;
  }

  /**
   * The value of `name`, `name.field` or `name.list[0].field`. Names may contain dots themselves: the longest bound
   * name wins. Throws UnboundName.
   */
  resolve(path: string): Bound {
    const found = longestBound(path, name => this.get(name));
    if (!found) throw new UnboundName(path, didYouMean(path, this.names()));
    const { bound, steps } = found;
    if (steps.length === 0) return bound;
    let at = typeof steps[0] === 'string' ? bound.fields : bound.value;
    for (const step of steps) {
      const next = stepInto(at, step);
      if (next === undefined && bound.lenient) return boundValue('');
      if (next === undefined)
        throw new UnboundName(path, isObject(at) ? didYouMean(String(step), Object.keys(at)) : '');
      at = next;
    }
    return boundValue(at);
  }

  /** Every name in reach, nearest first. */
  names(): string[] {
    const names: string[] = [];
    for (let at: Environment | undefined = this; at; at = at.#outer)
      for (const name of at.#bindings.keys()) names.push(name);
    return names;
  }
}

// Bindings that earlier programs leave for the next one: immutable, as the environments made of them are.

/** A name, what it is bound to, and what the check knows of it. */
export interface BoundName extends Known {
  readonly bound: Bound;
}

export interface Preceding extends KnownPreceding {
  readonly names: ReadonlyMap<string, BoundName>;
  readonly previous?: { readonly shape: Shape; readonly result: TaskResult };
}

export const nothingPreceding: Preceding = { names: new Map() };

/** The settings of a run as the frame around everything. */
export const settingsFrame = (settings: Readonly<Record<string, string>>): Environment =>
  new Environment(Object.entries(settings).map(([name, value]) => [name, boundValue(value)]));

/** Binds `preceding` within `settings`. */
export const environmentOf = ({ names }: Preceding, settings: Environment): Environment =>
  settings.extend([...names].map(([name, { bound }]) => [name, bound]));

/** The newest binding comes last. */
export function binding(preceding: Preceding, names: readonly string[], as: BoundName): Preceding {
  const kept = [...preceding.names].filter(([name]) => !names.includes(name));
  return { ...preceding, names: new Map([...kept, ...names.map(name => [name, as] as const)]) };
}

export const withValue = (preceding: Preceding, name: string, value: Json): Preceding =>
  binding(preceding, [name], { bound: boundValue(value), shape: shapeOfJson(value) });

export const without = (preceding: Preceding, name: string): Preceding => ({
  ...preceding,
  names: new Map([...preceding.names].filter(([each]) => each !== name)),
});
