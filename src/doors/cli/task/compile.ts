// `echelon task compile "<request>"`: the program that a model writes for a request.
import { type Compiled, compile } from '../../../engine/tasks/compile.ts';
import { interruption } from '../../interrupt.ts';
import { print } from '../output.ts';
import type { Verb } from '../options.ts';
import { forTerminal, oneLine } from '../../progress.ts';
import { openSetupModel, openSetupRuntime } from '../../task-setup.ts';
import { modelOptions, setUp } from './setup.ts';

export const compileVerb: Verb = {
  usage: 'compile "<request>" [options]',
  about: `Writes a program for a request in plain words, checks it, and prints it.
Exit code 0: done; 1: failed; 2: wrong call; 130: Ctrl-C.`,
  options: {
    ...modelOptions,
    parameters: { type: 'boolean', help: 'the program may have parameters (task run --input)' },
    json: { type: 'boolean', help: 'print program, warnings and costs, or the error, as JSON' },
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
    const source = mask(compiled.source);
    const { warnings, spent } = compiled;
    if (given.values['json'] === true) await print(JSON.stringify({ program: source, warnings, spent }));
    else {
      for (const warning of warnings) console.error(oneLine(`warning: ${mask(warning)}`));
      await print(process.stdout.isTTY ? forTerminal(source) : source);
    }
    return 0;
  },
};
