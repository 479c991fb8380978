// `echelon task compile "<request>"`: the program that a model writes for a request.
import { compile, type Compiled } from '../../../engine/engine.ts';
import { interruption } from '../../interrupt.ts';
import { print } from '../output.ts';
import type { Command } from '../command.ts';
import { forTerminal, oneLine } from '../../progress.ts';
import { openSetupModel, openSetupRuntime } from '../../task-setup.ts';
import { modelOptions, setUp } from './setup.ts';

export const compileVerb: Command = {
  usage: 'echelon task compile "<request>" [options]',
  about: `Writes a program for a request in plain words, checks it, and prints it.
Exit code 0: done; 1: failed; 2: wrong call; 130: Ctrl-C.`,
  options: {
    ...modelOptions,
    parameters: { type: 'boolean', help: 'the program may have parameters (task run --input)' },
    json: { type: 'boolean', help: 'print program, warnings and costs, or the error, as JSON' },
    debug: { type: 'boolean', help: 'stack traces' },
  },
  takes: { missing: 'say in quotes what the program is to do', hint: '; put the request into quotes' },
  async run(given, settings) {
    const { problems } = given;
    const { setup, problems: wrong } = setUp(given, settings, '.');
    problems.push(...wrong);
    if (!setup || problems.length > 0) return { problems };
    const [request = ''] = given.positionals;
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
