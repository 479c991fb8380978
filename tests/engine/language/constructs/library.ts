// The library as a program sees it: what is known, what is found first, and which template a result is of.
import { type Row, sequence, task } from './row.ts';

const template = '<task name="t"><description>x</description></task>';

export const libraries: Row[] = [
  {
    name: 'a result names its template and the digest of its source',
    program: '<task ref="t"/>',
    library: { 't.xml': template },
    expected: { result: { notes: { template: { name: 't', digest: 'e2af665389dc35d6' } } } },
  },
  {
    name: 'a step of a template keeps its name in the notes',
    program: sequence('<task ref="t"/>', task('end', '{{t}}')),
    library: { 't.xml': template },
    expected: {
      result: { notes: { steps: [{ step: 't', result: { notes: { template: { name: 't' } } } }, {}] } },
    },
  },
  {
    name: 'an error names the template it came from',
    program: '<task ref="t"/>',
    library: {
      't.xml': '<task name="t"><description>x</description><output name="n" type="number"/></task>',
    },
    replies: { t: 'none' },
    expected: { error: { code: 'INVALID_OUTPUT' } },
  },
  {
    name: 'templates do not see one another',
    program: sequence('<task ref="t"/>', '<task ¦ref="u"/>'),
    library: { 't.xml': template },
    expected: { kind: 'rule', problems: ['unknown ref "u": no task is registered under that name'] },
  },
];
