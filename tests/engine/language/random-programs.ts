// Random programs that the checker finds nothing wrong with, and random replies to their sessions.
import fc from '../../properties.ts';
import type { SessionOutcome } from '../../../src/engine/reasoning/request.ts';

/** Decisions, one after the other, from a list of numbers that fast-check shrinks; past its end all are the first. */
export class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(limit: number): number {
    const number = this.#numbers[this.#at++] ?? 0;
    return number % limit;
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** The parts that are chosen, each with one chance in `one`. */
  some(parts: readonly string[], one = 3): string {
    return parts.filter(() => this.below(one) === one - 1).join('');
  }
}

export const choices = fc
  .noBias(fc.array(fc.nat({ max: 9_999 }), { minLength: 1, maxLength: 300, size: 'max' }))
  .map(numbers => new Choices(numbers));

/** Templates that random programs may call and take. */
export const librarySources = [
  {
    file: 'shout.xml',
    text: '<task type="function" name="shout"><parameters><parameter name="words"/></parameters><body><task name="shouter"><description>{{words}}!</description></task></body></task>',
  },
  { file: 'rest.xml', text: '<task name="rest"><description>rest</description></task>' },
  {
    file: 'reparse.xml',
    text: '<task name="reparse" subtype="reparse"><inputs><input name="failed_task"/><input name="problems"/></inputs><description>{{failed_task}} {{problems}}</description></task>',
  },
];

interface Scope {
  /** Names that a text may read. */
  readable: readonly string[];
  functions: readonly { name: string; parameters: readonly string[] }[];
  /** Outputs of the step before; undefined: none. */
  previous: readonly string[] | undefined;
}

interface Made {
  source: string;
  /** Outputs that can be read of it. */
  fields: readonly string[];
}

const words = [
  'word',
  'two\n  lines\n\n    of text',
  '&lt;b&gt; &amp; c',
  '<![CDATA[if (a < b && c) {{ }} ]]>',
  '{{ no name }} {{}}',
  'ünï → 🙂',
  ']] &gt; "q" \'q\'',
  '<!-- {{hidden}} -->seen',
];
const contexts = [
  '<inherit_context>full</inherit_context><accumulate_data>true</accumulate_data>',
  '<inherit_context>none</inherit_context>',
  '<inherit_context>subset</inherit_context><accumulate_data>true</accumulate_data><accumulation_format>notes_only</accumulation_format>',
  '<inherit_context>none</inherit_context><accumulate_data>true</accumulate_data>',
  '<accumulate_data>true</accumulate_data>',
  '<clear_memory>true</clear_memory>',
];
const types = ['string', 'number', 'boolean', 'json'] as const;

