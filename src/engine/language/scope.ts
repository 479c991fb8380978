// The names in reach at a place of a program, as far as they are known without running it.
import type { Task } from './ast.ts';
import { nothing, type Shape, text, unknown } from './shape.ts';
import { isOfLanguage } from './names.ts';
import type { Position } from './problem.ts';
import { bindable, longestBound, type Steps } from './text.ts';

export interface Name {
  /** Known shape of the value. */
  shape: Shape;
  used: boolean;
  /** The fields that are read by their name, '' for the content alone; `all`: it is read as a whole, too. */
  read: Set<string> | 'all' | undefined;
  /** Of a function: the names of its parameters. */
  parameters?: readonly string[];
  /** The task whose result it is, or else the one in whose scope it is bound; undefined: it is bound before the program. */
  by?: Task | undefined;
}

/** A name that one task binds and another reads. */
export interface Flow {
  readonly name: string;
  readonly from: Task;
  readonly to: Task;
}

/** Static knowledge of a name that is bound before a program. */
export interface Known {
  readonly shape: Shape;
  /** Of a function: the names of its parameters. */
  readonly parameters?: readonly string[];
}

/** Results that precede a program, like the steps before a step: their names, and the last of them, `output` in tests. */
export interface KnownPreceding {
  readonly names: ReadonlyMap<string, Known>;
  readonly previous?: { readonly shape: Shape };
}

/** Names in reach: those of this place, then those around it. */
export class Scope {
  readonly #names = new Map<string, Name>();
  readonly #outer: Scope | undefined;
  /** The files of a template that is taken here: what is written in them sees nothing around it but the settings. */
  #files: readonly string[] | undefined;
  #asksIn: string | undefined;
  #task: Task | undefined;

  constructor(outer?: Scope, names: readonly [string, Name][] = []) {
    this.#outer = outer;
    for (const [bound, as] of names) this.bind(bound, as);
  }

  /** Names in reach of a task; `files`: of a template, and of what is given to it where it is taken. */
  static ofTask(task: Task, outer: Scope, files?: readonly string[]): Scope {
    const scope = new Scope(outer);
    scope.#files = files;
    scope.#task = task;
    return scope;
  }

  /** Of the outermost scope: what tasks read of each other, once for each place that reads. */
  readonly flows: Flow[] = [];

  /** Notes that the task of this scope reads `name`. */
  noteRead(name: string, { by: from }: Name): void {
    const to = this.#reader();
    if (from && to && from !== to) this.#outermost().flows.push({ name, from, to });
  }

  #reader(): Task | undefined {
    let scope: Scope | undefined = this;
    while (scope && !scope.#task) scope = scope.#outer;
    return scope ? scope.#task : undefined;
  }

  #outermost(): Scope {
    let outermost: Scope = this;
    while (outermost.#outer) outermost = outermost.#outer;
    return outermost;
  }

  /** Of the outermost scope: a name that nothing binds and that is read in `file` becomes one that is asked for. */
  askIn(file: string): void {
    this.#asksIn = file;
  }

  /** Names that are asked for, each with the first place that reads it, in that order. */
  readonly asked: { name: string; at: Position }[] = [];

  /** Binds the first part of `path` where the outermost scope may ask for it; the names that were near it, if so. */
  ask(path: string, at: Position): readonly string[] | undefined {
    const { file } = at;
    const outermost = this.#outermost();
    const [name = path] = path.split(/[.[]/, 1);
    if (outermost.#asksIn !== file || isOfLanguage(name) || !bindable.test(name)) return undefined;
    const near = this.names(file);
    outermost.asked.push({ name, at });
    outermost.bind(name, unread());
    return near;
  }

  /** The binding of `wanted` for a text in `file`. */
  get(wanted: string, file?: string): Name | undefined {
    for (
      let scope: Scope | undefined = this;
      scope;
      scope = scope.#files ? scope.#next(file) : scope.#outer
    ) {
      const found = scope.#names.get(wanted);
      if (found) return found;
    }
    return undefined;
  }

  /** The scope around this one, as far as `file` sees it. */
  #next(file: string | undefined): Scope | undefined {
    if (!this.#files || file === undefined || !this.#files.includes(file)) return this.#outer;
    const outermost = this.#outermost();
    return outermost === this ? undefined : outermost;
  }

  /** Marks the name as read, where it is bound. */
  use(name: string): void {
    const bound = this.get(name);
    if (bound) bound.used = true;
  }

  bind(bound: string, as: Name): void {
    as.by ??= this.#reader();
    this.#names.set(bound, as);
  }

  /** As `get`, whatever the case of its letters: a name that is written otherwise counts where `wanted` is not bound. */
  getAnyCase(wanted: string, file?: string): { name: string; bound: Name } | undefined {
    const bound = this.get(wanted, file);
    if (bound) return { name: wanted, bound };
    const name = this.names(file).find(each => each.toLowerCase() === wanted.toLowerCase());
    return name === undefined ? undefined : { name, bound: this.get(name, file)! };
  }

  /** The binding that a placeholder's `path` in `file` reads; undefined if nothing binds it. */
  find(path: string, file?: string): { name: string; bound: Name; steps: Steps } | undefined {
    return longestBound(path, name => this.get(name, file));
  }

  /** Every name in reach of what is written in `file`, nearest first. */
  names(file?: string): string[] {
    return [...this.#names.keys(), ...(this.#next(file)?.names(file) ?? [])];
  }
}

/** A name that nothing has read yet. */
export const unread = (shape: Shape = unknown): Name => ({ shape, used: false, read: undefined });

/** A function that nothing has called yet. */
export const callable = (parameters: readonly string[]): Name => ({ ...unread(nothing), parameters });

/** Names of texts. */
export const texts = (names: readonly string[]): [string, Name][] => names.map(name => [name, unread(text)]);

/** Names of values that are known only when the program runs. */
export const values = (names: readonly string[]): [string, Name][] => names.map(name => [name, unread()]);
