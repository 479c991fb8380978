// `<limits>`: what a session may use.
import type { Row } from './row.ts';

const limited = (limits: string, more = '') =>
  `<task name="t"${more}><description>x</description><limits>${limits}</limits></task>`;

export const limits: Row[] = [
  {
    name: 'none: the defaults',
    program: limited(''),
    expected: {
      result: {},
      sessions: { t: { limits: { turns: 10, output_tokens: 16_000, time_ms: 300_000 } } },
    },
  },
  {
    name: 'all of them',
    program: limited(
      '<turns>3</turns><context_tokens>1000</context_tokens><output_tokens>200</output_tokens><time_s>7</time_s>',
    ),
    expected: {
      result: {},
      sessions: { t: { limits: { turns: 3, context_tokens: 1000, output_tokens: 200, time_ms: 7000 } } },
    },
  },
  {
    name: 'more turns than a session has',
    program: limited('<turns>500</turns>'),
    expected: { result: {}, sessions: { t: { limits: { turns: 30 } } } },
  },
  {
    name: 'fewer turns than a director has',
    program: limited('<turns>4</turns>', ' subtype="director"'),
    expected: { result: {}, sessions: { t: { limits: { turns: 4 } } } },
  },
  {
    name: 'a limit twice',
    program: limited('<turns>3</turns>¦<turns>4</turns>'),
    expected: { kind: 'syntax', problems: ['a second <turns>: one is allowed'] },
  },
  {
    name: 'a limit that is too high',
    program: limited('¦<time_s>86401</time_s>'),
    expected: { kind: 'syntax', problems: ['<time_s> is a whole number from 1 to 86400, not "86401"'] },
  },
  {
    name: 'a limit with a unit',
    program: limited('¦<time_s>5 min</time_s>'),
    expected: { kind: 'syntax', problems: ['<time_s> is a whole number from 1 to 86400, not "5 min"'] },
  },
  {
    name: 'a budget',
    program: limited('<budget>0.25</budget>'),
    expected: { result: {} },
  },
  {
    name: 'a budget that is none',
    program: limited('¦<budget>$5</budget>'),
    expected: { kind: 'syntax', problems: ['<budget> is a number from 0 to 1000000, not "$5"'] },
  },
  {
    name: 'of a sequence: for each session what is left, and never more than its own',
    program:
      '<task type="sequential"><limits><turns>3</turns><context_tokens>1000</context_tokens><output_tokens>200</output_tokens></limits><steps>' +
      '<task name="t"><description>x</description></task>' +
      '<task name="u"><description>x</description><limits><turns>20</turns><context_tokens>5000</context_tokens><output_tokens>50</output_tokens></limits></task></steps></task>',
    expected: {
      result: {},
      sessions: {
        t: { limits: { turns: 3, context_tokens: 1000, output_tokens: 200 } },
        u: { limits: { turns: 2, context_tokens: 1000, output_tokens: 50 } },
      },
    },
  },
];