/** A whole program. `depth`: operators within one another, at most. */
export function randomProgram(choose: Choices, depth = 3): string {
  let count = 0;
  const fresh = (prefix: string) => `${prefix}${++count}`;
  const parameters = Array.from({ length: choose.below(3) }, () => fresh('p'));
  const scope: Scope = {
    readable: ['rounds', 'test_command', ...parameters],
    functions: [{ name: 'shout', parameters: ['words'] }],
    previous: undefined,
  };
  return task(depth, scope, parameters.map(name => `<input name="${name}"/>`).join('')).source;

  function text(scope: Scope): string {
    const parts = Array.from({ length: 1 + choose.below(3) }, () =>
      choose.below(2) === 1 ? `{{${choose.of(scope.readable)}}}` : choose.of(words),
    );
    return parts.join(' ');
  }

  /** A value as content or as the attribute `from`. */
  function value(depth: number, scope: Scope): { from: string; content: string } {
    const kind = choose.below(3);
    if (kind === 1) return { from: ` from="${choose.of(scope.readable)}"`, content: '' };
    if (kind === 2 && depth > 0)
      return { from: '', content: task(depth - 1, { ...scope, previous: undefined }).source };
    return { from: '', content: text(scope) };
  }

  function valued(element: string, depth: number, scope: Scope, name = ''): string {
    const { from, content } = value(depth, scope);
    return `<${element}${name && ` name="${name}"`}${from}>${content}</${element}>`;
  }

  function task(depth: number, scope: Scope, given = '', name = ''): Made {
    const kinds = [
      atomic,
      atomic,
      ...(depth > 0 ? [sequential, map, reduce, loop, call, cond, letTask, ref] : []),
    ];
    return choose.of(kinds)(depth, scope, given, name);
  }

  /** The opening of a task with what every type may have; its inputs are in the scope that comes back. */
  function open(type: string, depth: number, scope: Scope, given: string, name: string, more = '') {
    const own = Array.from({ length: choose.below(2) }, () => fresh('i'));
    const inputs = given + own.map(each => valued('input', depth - 1, scope, each)).join('');
    const common = choose.some([
      `<context_management>${choose.of(contexts)}</context_management>`,
      '<disable_reparsing>true</disable_reparsing>',
      '<manual_xml>true</manual_xml>',
      '<on_failure><task><description>{{error.message}} {{partial_results}}</description></task></on_failure>',
    ]);
    return {
      start: `<task type="${type}"${name && ` name="${name}"`}${more}>${inputs && `<inputs>${inputs}</inputs>`}${common}`,
      scope: { ...scope, readable: [...scope.readable, ...own] },
    };
  }

  function atomic(depth: number, outer: Scope, given: string, name: string, kind = ''): Made {
    const subtype = kind || choose.of(['standard', 'subtask', 'matching', 'director']);
    const { start, scope } = open('atomic', depth, outer, given, name, ` subtype="${subtype}"`);
    const fields = Array.from({ length: choose.below(3) }, () => fresh('o'));
    const outputs = fields.map(
      each => `<output name="${each}" type="${choose.of(types)}"${choose.of(['', ' nullable="true"'])}/>`,
    );
    const verdict =
      subtype === 'evaluator'
        ? '<output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>'
        : '';
    const parts = choose.some([
      `<system>${text(scope)}</system>`,
      `<instructions>${text(scope)}</instructions>`,
      `<expected_output>${text(scope)}</expected_output>`,
      '<model>m</model><temperature>0.5</temperature>',
      '<effort>high</effort>',
      '<limits><turns>2</turns><time_s>9</time_s><budget>0.5</budget></limits>',
      '<candidates n="2"><temperature>1</temperature></candidates>',
    ]);
    const source = `${start}<description>${text(scope)}</description>${parts}${outputs.join('')}${verdict}</task>`;
    return { source, fields };
  }

  function sequential(depth: number, outer: Scope, given: string, own: string): Made {
    const { start, scope } = open('sequential', depth, outer, given, own);
    let inner = scope;
    let steps = '';
    let fields: readonly string[] = [];
    for (let left = 1 + choose.below(4); left > 0; left--) {
      if (choose.below(5) === 4) {
        const defined = define(depth - 1, inner);
        steps += defined.source;
        inner = { ...inner, functions: [...inner.functions, defined] };
      }
      const name = choose.below(2) === 1 ? fresh('s') : '';
      const step = choose.below(6) === 5 ? script(inner, name) : task(depth - 1, inner, '', name);
      steps += step.source;
      fields = step.fields;
      const named = name === '' ? [] : [name, ...fields.map(field => `${name}.${field}`)];
      inner = { ...inner, readable: [...inner.readable, ...named], previous: fields };
    }
    return { source: `${start}<steps>${steps}</steps></task>`, fields };
  }

  function script(scope: Scope, name: string): Made {
    const variable = fresh('v');
    const input = valued('input', 0, scope, variable).replace('<input', '<input stdin="true"');
    const inputs = choose.below(2) === 1 ? `<inputs>${input}</inputs>` : '';
    const source = `<task type="script"${name && ` name="${name}"`}>${inputs}<command>{{test_command}} x</command></task>`;
    return { source, fields: ['stdout', 'stderr', 'exit_code'] };
  }

  function define(depth: number, scope: Scope) {
    const name = fresh('f');
    const parameters = Array.from({ length: choose.below(3) }, () => fresh('a'));
    // A function that calls itself is allowed: it ends with an error.
    const functions = [...scope.functions, { name, parameters }];
    const inner = { readable: [...scope.readable, ...parameters], functions, previous: undefined };
    const declared = parameters.map(each => `<parameter name="${each}"/>`).join('');
    const returns = choose.of(['', '<returns type="json"/>']);
    const source = `<task type="function" name="${name}"><parameters>${declared}</parameters>${returns}<body>${task(Math.max(0, depth), inner).source}</body></task>`;
    return { name, parameters, source };
  }

  function map(depth: number, outer: Scope, given: string, name: string): Made {
    const { start, scope } = open('map', depth, outer, given, name);
    const over =
      choose.below(2) === 0
        ? '<over>["a", {"b": 1}, null]</over>'
        : // A value known to be a number is refused.
          valued('over', depth - 1, { ...scope, readable: ['rounds', 'test_command'] });
    const inner = { ...scope, readable: [...scope.readable, 'item', 'index'] };
    const parallel = choose.some(['<parallel>2</parallel>']);
    const source = `${start}${over}<inner_task>${task(depth - 1, inner).source}</inner_task>${parallel}</task>`;
    return { source, fields: ['results'] };
  }

  function reduce(depth: number, outer: Scope, given: string, name: string): Made {
    const folded = Array.from({ length: 1 + choose.below(2) }, () => fresh('r'));
    const inputs = folded.map(each => valued('input', 0, outer, each)).join('');
    const { start, scope } = open('reduce', depth, outer, given + inputs, name);
    const inner = { ...scope, readable: [...scope.readable, ...folded, 'current_data'] };
    const last = {
      ...scope,
      readable: [...scope.readable, 'current_result', 'accumulator', 'original_input'],
    };
    const reduction = task(depth - 1, last);
    const over = choose.some(['<over>[1, "b"]</over>']);
    const source = `${start}${over}${valued('initial_value', depth - 1, scope)}<inner_task>${task(depth - 1, inner).source}</inner_task><reduction_task>${reduction.source}</reduction_task></task>`;
    return { source, fields: reduction.fields };
  }

  function loop(depth: number, outer: Scope, given: string, name: string): Made {
    const { start, scope } = open('director-evaluator', depth, outer, given, name);
    const told = ['last_evaluator_output', 'last_evaluator_output.success'];
    const director = atomic(0, { ...scope, readable: [...scope.readable, ...told] }, '', '', 'director');
    const judged = { ...scope, readable: [...scope.readable, 'target_content', 'diff'] };
    const hasScript = choose.below(2) === 1;
    const outcome = hasScript ? ['stdout', 'stderr', 'exit_code'] : [];
    const evaluator = atomic(
      0,
      { ...judged, readable: [...judged.readable, ...outcome] },
      '',
      '',
      'evaluator',
    );
    const parts = [
      `<director>${director.source}</director>`,
      hasScript ? `<script>${script(judged, '').source}</script>` : '',
      choose.below(4) === 3 ? '' : `<evaluator>${evaluator.source}</evaluator>`,
      choose.of(['', '<max_rounds>2</max_rounds>', '<max_rounds>{{rounds}}</max_rounds>']),
    ];
    return { source: `${start}${parts.join('')}</task>`, fields: director.fields };
  }

  function call(depth: number, outer: Scope, given: string, own: string): Made {
    const { name, parameters } = choose.of(outer.functions);
    const { start, scope } = open('call', depth, outer, given, own, ` ref="${name}"`);
    return {
      source: `${start}${parameters.map(each => valued('arg', depth - 1, scope, each)).join('')}</task>`,
      fields: [],
    };
  }

  function cond(depth: number, outer: Scope, given: string, name: string): Made {
    const { start, scope } = open('cond', depth, outer, given, name);
    const simple = scope.readable.filter(each => !each.includes('.'));
    const tests = [
      'true',
      `toJSON(${choose.of(simple)}) == 'x' || toJSON(${choose.of(simple)}) > 1`,
      `contains(toJSON(${choose.of(simple)}), 'a') &amp;&amp; !false`,
      `fromJSON(${choose.of(simple)}).a[0].* != null`,
      ...(scope.previous?.map(field => `output.${field} &lt; output.content`) ?? []),
    ];
    const cases = Array.from(
      { length: 1 + choose.below(2) },
      () => `<case test="${choose.of(tests)}">${task(depth - 1, scope).source}</case>`,
    );
    const otherwise = choose.below(2) === 1 ? `<else>${task(depth - 1, scope).source}</else>` : '';
    return { source: `${start}${cases.join('')}${otherwise}</task>`, fields: [] };
  }

  function letTask(depth: number, outer: Scope, given: string, name: string): Made {
    const { start, scope } = open('let', depth, outer, given, name);
    let inner = scope;
    let binds = '';
    for (let left = 1 + choose.below(3); left > 0; left--) {
      const bound = fresh('b');
      binds += valued('bind', depth - 1, inner, bound);
      inner = { ...inner, readable: [...inner.readable, bound] };
    }
    const body = task(depth - 1, inner);
    return { source: `${start}${binds}<body>${body.source}</body></task>`, fields: body.fields };
  }

  function ref(_depth: number, _scope: Scope, given: string, name: string): Made {
    const inputs = given === '' ? '' : `<inputs>${given}</inputs>`;
    // Two that keep the template's name cannot be steps of one sequence.
    return { source: `<task ref="rest" name="${name || fresh('t')}">${inputs}</task>`, fields: [] };
  }
}

