// `<limits>`: what a session may use.
import { gives, syntax, type Row } from './row.ts';

const limited = (limits: string, more = '') =>
  `<task name="t"${more}><description>x</description><limits>${limits}</limits></task>`;

export const limits: Row[] = [
  gives(
    'none: the defaults',
    limited(''),
    {},
    { sessions: { t: { limits: { turns: 10, output_tokens: 16_000, time_ms: 300_000 } } } },
  ),
  gives(
    'all of them',
    limited(
      '<turns>3</turns><context_tokens>1000</context_tokens><output_tokens>200</output_tokens><time_s>7</time_s>',
    ),
    {},
    { sessions: { t: { limits: { turns: 3, context_tokens: 1000, output_tokens: 200, time_ms: 7000 } } } },
  ),
  gives(
    'more turns than a session has',
    limited('<turns>500</turns>'),
    {},
    { sessions: { t: { limits: { turns: 30 } } } },
  ),
  gives('a budget', limited('<budget>0.25</budget>'), {}),
  syntax(
    'a budget that is none',
    limited('¦<budget>$5</budget>'),
    '<budget> is a number from 0 to 1000000, not "$5"',
  ),
  gives(
    'of a sequence: for each session what is left, and never more than its own',
    '<task type="sequential"><limits><turns>3</turns><context_tokens>1000</context_tokens><output_tokens>200</output_tokens></limits><steps>' +
      '<task name="t"><description>x</description></task>' +
      '<task name="u"><description>x</description><limits><turns>20</turns><context_tokens>5000</context_tokens><output_tokens>50</output_tokens></limits></task></steps></task>',
    {},
    {
      sessions: {
        t: { limits: { turns: 3, context_tokens: 1000, output_tokens: 200 } },
        u: { limits: { turns: 2, context_tokens: 1000, output_tokens: 50 } },
      },
    },
  ),
];
