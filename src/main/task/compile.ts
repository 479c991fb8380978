// `echelon task compile "<request>"`: the program that a model writes for a request.
import { writeFileSync } from 'node:fs';
import { compile } from '../../tasks/compile.ts';
import { interruption } from '../interrupt.ts';
import { textOf } from '../options.ts';
import { print } from '../output.ts';
import type { Verb } from './verb.ts';
import { settingsOf } from './config.ts';
import { evaluationOf, lazySandbox } from './evaluation.ts';
import { openTaskModel } from './model.ts';
import { forTerminal, oneLine } from './progress.ts';
import { modelOptions, setUp } from './setup.ts';

export const compileVerb: Verb = {
  usage: 'compile "<request>" [options]',
  about: `Writes a program of the task language for a request in plain words, checks it, and prints it.
Exit code 0: done; 1: it failed; 2: called wrongly; 130: ended by Ctrl-C.`,
  options: {
    ...modelOptions,
    parameters: { type: 'boolean', help: 'the program may have parameters, filled with task run --input' },
    out: { type: 'string', value: 'file', help: 'write the program there instead of to stdout' },
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
    if (!setup || request === undefined || problems.length > 0) return { problems };
    const { mask, library, models } = setup;
    const { model } = openTaskModel(setup.choice, { budget: setup.budget, prices: setup.config.prices });
    const out = textOf(given, 'out');
    const options = {
      model,
      models,
      library,
      settings: settingsOf(setup.config),
      sandbox: lazySandbox(),
      reasoning: setup.config.reasoning,
      signal: interruption(),
    };
    const compiled = await compile(request, evaluationOf(options), {
      parameters: given.values['parameters'] === true,
    });
    const source = mask(compiled.source);
    if (out !== undefined) writeFileSync(out, `${source}\n`);
    if (given.values['json'] === true)
      await print(JSON.stringify({ program: source, warnings: compiled.warnings, spent: compiled.spent }));
    else {
      for (const warning of compiled.warnings) console.error(oneLine(`warning: ${mask(warning)}`));
      if (out === undefined) await print(process.stdout.isTTY ? forTerminal(source) : source);
    }
    return 0;
  },
};
