// The rows of the commands: each describes and reads itself, and nothing else in the house has to know its name.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { help } from '../../../src/app/commands/help.ts';
import { parseCommands } from '../../../src/app/commands/parse.ts';
import { changingRow, signalCommands } from '../../../src/app/commands/signal.ts';
import { commands, table } from '../../../src/app/commands/table.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { signalOf } from '../../../src/app/run/receive-signals.ts';

const helpLines = () =>
  help.answers.of === 'commands'
    ? help.answers
        .say(table)
        .split('\n')
        .filter(line => line.startsWith('| `'))
    : [];

test.for(Object.entries(commands))('%s stands in its file, under its name', ([key, row]) => {
  expect(row.name).toBe(key);
  expect(row.usage).toMatch(new RegExp(`^/${key}\\b`));
  expect(readFileSync(`src/app/commands/${key}.ts`, 'utf8')).toMatch(new RegExp(`^// /${key}\\b`));
});

test.for(table)('the example of /$name reads as itself', row => {
  const { commands: read, problems } = parseCommands(row.example);
  expect(problems).toEqual([]);
  expect(read).toMatchObject([{ name: row.name, line: 1 }]);
});

test.for(signalCommands)('what the example of /%s says is a value that its signal takes', name => {
  const row = changingRow(name)!;
  const [command] = parseCommands(row.example).commands;
  // As it comes out of a record.
  const { value } = JSON.parse(JSON.stringify(signalOf(command!, { id: 7, author: 'wanda' }))) as {
    value: Json;
  };
  expect(row.value.parse(value)).toStrictEqual(value);
});

describe('help', () => {
  test('has one line for each command, in their order', () => {
    expect(helpLines().map(line => /`\/([\w-]+)/.exec(line)?.[1])).toEqual(Object.keys(commands));
  });
  test('holds no command', () => {
    expect(parseCommands(helpLines().join('\n'))).toEqual({ commands: [], problems: [] });
  });
});

/** Files outside of `app/commands` that hold the name of a command as a literal of its own, and why. */
const elsewhere: Record<string, string> = {
  'src/app/cascade/approval.ts': 'the program waits for its signal',
  'src/app/cascade/ask-layer.ts': 'the program waits for its signal',
  'src/app/cascade/standing.ts': 'what the signal names of a listing',
  'src/app/cascade/parse-reply.ts': 'a member of an action',
  'src/app/cascade/questions.ts': 'the program waits for its signal',
  'src/app/engineer/attempt/around-inputs.ts': 'an input of the engineer',
  'src/app/engineer/attempt/evaluation.ts': 'an input of the engineer',
  'src/app/engineer/batch/batch.ts': 'the program waits for its signal',
  'src/app/engineer/integration/base-tests.ts': 'the program waits for its signal',
  'src/app/engineer/delivery/held-checks.ts': 'a key of the configuration: whether checks wait',
  'src/app/engineer/delivery/release-checks.ts': 'what its signal carries',
  'src/app/engineer/delivery/send-commit.ts': 'a key of the configuration: whether checks wait',
  'src/app/engineer/slots/questions.ts': 'the program waits for its signal',
  'src/app/engineer/batch/round.ts': 'what its signal carries',
  'src/app/run/history.ts': 'what is read of its signal: when the run was halted',
  'src/app/run/program.ts': 'the program waits for its signal',
  'src/app/run/redirect.ts': 'what its signal carries',
  'src/app/run/run-journal.ts': 'the program waits for its signal',
  'src/app/comments/attempt-end.ts': 'a class of failure',
  'src/app/comments/round.ts': 'a class of failure: the budget',
  'src/app/cascade/review.ts': 'a class of failure: the budget',
  'src/app/comments/budget.ts': 'a field of a layer: its budget',
  'src/app/comments/headline.ts': 'a phase of the run',
  'src/app/comments/fold.ts': 'a word of a state: the run waits for its budget',
  'src/app/engineer/batch/handle-report.ts': 'a class of failure: the budget',
  'src/app/config/caps.ts': 'a key of the configuration: the budget',
  'src/app/config/config.ts': 'a key of the configuration: the budget',
  'src/app/handlers/labelled-text.ts': 'what begins a run reads it',
  'src/doors/action/task-mode.ts': 'an input of the Action',
  'src/doors/action/task-plan.ts': 'an input of the Action',
  'src/doors/app/github-limits.ts': "a field of GitHub's answer",
  'src/doors/app/endpoints.ts': 'a label of a metric',
  'src/doors/app/webhooks.ts': "a field of GitHub's answer",
  'src/doors/cli/cli.ts': 'an option of the command line',
  'src/doors/cli/demo-options.ts': 'an option of the command line',
  'src/doors/cli/demo.ts': 'an option of the command line',
  'src/doors/cli/init.ts': 'an option of the command line',
  'src/doors/cli/serve.ts': 'an option of the command line',
  'src/doors/cli/task/play-samples.ts': 'an output of a question',
  'src/doors/cli/task/setup.ts': 'an option of the command line',
  'src/doors/finding.ts': 'a field of what doctor finds',
  'src/doors/task-setup.ts': 'an input of the Action, an option of the command line',
};

/** The other wings cannot import the app. In `app/comments`, a name behind a slash is a word of a sentence. */
test('no other file names a command', () => {
  const names = Object.keys(commands).join('|');
  const bare = new RegExp(`(?<!\\w\\[)(['"\`])(?:${names})\\1`);
  const typed = new RegExp(`(?<!\\w\\[)(['"\`])/?(?:${names})\\1`);
  const naming = globSync('src/{app,doors}/**/*.ts').filter(file => {
    if (file.startsWith('src/app/commands/')) return false;
    const pattern = file.startsWith('src/app/comments/') ? bare : typed;
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '');
    return pattern.test(code);
  });
  expect(naming.sort()).toEqual(Object.keys(elsewhere).sort());
});
