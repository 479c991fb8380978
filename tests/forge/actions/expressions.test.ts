// Templates and conditions of workflow files.
import { describe, expect, test } from 'vitest';
import {
  ExpressionError,
  evaluate,
  evaluateTemplate,
  holds,
  render,
  type Status,
} from '../../../packages/forge/actions/expressions.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';

const contexts = {
  github: { event: { action: 'labeled', issue: { labels: [{ name: 'echelon' }, { name: 'bug' }] } } },
  needs: { advance: { result: 'success', outputs: { jobs: '[{"op":"a1"},{"op":"a2"}]' } } },
  inputs: { count: 3, on: true, text: "it's" },
  env: {},
};

test.each<[string, Json]>([
  ["contains(github.event.issue.labels.*.name, 'ECHELON')", true],
  ['fromJSON(needs.advance.outputs.jobs)[1].op', 'a2'],
  ['toJSON(fromJSON(needs.advance.outputs.jobs)[0])', '{\n  "op": "a1"\n}'],
  ["join(github.event.issue.labels.*.name, '+')", 'echelon+bug'],
  ["format('{0} of {1}', inputs.count, 4)", '3 of 4'],
  ["startsWith('refs/heads/main', 'refs/')", true],
  ["endsWith('a.yml', '.YML')", true],
  ['env.missing', null],
  ['github.event.issue.none.at.all', null],
  ["inputs.on && 'yes' || 'no'", 'yes'],
  ["'}}' == '}}'", true],
])('%s', (expression, value) => {
  expect(evaluate(expression, { contexts })).toEqual(value);
});

test.each<[string, Json]>([
  ['${{ inputs.count }}', 3],
  ['  ${{ fromJSON(needs.advance.outputs.jobs) }}\n', [{ op: 'a1' }, { op: 'a2' }]],
  ['n: ${{ inputs.count }}, ${{ inputs.on }}', 'n: 3, true'],
  ["${{ '}}' }}${{ inputs.text }}", "}}it's"],
  ['no expression', 'no expression'],
  ['$ {{ inputs.count }} }}', '$ {{ inputs.count }} }}'],
])('the template %j', (text, value) => {
  expect(evaluateTemplate(text, { contexts })).toEqual(value);
});

test('a template is a string, lists and objects by their kind, null as nothing', () => {
  expect(render('${{ github }} ${{ github.event.issue.labels }} [${{ env.none }}]', { contexts })).toBe(
    'Object Array []',
  );
});

const states: Record<string, Status> = {
  ok: { success: true, failure: false, cancelled: false },
  failed: { success: false, failure: true, cancelled: false },
  cancelled: { success: false, failure: false, cancelled: true },
  skipped: { success: false, failure: false, cancelled: false },
};

describe('the condition', () => {
  test.each<[condition: string | undefined, holding: string[]]>([
    [undefined, ['ok']],
    ['', ['ok']],
    ['inputs.on', ['ok']],
    ['${{ inputs.on }}', ['ok']],
    ['success()', ['ok']],
    ['always()', ['ok', 'failed', 'cancelled', 'skipped']],
    ['Always() && inputs.on', ['ok', 'failed', 'cancelled', 'skipped']],
    ['${{ !cancelled() }}', ['ok', 'failed', 'skipped']],
    ['failure()', ['failed']],
    ["inputs.text == 'always()'", []],
    ["inputs.text != 'always()'", ['ok']],
    ['inputs.none', []],
  ])('%j', (condition, holding) => {
    const found = Object.keys(states).filter(name => holds(condition, { contexts, status: states[name]! }));
    expect(found).toEqual(holding);
  });
});

test.each<[string, () => unknown, string]>([
  ['an unknown context', () => evaluate('nothing.at', { contexts }), 'nothing.at: Unrecognized named-value'],
  ['an unknown function', () => evaluate('shout(1)', { contexts }), 'shout(1): Unrecognized function'],
  [
    'a status function where there is no status',
    () => evaluate('success()', { contexts }),
    'Unrecognized function',
  ],
  [
    'hashFiles where there are no files',
    () => evaluate("hashFiles('a')", { contexts }),
    'Unrecognized function',
  ],
  ['what is no JSON', () => evaluate("fromJSON('{')", { contexts }), "fromJSON('{'): Error parsing JSON"],
  ['an unclosed expression', () => render('a ${{ inputs.count', { contexts }), 'is not closed'],
  ['no expression at all', () => render('${{ }}', { contexts }), 'there is no expression'],
  [
    'text outside of a condition',
    () => holds('${{ inputs.on }} == false', { contexts, status: states['ok']! }),
    'always true',
  ],
])('%s is an error that names it', (_what, work, message) => {
  expect(work).toThrow(ExpressionError);
  expect(work).toThrow(message);
});

test('hashFiles is given its patterns', () => {
  const scope = { contexts, hashFiles: (patterns: string[]) => patterns.join('|') };
  expect(evaluate("hashFiles('a', inputs.count)", scope)).toBe('a|3');
});
