// What names are bound to: immutable frames, searched outward.
import type { Json } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';

/** What a name is bound to: the text that `{{name}}` stands for, and the fields that `{{name.field}}` reads. */
export interface Bound {
  readonly text: string;
  readonly fields: Readonly<Record<string, Json>>;
}

/** A string stands for itself, other values for their JSON; the fields are an object's members. */
export function boundValue(value: Json): Bound {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return { text: asText(value), fields: isObject ? (value as Record<string, Json>) : {} };
}

export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** No scope binds the name, or what it is bound to has no such field. */
export class UnboundName extends Error {
  override readonly name = 'UnboundName';
  /** As it was asked for. */
  readonly wanted: string;
  constructor(wanted: string, near: string) {
    super(`nothing binds "${wanted}"${near}`);
    this.wanted = wanted;
  }
}

export class Environment {
  readonly #frame: ReadonlyMap<string, Bound>;
  readonly #outer: Environment | undefined;

  constructor(bindings: Iterable<readonly [string, Bound]> = [], outer?: Environment) {
    this.#frame = new Map(bindings);
    this.#outer = outer;
  }

  /** A child whose bindings hide those of the same name around it; this environment stays as it is. */
  extend(bindings: Iterable<readonly [string, Bound]>): Environment {
    return new Environment(bindings, this);
  }

  /** What `name` is bound to in the nearest frame that binds it. Throws UnboundName. */
  find(name: string): Bound {
    const found = this.#get(name);
    if (!found) throw new UnboundName(name, didYouMean(name, this.names()));
    return found;
  }

  /**
   * What `name` or `name.field` stands for. Names may themselves have dots: the longest bound name counts.
   * Throws UnboundName.
   */
  resolve(path: string): Bound {
    const whole = this.#get(path);
    if (whole) return whole;
    for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      const bound = this.#get(path.slice(0, dot));
      if (!bound) continue;
      const field = path.slice(dot + 1);
      if (Object.hasOwn(bound.fields, field)) return boundValue(bound.fields[field]!);
      throw new UnboundName(path, didYouMean(field, Object.keys(bound.fields)));
    }
    throw new UnboundName(path, didYouMean(path, this.names()));
  }

  /** Every name in reach, nearest first. */
  names(): string[] {
    const names: string[] = [];
    for (let at: Environment | undefined = this; at; at = at.#outer) names.push(...at.#frame.keys());
    return names;
  }

  #get(name: string): Bound | undefined {
    // A loop, not recursion: a long sequence makes a long chain of frames.
    for (let at: Environment | undefined = this; at; at = at.#outer) {
      const found = at.#frame.get(name);
      if (found) return found;
    }
    return undefined;
  }
}
