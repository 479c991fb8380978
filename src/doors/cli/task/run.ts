// `echelon task run <file|name>` and `do "<request>"`: evaluate one program, its result on stdout, what it does on stderr.
import { digest, systemClock } from '@echelon/ground';
import { JournalRefused } from '@echelon/ground/journal';
import type { TaskResult } from '../../../engine/texts.ts';
import { openMemory, openServers, type ProgramFor, secretsOfServers } from '../../../engine/engine.ts';
import { askOnTerminal } from '../ask-terminal.ts';
import { writingEvents, forTerminal, oneLine, progressLine } from '../../progress.ts';
import { openProgramJournal, type ProgramJournal } from './program-journal.ts';
import { Interrupted, interruption } from '../../interrupt.ts';
import { print, resultText, showingPrompts } from '../output.ts';
import type { Settings } from '../../settings.ts';
import type { Command } from '../command.ts';
import { liveView } from '../live.ts';
import { planRun, type RunPlan } from './run-plan.ts';
import { openSetupModel, openSetupRuntime } from '../../task-setup.ts';
import { folderOptions, inputOption, mcpOption, modelOptions } from './setup.ts';

export const run: Command = {
  usage: 'echelon task run <file or name> [--input name=text ...] [options]',
  about: `Runs a program: a file, or a registered task (the product's, or of .github/echelon/ in the folder). The result goes to
stdout: content, then each output as "name: value". Warnings and progress go to stderr.
Exit code 0: COMPLETE; 1: failed; 2: wrong call, nothing was done; 130: Ctrl-C.`,
  options: {
    input: {
      ...inputOption,
      help: 'a parameter; name=@file reads a file, name:=json gives JSON',
    },
    ...modelOptions,
    ...folderOptions,
    mcp: mcpOption,
    journal: {
      type: 'string',
      value: 'file',
      help: 'keeps results there; the same call continues from them',
    },
    json: { type: 'boolean', help: 'print the whole result, or the error, as JSON' },
    debug: {
      type: 'boolean',
      help: 'print events, prompts and stack traces on stderr',
    },
  },
  takes: { missing: 'name the program: a file, or a registered task' },
  async run(given, settings) {
    const plan = planRun(given, settings, 'run');
    return 'problems' in plan ? plan : await carryOut(plan, settings);
  },
};

export const doVerb: Command = {
  ...run,
  usage: 'echelon task do "<request>" [--input name=text ...] [options]',
  about: `Carries out a request in plain words: runs the registered task that fits best with these inputs, otherwise a program that
a model writes. Output and exit codes are those of task run.`,
  takes: { missing: 'say in quotes what is to be done', hint: '; put the request into quotes' },
  async run(given, settings) {
    const plan = planRun(given, settings, 'do');
    return 'problems' in plan ? plan : await carryOut(plan, settings);
  },
};

async function carryOut(plan: RunPlan, settings: Settings): Promise<number | { problems: string[] }> {
  const { setup, program, inputs, folder, allowScripts, json } = plan;
  const { mask } = setup;
  const tells = plan.debug || process.stderr.isTTY === true;
  const live =
    settings.live && process.stderr.isTTY && !json && !plan.debug ? liveView(process.stderr) : undefined;
  const say = (line: string) => {
    const text = mask(oneLine(line));
    if (live) live.line(text);
    else if (tells) process.stderr.write(`${text}\n`);
  };
  const writeEvent = writingEvents(say);
  const journal = openJournal(plan);
  if (journal instanceof JournalRefused) {
    return { problems: [`--journal ${journal.message}`] };
  }
  if (journal && journal.steps > 0)
    say(`goes on after ${journal.steps} ${journal.steps === 1 ? 'result' : 'results'} of ${plan.journal}`);
  for (const warning of plan.warnings) console.error(mask(oneLine(warning)));
  const signal = interruption();
  const { model, used } = await openSetupModel(setup, '--budget', journal);
  journal?.watch(used);
  const asked = plan.debug ? showingPrompts(model, text => process.stderr.write(`${mask(text)}\n`)) : model;
  const runtime = openSetupRuntime(setup, asked, {
    ...{ folder, allowScripts, host: settings, mask },
    secretsPresent: setup.choice.provider !== 'scripted' || secretsOfServers(setup.servers).length > 0,
    source: openServers(setup.servers, { ...settings, mask, onNote: line => say(line) }),
    ...(process.stdin.isTTY && {
      ask: (question, stop) => {
        const ask = () => askOnTerminal(question, stop);
        return live ? live.aside(ask) : ask();
      },
    }),
    ...(plan.remembers && { memory: openMemory({ folder }, { signal, onNote: say }) }),
    onEvent(event) {
      live?.event(event);
      const line = progressLine(event);
      if (line !== undefined) say(line);
      if (plan.debug) writeEvent(event);
    },
  });
  let result: TaskResult;
  try {
    const execution = { library: setup.library, signal, ...(journal && { step: journal.step }) };
    const running =
      typeof program === 'string'
        ? runtime.meet(program, inputs, execution, found => say(chosenLine(found)))
        : runtime.run(program, inputs, execution);
    result = await running.finally(() => live?.end());
  } catch (error) {
    if (error instanceof Interrupted && plan.journal)
      console.error(`the same call goes on from ${plan.journal}`);
    throw error;
  } finally {
    await runtime.close();
    journal?.close();
    // Nobody should take an old result for a new one.
    if (journal && journal.steps > 0 && journal.made === 0)
      console.error(`everything was in ${plan.journal} already; delete it to run again`);
  }
  return await tellResult(result, json, mask);
}

const chosenLine = ({ program, source }: ProgramFor): string =>
  source === undefined
    ? `runs the registered task ${program.name}`
    : `no registered task fits; runs ${source}`;

function openJournal(plan: RunPlan): ProgramJournal | JournalRefused | undefined {
  const { journal, source, inputs, setup, folder } = plan;
  if (journal === undefined) return undefined;
  const { choice } = setup;
  const model =
    choice.provider === 'scripted'
      ? `script ${digest(choice.script)}`
      : `${choice.provider} ${plan.model ?? 'by task'}`;
  const templates = setup.library.templates().map(each => [each.name, each.digest]);
  try {
    return openProgramJournal(
      journal,
      { program: source, inputs: digest(inputs), library: digest(templates), model, folder },
      { mask: setup.mask, clock: systemClock },
    );
  } catch (error) {
    if (error instanceof JournalRefused) return error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return new JournalRefused(`${journal}: cannot be written (${code})`);
  }
}

async function tellResult(
  result: TaskResult,
  json: boolean,
  mask: (text: string) => string,
): Promise<number> {
  for (const warning of result.notes.warnings) console.error(mask(oneLine(`warning: ${warning}`)));
  if (json) await print(mask(JSON.stringify(result)));
  else {
    const text = mask(resultText(result));
    await print(process.stdout.isTTY ? forTerminal(text) : text);
  }
  const { turns, cost_usd } = result.notes.dataUsage;
  if (process.stderr.isTTY)
    console.error(`${result.status} after ${turns} model calls, $${cost_usd.toFixed(4)}`);
  if (result.status === 'COMPLETE') return 0;
  console.error(`the program ended as ${result.status}, which is not complete`);
  return 1;
}
