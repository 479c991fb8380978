// Holds docs/reasoning.md to the code: its tables, its limits, its examples, and the files it names.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { ANSWER_CHARS } from '../../../src/engine/reasoning/operations/answers.ts';
import { type ErrorRow, errorTable } from '../../../src/engine/reasoning/execution/errors.ts';
import { knownRows } from '../../../src/engine/reasoning/execution/policies.ts';
import { RECOVERY_ATTEMPTS } from '../../../src/engine/reasoning/execution/report-to-model.ts';
import {
  type AttributeRule,
  callForms,
  operations,
  type TagForm,
  tagNames,
} from '../../../src/engine/reasoning/operations/table.ts';
import {
  DESCRIPTION_CHARS,
  ENTRIES,
  idFault,
  SESSION_BYTES,
  TEXT_BYTES,
} from '../../../src/engine/sandbox/entries.ts';
import { vaultOperation } from '../../../src/engine/reasoning/operations/fields.ts';
import { readReply } from '../../../src/engine/reasoning/operations/read-operations.ts';
import { RESOLVED_CHARS } from '../../../src/engine/reasoning/operations/references.ts';
import { SESSION_TURNS } from '../../../src/engine/reasoning/stop.ts';
import {
  ANSWER_CHARS as ANSWERS_IN_CODE,
  CALLS_TOGETHER,
  CODE_CHARS,
  CONSOLE_LINES,
  defaultLimits,
  INPUT_CHARS,
  NESTING,
  TOOL_CALLS,
} from '../../../src/engine/sandbox/limits.ts';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { answer } from './examples/session.ts';
import { playing, reply } from './model.ts';
import { tableRows } from './table-rows.ts';

const page = readFileSync('docs/reasoning.md', 'utf8');

const rowsUnder = (header: string) => tableRows(page, header);

const row = (...cells: (string | number)[]) =>
  `|${cells.map(cell => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`;
const code = (text: string) => `\`${text}\``;
const yes = (value: boolean) => (value ? 'yes' : 'no');
const seconds = (ms: number) => `${ms / 1000} s`;
const count = (value: number) => value.toLocaleString('en');

describe('tables', () => {
  it('operations', () => {
    const attribute = (name: string, { values }: AttributeRule) => {
      if (values === 'text') return code(name);
      return `${code(name)} (${values === 'characters' ? 'characters' : values.join(', ')})`;
    };
    const given = ({ attributes }: TagForm, when: AttributeRule['required']) =>
      Object.entries(attributes)
        .flatMap(([name, rule]) => (rule.required === when ? attribute(name, rule) : []))
        .join(', ');
    const called = (tag: string) => {
      const form = [...callForms].find(([, { tag: each }]) => each === tag);
      return form ? `${code(form[0])}, ${code(form[1].body)}` : '';
    };
    const expected = tagNames.flatMap(tag =>
      operations[tag].forms.map(form =>
        row(
          code(tag),
          form.action === undefined ? '' : code(form.action),
          given(form, 'always'),
          given(form, 'creation'),
          given(form, 'never'),
          form.body.presence,
          called(tag),
        ),
      ),
    );
    expect(
      rowsUnder('| tag | `action` | needs | a new entry needs | takes | body | as a call: name, body |'),
    ).toEqual(expected);
  });

  it('execution policies', () => {
    const expected = knownRows().execution.map(each =>
      row(
        code(each.name),
        code(each.strategy),
        seconds(each.timeLimitMs),
        each.retries,
        yes(each.cleanContext),
        yes(each.logAttempts),
        yes(each.verboseErrors),
      ),
    );
    expect(
      rowsUnder('| policy | strategy | time limit | retries | cleans | logs all attempts | verbose errors |'),
    ).toEqual(expected);
  });

  it('retry policies', () => {
    const expected = knownRows().retry.map(({ name, attempts, baseMs, factor, capMs, jitter }) =>
      row(code(name), attempts, seconds(baseMs), factor, seconds(capMs), `${jitter * 100} %`),
    );
    expect(rowsUnder('| retry policy | attempts in all | first wait | factor | cap | jitter |')).toEqual(
      expected,
    );
  });

  it('error classes', () => {
    const waits = ({ when }: ErrorRow) => when.some(({ waited }) => waited === true);
    const expected = errorTable.map(each =>
      row(
        `${code(each.class)}${waits(each) ? ' while it waited' : ''}`,
        each.attempts,
        each.retryPolicy === undefined ? '' : code(each.retryPolicy),
        yes(each.cleanContext),
        each.adds ? { validIds: 'valid ids', hint: 'a hint' }[each.adds] : '',
        yes(each.needsModel),
      ),
    );
    expect(rowsUnder('| class | attempts | retry policy | cleans | adds | needs the model |')).toEqual(
      expected,
    );
    // The page says that the configured one matters to own rows only.
    for (const each of errorTable) expect(each.retryPolicy !== undefined).toBe(each.attempts > 1);
  });

  it('limits', () => {
    const read = { limit: 0, ...vaultOperation({ id: 'a' }, 'request_read') };
    const expected = [
      ['description of a vault entry', `${DESCRIPTION_CHARS} characters`],
      ['one text of an entry: content, heading, notes', `${TEXT_BYTES / 1024} KiB`],
      ['all texts of all entries', `${SESSION_BYTES / 1024 ** 2} MiB`],
      ['entries of one kind', count(ENTRIES)],
      ['code or content with its vault references put in', `${count(RESOLVED_CHARS)} characters`],
      ['a read that names no limit', `${count(Number(read.limit))} characters`],
      ['answers to one reply', `${count(ANSWER_CHARS)} characters`],
      ['code', `${count(CODE_CHARS)} characters`],
      ["code's memory", `${defaultLimits.memoryBytes / 1024 ** 2} MiB`],
      ["code's stack", `${defaultLimits.stackBytes / 1024} KiB`],
      ['console output', `${count(CONSOLE_LINES)} lines, ${count(defaultLimits.consoleChars)} characters`],
      ['returned value, as JSON', `${count(defaultLimits.resultChars)} characters`],
      ['nesting of a returned or stored value', `${NESTING} levels`],
      ['calls of tools by one execution, all attempts', `${TOOL_CALLS}, ${CALLS_TOGETHER} at once`],
      ['input of a call by code, as JSON', `${count(INPUT_CHARS)} characters`],
      ['answers to all calls of one execution', `${count(ANSWERS_IN_CODE)} characters`],
      ['model calls of a session', String(SESSION_TURNS)],
    ];
    expect(rowsUnder('| what | at most |')).toEqual(expected.map(cells => row(...cells)));
  });
});

