// `<tools>`: abstract names of what a session may use.
import { type Row, sequence, task } from './row.ts';

const using = (tools: string) => `<task name="t"><description>x</description><tools>${tools}</tools></task>`;

export const tools: Row[] = [
  {
    name: 'between commas and white space',
    program: using('read_file, search\n  shell,js'),
    tools: ['js', 'read_file', 'search', 'shell', 'write_file'],
    expected: { result: {}, sessions: { t: { tools: ['js', 'read_file', 'search', 'shell'] } } },
  },
  {
    name: 'one twice is one',
    program: using('ask ask'),
    tools: ['ask'],
    expected: { result: {}, sessions: { t: { tools: ['ask'] } } },
  },
  {
    name: 'none are given that are not named',
    program: task('t', 'x'),
    tools: ['ask', 'shell'],
    expected: { result: {}, sessions: { t: { tools: [] } } },
  },
  {
    name: 'an empty list',
    program: using(''),
    tools: ['ask'],
    expected: { result: {}, sessions: { t: { tools: [] } } },
  },
  {
    name: 'one that is not to be had is found before anything runs',
    program: sequence(task('a', 'x'), `¦${using('shell')}`),
    tools: ['ask'],
    expected: {
      error: { code: 'VALIDATION_ERROR' },
      message: 'the tool shell of t is not available here (available: ask)',
      ran: [],
    },
  },
  {
    name: 'one that is not there, with the nearest',
    program: '<task><description>x</description><tools>¦read_fiel</tools></task>',
    expected: { kind: 'syntax', problems: ['unknown tool "read_fiel"; did you mean "read_file"?'] },
  },
  {
    name: 'several that are not there',
    program: '<task><description>x</description><tools>¦browse ¦fly</tools></task>',
    expected: { kind: 'syntax', problems: ['unknown tool "browse"', 'unknown tool "fly"'] },
  },
  {
    name: 'a placeholder is no tool',
    program: '<task><description>x</description><tools>¦{{shell}}</tools></task>',
    expected: { kind: 'syntax', problems: ['unknown tool "{{shell}}"'] },
  },
];
