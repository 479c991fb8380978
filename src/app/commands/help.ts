// The answer to /help, made from the rows of the commands.
import { type CommandName, table } from './table.ts';

/** A Markdown table of all commands; those not in `available` are marked as not available yet. */
export function helpText({ available }: { available: ReadonlySet<CommandName> }): string {
  const rows = table.map(({ name, usage, who, what, example }) => {
    const note = available.has(name) ? '' : ' (not available yet)';
    // A `|` would end the cell.
    return `| \`${cell(usage)}\` | ${who} | ${cell(what)}${note} | \`${cell(example)}\` |`;
  });
  return [
    'A command is a whole line of a comment that begins with `/`; `/echelon status` and `/status` are the same.',
    '',
    '| command | needs | what it does | example |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
