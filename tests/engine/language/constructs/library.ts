// The library as a program sees it: what is known, what is found first, and which template a result is of.
import { ends, gives, type Row, rule, sequence, task } from './row.ts';

const template = '<task name="t"><description>x</description></task>';

export const libraries: Row[] = [
  gives(
    'a result names its template and the digest of its source',
    '<task ref="t"/>',
    { notes: { template: { name: 't', digest: 'e2af665389dc35d6' } } },
    { library: { 't.xml': template } },
  ),
  gives(
    'a step of a template keeps its name in the notes',
    sequence('<task ref="t"/>', task('end', '{{t}}')),
    { notes: { steps: [{ step: 't', result: { notes: { template: { name: 't' } } } }, {}] } },
    { library: { 't.xml': template } },
  ),
  ends('an error names the template it came from', '<task ref="t"/>', 'INVALID_OUTPUT', {
    library: {
      't.xml': '<task name="t"><description>x</description><output name="n" type="number"/></task>',
    },
    replies: { t: 'none' },
  }),
  {
    ...rule(
      'templates do not see one another',
      sequence('<task ref="t"/>', '<task ¦ref="u"/>'),
      'unknown ref "u": no task is registered under that name',
    ),
    library: { 't.xml': template },
  },
];