/** Possible ends of a session: good, lenient, failed, cut off, and hostile. `outputs`: the declared ones. */
export function randomReply(choose: Choices, outputs: readonly string[]): Partial<SessionOutcome> {
  const values = [1, 'x', true, null, ['l', 2], { a: ['b'] }, '', '{{rounds}}'];
  const given = () => Object.fromEntries(outputs.map(name => [name, choose.of(values)]));
  const text = () =>
    choose.of([
      () => 'plain words',
      () => '["a", "b"]',
      () => '{"a": [[1]]}',
      () => JSON.stringify({ status: 'COMPLETE', content: 'c', outputs: given() }),
      () => JSON.stringify({ ...given(), success: choose.of([true, false]), feedback: 'f' }),
      () =>
        `<result status="COMPLETE"><content>x</content>${outputs.map(name => `<output name="${name}">1</output>`).join('')}</result>`,
      () => JSON.stringify({ status: 'FAILED', content: 'no' }),
      () => JSON.stringify({ status: 'CONTINUATION', content: 'go on' }),
      () =>
        JSON.stringify({
          status: 'CONTINUATION',
          notes: { subtask_request: { description: choose.of(['rest', 'shout', '']), inputs: {} } },
        }),
      () =>
        JSON.stringify({
          status: 'CONTINUATION',
          notes: {
            evaluation_request: choose.of([{ type: 'script', target: 'x', criteria: 'rest' }, 7, {}]),
          },
        }),
      () => '<result><content>half',
      () => '<task><description>another way</description></task>',
      () => '{{rounds}} <![CDATA[ ]]> {{',
      () => '',
    ])();
  return { text: text(), stop: choose.of(['end', 'end', 'end', 'end', 'max_output', 'refusal']) };
}
