// Collects the lines that a person enters into entries, and classifies them.
import { isWholeExpression } from '../../../../engine/engine.ts';
import { BegunSource, begunSurface, SOURCE_LIMIT } from '../../../../engine/language.ts';

export type Entry =
  | { kind: 'command'; name: string; rest: string }
  /** `to`: the name that it is bound to. In the source it stands as white space, so that places are those of the entry. */
  | { kind: 'program' | 'expression'; source: string; to: string | undefined };

/** `name =`, also behind `:let`. */
const assignment = /^\s*(?::let\s+)?([A-Za-z_][\w-]*)\s*=(?!=)\s*/;

export function readEntry(text: string): Entry {
  const [prefix = '', to] = assignment.exec(text) ?? [];
  const command = to === undefined ? /^\s*:(\S*)\s*(.*)$/s.exec(text) : null;
  if (command) return { kind: 'command', name: command[1] ?? '', rest: (command[2] ?? '').trim() };
  const rest = text.slice(prefix.length);
  const source = prefix.replace(/[^\n]/g, ' ') + rest;
  const begin = rest.trimStart();
  const isProgram = begunSurface(begin) === 'xml' || sExpression.test(begin);
  if (isProgram) return { kind: 'program', source, to };
  // `{{draft.files}}` is the expression in it.
  return { kind: 'expression', source: source.replace(/^(\s*)\{\{([^{}]*)\}\}\s*$/, '$1  $2'), to };
}

/** An expression may begin with a bracket, too: behind that of a program stands a word of the language. */
const sExpression = /^(?:;|\(\s*(?:task|cond|let|call)(?![\w-])(?!\s*[=!<>&|.[]))/;

/** An entry that is whole; one that is longer than any program may be is not kept. */
export type Whole = { text: string; line: number } | { characters: number; line: number };

/** Takes lines, gives entries. */
export class EntryReader {
  #lines: string[] = [];
  #characters = 0;
  #program: BegunSource | undefined;
  #read = 0;
  #first = 0;

  /** Something was begun that is not whole. */
  get isBegun(): boolean {
    return this.#characters > 0;
  }

  /** The entry that ends with this line, if one does. */
  add(line: string): Whole | undefined {
    this.#read++;
    if (!this.isBegun) {
      if (line.trim() === '') return undefined;
      this.#first = this.#read;
    }
    this.#characters += line.length + 1;
    if (this.#characters <= SOURCE_LIMIT + 1 || !this.#program) this.#lines.push(line);
    return this.#endsWith(line) ? this.take() : undefined;
  }

  /** Returns the unfinished entry as it is, and forgets it. */
  take(): Whole | undefined {
    if (!this.isBegun) return undefined;
    const [characters, line, text] = [this.#characters - 1, this.#first, this.#lines.join('\n')];
    this.#lines = [];
    this.#characters = 0;
    this.#program = undefined;
    return characters > SOURCE_LIMIT ? { characters, line } : { text, line };
  }

  #endsWith(line: string): boolean {
    if (line.trim() === '') return false;
    if (this.#program) return this.#program.endsWith(line);
    const entry = readEntry(this.#lines.join('\n'));
    if (entry.kind === 'command') return true;
    if (entry.kind === 'expression') return isWholeExpression(entry.source);
    this.#program = new BegunSource();
    return this.#program.endsWith(entry.source);
  }
}