test('the numbers in its sentences', () => {
  expect(page).toContain(`At most ${RECOVERY_ATTEMPTS} attempts`);
  expect(page).toContain(
    `${seconds(knownRows().execution.find(({ strategy }) => strategy === 'safe')!.timeLimitMs)}`,
  );
  expect(idFault('a'.repeat(200))).toBeUndefined();
  expect(idFault('a'.repeat(201))).toBeDefined();
});

test('its tags are operations, each of them', () => {
  const [, tags = ''] = /```text\n([\s\S]*?)```/.exec(page) ?? [];
  const { items } = readReply(tags);
  expect(items.filter(item => 'problem' in item)).toEqual([]);
  const kinds = items.map(item => ('operation' in item ? item.operation.kind : ''));
  expect([...new Set(kinds)].sort()).toEqual(
    ['ask', 'final', 'goal', 'js', 'memory', 'task', 'tool', 'vault'].sort(),
  );
  expect(tags).toContain('{{<vaultref ');
});

test('the example of a session by itself runs', async () => {
  const model = playing(
    reply('{{<js_execute>}} return 6 * 7; {{</js_execute>}}'),
    reply('{{<final_output>}}\n42\n{{</final_output>}}'),
  );
  expect((await answer('What is 6 times 7?', model)).text).toBe('42');
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('Returned: 42');
});

const readNames = bindTool('read_file', async () => 'Ada\nBo\nAda');

/** Of one that plays a session: what the model writes, what it is told then, and the result. */
const sessions = [...page.matchAll(/^~~~session\n([\s\S]*?)^~~~$/gm)].map(([, text = '']) =>
  text.split(/^\[(model|told|result)\]\n/m).slice(1),
);

test('it shows sessions', () => expect(sessions.length).toBeGreaterThan(2));

test.each(sessions.map(parts => [parts[1]!.trim(), parts] as const))(
  'its session plays: %s',
  async (_, parts) => {
    const said = (who: string) => parts.flatMap((part, at) => (parts[at - 1] === who ? [part.trim()] : []));
    const model = playing(...said('model').map(text => reply(text)));
    const { text } = await answer('Go.', model, [readNames]);
    const told = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(told).toHaveLength(said('told').length);
    for (const [at, words] of said('told').entries())
      for (const line of words.split('\n')) expect(told[at]).toContain(JSON.stringify(line).slice(1, -1));
    expect([text]).toEqual(said('result'));
  },
);

test('the files it names are there', () => {
  const named = [...page.matchAll(/`((?:src|tests|docs|prompts)\/[\w./-]+|[\w-]+(?:\/[\w-]+)*\.ts)`/g)].map(
    match => match[1]!,
  );
  expect(named.length).toBeGreaterThan(10);
  const missing = named.filter(name => !existsSync(name) && !existsSync(`src/engine/reasoning/${name}`));
  expect(missing).toEqual([]);
});
