// /help
import { bare, type Command, type Reading } from './command.ts';

export const help: Reading<'help'> = {
  kind: 'reads',
  ...bare('help'),
  what: 'this list',
  who: 'read',
  answers: { of: 'commands', say: helpText },
};

/** A Markdown table of all commands; those that are planned are marked as not available yet. */
function helpText(rows: readonly Command[]): string {
  return [
    'A command is a whole line of a comment that begins with `/`; `/echelon status` and `/status` are the same.',
    '',
    '| command | needs | what it does | example |',
    '|---|---|---|---|',
    ...rows.map(({ usage, who, what, kind, example }) => {
      const note = kind === 'planned' ? ' (not available yet)' : '';
      // A `|` would end the cell.
      return `| \`${cell(usage)}\` | ${who} | ${cell(what)}${note} | \`${cell(example)}\` |`;
    }),
  ].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
