// `<tools>`: abstract names of what a session may use.
import { ends, gives, type Row, sequence, syntax, task } from './row.ts';

const using = (tools: string) => `<task name="t"><description>x</description><tools>${tools}</tools></task>`;

export const tools: Row[] = [
  gives(
    'between commas and white space',
    using('read_file, search\n  shell,js'),
    {},
    {
      tools: ['js', 'read_file', 'search', 'shell', 'write_file'],
      sessions: { t: { tools: ['js', 'read_file', 'search', 'shell'] } },
    },
  ),
  gives(
    'none are given that are not named',
    task('t', 'x'),
    {},
    { tools: ['ask', 'shell'], sessions: { t: { tools: [] } } },
  ),
  ends(
    'one that is not to be had is found before anything runs',
    sequence(task('a', 'x'), `¦${using('shell')}`),
    'VALIDATION_ERROR',
    { tools: ['ask'], message: 'the tool shell of t is not available here (available: ask)', ran: [] },
  ),
  syntax(
    'one that is not there, with the nearest',
    '<task><description>x</description><tools>¦read_fiel</tools></task>',
    'unknown tool "read_fiel"; did you mean "read_file"?',
  ),
];
