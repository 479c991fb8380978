// The tasks that a program of one's own has registered, and how what it wants to run is found among them.
import { formatProblem, invalidInput, type Problem, type Task, TaskError } from '../../engine/texts.ts';
import type { Library, Source } from '../../engine/language.ts';
import { begunSurface, createLibrary, parseProgram } from '../../engine/language.ts';
import { callOf, problemAt, programOf, runnable } from '../../engine/engine.ts';

/** A checked program, and the library that it runs with. */
export interface Runnable {
  program: Task;
  library: Library;
}

export class Registry {
  /** The registered tasks, over those that were there before. */
  library: Library;
  readonly #outer: Library;
  #sources: readonly Source[] = [];

  constructor(outer: Library) {
    this.#outer = outer;
    this.library = outer;
  }

  /** Throws TaskError, and leaves everything as it was then. */
  register(text: string, file: string): void {
    refuse(takenNames({ file, text }, this.library));
    const sources = [...this.#sources, { file, text }];
    const { library, problems } = createLibrary(sources, { outer: this.#outer });
    refuse(problems);
    checked(parseProgram(text, file, library));
    this.#sources = sources;
    this.library = library;
  }

  /** Of a program's source, a checked one, or the name of a registered task; a request in words is itself. Throws TaskError, RangeError. */
  find(task: string | Task): Runnable | string {
    const { library } = this;
    if (typeof task !== 'string') {
      if (task.type !== 'function') return { program: task, library };
      throw invalidInput(
        `${task.name} is a function: give its source or its name, or call it with executeFunctionCall`,
      );
    }
    const surface = begunSurface(task);
    if (surface) {
      const file = `program.${surface}`;
      const program = checked(parseProgram(task, file, library, 'asked for'));
      return runnable(program, { file, text: task }, library);
    }
    if (!library.find(task) && /\S\s+\S/.test(task)) return task;
    const template = library.get(task);
    const { file, source: text } = template;
    return runnable(programOf(template, library), { file, text }, library);
  }

  /** A call of a registered function with parameters of these names. Throws TaskError. */
  callTo(name: string, parameters: readonly string[]): Runnable {
    const { library } = this;
    return { program: checked(parseProgram(callOf(name, parameters), 'call.xml', library)), library };
  }
}

function checked({ program, problems }: ReturnType<typeof parseProgram>): Task {
  refuse(problems);
  return program!;
}

/**
 * The fault that keeps the task of `source` from being registered beside those of `library`: one of its name is there, be it the
 * product's, the folder's, or registered before. Empty where the name is free, and where there is none.
 */
function takenNames(source: Source, library: Library): Problem[] {
  const [own] = createLibrary([source]).library.templates();
  const known = own && library.find(own.name);
  if (!known) return [];
  const at = own.element.attributes.get('name')?.at ?? own.element.at;
  const message = `a task "${own.name}" is registered already (${known.file}): take another name; a task of the product or of the folder is replaced by a template of its name in .github/echelon/ of the folder`;
  return [problemAt(at, message)];
}

/**
 * Throws TaskError where one of `problems` is an error, with all errors in its message: XML_PARSE_ERROR where the first one
 * is that the source is not well-formed, else VALIDATION_ERROR.
 */
export function refuse(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const { file, line, column, syntax } = first;
  throw new TaskError(
    syntax
      ? { code: 'XML_PARSE_ERROR', line, column }
      : { code: 'VALIDATION_ERROR', path: file, line, column },
    errors.map(formatProblem).join('\n'),
  );
}
