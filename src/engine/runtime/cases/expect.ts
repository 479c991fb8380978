// Holds what came of a case against what it says, as sentences.
import { isObject, type Json, shortened } from '@echelon/ground';
import { type ModelMessage, type ModelRequest, partText } from '../../models/model.ts';
import type { Asked, CaseProblem } from './case.ts';

/** Characters of a value that a sentence shows. */
const SHOWN = 300;

/** As JSON, or in words where there is no value. */
export const shown = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : shortened(JSON.stringify(value), SHOWN);

/** Paths at which `found` differs from `expected`: of objects only the named members count, of lists all elements. */
export function differences(
  expected: Json,
  found: Json | undefined,
  path: CaseProblem['path'],
): CaseProblem[] {
  if (isObject(expected) && isObject(found))
    return Object.entries(expected).flatMap(([name, each]) =>
      differences(each, Object.hasOwn(found, name) ? found[name] : undefined, [...path, name]),
    );
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.flatMap((each, at) => differences(each, found[at], [...path, at]));
  if (!isObject(expected) && JSON.stringify(expected) === JSON.stringify(found)) return [];
  return [{ path, message: `expected ${shown(expected)}, found ${shown(found)}` }];
}

/** Parts of a request that a case can check. */
export type Sent = ReturnType<typeof sentIn>;

export function sentIn({ system, messages }: ModelRequest) {
  const textOf = (from: readonly ModelMessage[]) =>
    from.flatMap(({ content }) => content.map(partText)).join('');
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return {
    /** Messages after the model's last reply. */
    prompt: textOf(messages.slice(last + 1)),
    /** All of it. */
    whole: [system.stable, system.changing, textOf(messages)].join('\n'),
  };
}

/** Differences in the calls of one task. */
export function askedProblems(
  task: string,
  expected: Asked | readonly Asked[],
  sent: readonly Sent[],
): CaseProblem[] {
  const path = ['asked', task];
  if (sent.length === 0 && !(Array.isArray(expected) && expected.length === 0))
    return [{ path, message: `${task} was never asked` }];
  if (!isList(expected))
    return sent.flatMap((each, at) =>
      promptProblems(expected, each, path).map(problem => ({
        ...problem,
        message: `call ${at + 1}: ${problem.message}`,
      })),
    );
  const count =
    expected.length === sent.length
      ? []
      : [{ path, message: `expected ${expected.length} calls of ${task}, found ${sent.length}` }];
  return [
    ...count,
    ...expected.flatMap((each, at) => {
      const call = sent[at];
      return call ? promptProblems(each, call, [...path, at]) : [];
    }),
  ];
}

const isList = (expected: Asked | readonly Asked[]): expected is readonly Asked[] => Array.isArray(expected);

function promptProblems(expected: Asked, { prompt, whole }: Sent, path: CaseProblem['path']): CaseProblem[] {
  if (typeof expected === 'string')
    return expected === prompt ? [] : [{ path, message: unlike(expected, prompt) }];
  const beginning = shown(prompt);
  const lists = { contains: [expected.contains ?? []].flat(), lacks: [expected.lacks ?? []].flat() };
  return [
    ...lists.contains
      .filter(text => !whole.includes(text))
      .map(text => ({
        path: [...path, 'contains'],
        message: `${shown(text)} is not in what is sent; the prompt begins: ${beginning}`,
      })),
    ...lists.lacks
      .filter(text => whole.includes(text))
      .map(text => ({ path: [...path, 'lacks'], message: `${shown(text)} is in what is sent` })),
  ];
}

/** From the first character on that differs, with a little before it. */
function unlike(expected: string, found: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at++;
  const from = Math.max(0, at - 20);
  return `the prompt differs from character ${at + 1}: expected ${shown(expected.slice(from))}, found ${shown(found.slice(from))}`;
}
