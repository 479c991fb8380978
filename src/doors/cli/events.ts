// `echelon events`: everything that a session tells while it runs, with the fields of each event.
import { eventTable } from '../../engine/reasoning/events.ts';
import { type OptionSpec, optionsHelp, readOptions } from './options.ts';

const options = {
  json: { type: 'boolean', help: 'print one JSON object' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies Record<string, OptionSpec>;

const help = `Usage: echelon events [--json]

Lists the events of a session with fields and meaning.

${optionsHelp(options)}`;

export async function events(argv: string[]): Promise<number> {
  const { values, positionals, problems } = readOptions(argv, options);
  if (values['help']) {
    console.log(help);
    return 0;
  }
  problems.push(...positionals.map(word => `unexpected argument ${word}`));
  if (problems.length > 0) {
    console.error(`${problems.join('\n')}\n\n${help}`);
    return 2;
  }
  if (values['json']) {
    console.log(JSON.stringify(eventTable));
    return 0;
  }
  const rows = Object.entries(eventTable);
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  for (const [name, { fields, says }] of rows) {
    console.log(`${name.padEnd(width)}${says}`);
    console.log(`${''.padEnd(width)}${fields.join(', ')}`);
  }
  return 0;
}
