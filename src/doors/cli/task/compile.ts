// `echelon task compile "<request>"`: the program that a model writes for a request.
import { type Compiled, compile } from '../../../engine/tasks/compile.ts';
import { formatProgram } from '../../../engine/language/program.ts';
import { interruption } from '../../interrupt.ts';
import { textOf } from '../options.ts';
import { print } from '../output.ts';
import type { Verb } from './verb.ts';
import { placeProblems, unwritten } from './written-file.ts';
import { forTerminal, oneLine } from '../../progress.ts';
import { openSetupModel, openSetupRuntime } from '../../task-setup.ts';
import { modelOptions, setUp } from './setup.ts';

export const compileVerb: Verb = {
  usage: 'compile "<request>" [options]',
  about: `Writes a program of the task language for a request in plain words, checks it, and prints it.
Exit code 0: done; 1: it failed; 2: called wrongly; 130: ended by Ctrl-C.`,
  options: {
    ...modelOptions,
    parameters: { type: 'boolean', help: 'the program may have parameters, filled with task run --input' },
    out: {
      type: 'string',
      value: 'file',
      help: 'write the program there instead of to stdout; as S-expressions where it ends in .task',
    },
    json: { type: 'boolean', help: 'print program, warnings and costs, or the error, as one JSON object' },
    debug: { type: 'boolean', help: 'stack traces' },
  },
  async run(given, settings) {
    const [request, ...more] = given.positionals;
    const problems = [...given.problems];
    for (const word of more) problems.push(`unexpected argument ${word}; put the request into quotes`);
    if (request === undefined || request.trim() === '')
      problems.push('say in quotes what the program is to do');
    const { setup, problems: wrong } = setUp(given, settings, '.');
    problems.push(...wrong);
    const out = textOf(given, 'out');
    if (out !== undefined) problems.push(...placeProblems('--out', out));
    if (!setup || request === undefined || problems.length > 0) return { problems };
    const { mask, library } = setup;
    const { model } = await openSetupModel(setup, '--budget');
    const runtime = openSetupRuntime(setup, model, { host: settings });
    let compiled: Compiled;
    try {
      const options = await runtime.options({ library, signal: interruption() });
      compiled = await compile(request, options, { parameters: given.values['parameters'] === true });
    } finally {
      await runtime.close();
    }
    const written = mask(compiled.source);
    const source =
      (out?.endsWith('.task') && formatProgram(written, 'compiled.xml', 'task').text?.trimEnd()) || written;
    // It has been paid for: where it cannot be written, it is printed.
    const why = out === undefined ? undefined : unwritten('--out', out, `${source}\n`);
    const lost = why && `${why}; the program is printed`;
    const { warnings, spent } = compiled;
    const told = {
      program: source,
      warnings,
      spent,
      ...(lost !== undefined && { error: { message: lost } }),
    };
    if (given.values['json'] === true) await print(JSON.stringify(told));
    else {
      for (const warning of warnings) console.error(oneLine(`warning: ${mask(warning)}`));
      if (out === undefined || lost !== undefined)
        await print(process.stdout.isTTY ? forTerminal(source) : source);
    }
    if (lost === undefined) return 0;
    console.error(lost);
    return 1;
  },
};
