// What programs that ran before another one leave for it: a value, as the environments that it makes are.
import type { Json } from '@echelon/ground';
import { type Bound, boundValue, Environment } from './environment.ts';
import type { TaskResult } from './result.ts';
import type { Known, KnownPreceding } from './scope.ts';
import { type Shape, shapeOfJson } from './shape.ts';

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

/** What `preceding` binds, within `settings`. */
export const environmentOf = ({ names }: Preceding, settings: Environment): Environment =>
  settings.extend([...names].map(([name, { bound }]) => [name, bound]));

/** What is bound last stands last. */
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
