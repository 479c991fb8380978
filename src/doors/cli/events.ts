// `echelon events`: everything that a session tells while it runs, with the fields of each event.
import { eventTable } from '../../engine/reasoning/events.ts';
import type { Command } from './command.ts';

export const events: Command = {
  usage: 'echelon events [--json]',
  about: 'Lists the events of a session with fields and meaning.',
  options: { json: { type: 'boolean', help: 'print one JSON object' } },
  async run({ values, problems }) {
    if (problems.length > 0) return { problems };
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
  },
};
