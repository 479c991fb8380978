// /help
import { bare, type Command, type Reading } from './command.ts';

export const help: Reading<'help'> = {
  kind: 'reads',
  ...bare('help'),
  what: 'this list',
  who: 'read',
  answers: { of: 'commands', say: helpText },
};

/** A Markdown table of all commands. */
function helpText(rows: readonly Command[]): string {
  return [
    'A command is a whole line of a comment that begins with `/`; `/echelon status` and `/status` are the same.',
    '',
    '| command | needs | what it does | example |',
    '|---|---|---|---|',
    ...rows.map(
      ({ usage, who, what, example }) =>
        // A `|` would end the cell, and a line end the table.
        `| \`${cell(usage)}\` | ${who} | ${cell(what)} | \`${cell(example)}\` |`,
    ),
  ].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', '` `');
