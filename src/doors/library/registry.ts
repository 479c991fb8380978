// The tasks that a program of one's own has registered, and how what it wants to run is found among them.
import type { Task } from '../../engine/language/ast.ts';
import { createLibrary, type Library, type Source } from '../../engine/language/library.ts';
import type { Problem } from '../../engine/language/problem.ts';
import { parseProgram } from '../../engine/language/program.ts';
import { refusalOf } from './refusal.ts';
import { TaskError } from '../../engine/language/result.ts';
import { begunSurface } from '../../engine/language/surface/surface.ts';
import { callOf, runnable } from '../../engine/runtime/runnable.ts';
import { takenNames } from './taken-names.ts';
import { programOf } from '../../engine/tasks/template-programs.ts';

/** A checked program, and the library that it runs with. */
export interface Runnable {
  program: Task;
  library: Library;
}

export class Registry {
  /** What is registered, over what was there before. */
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
      throw new TaskError(
        { code: 'INVALID_INPUT' },
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

/** Throws the error of `refusalOf` where one of the problems is an error. */
export function refuse(problems: readonly Problem[]): void {
  const refusal = refusalOf(problems);
  if (refusal) throw refusal;
}
