// A workflow file as it is written: YAML values, each with its place, and what is wrong with them.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Json } from '@echelon/ground';
import type { Place } from './planned-job.ts';

export interface Problem {
  at: Place;
  message: string;
}

/** A workflow that cannot be carried out; nothing of it has run. The message has a line for each problem. */
export class WorkflowError extends Error {
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ at, message }) => `${at.file}:${at.line}:${at.column}: ${message}`).join('\n'));
  }
}

type Scalar = string | number | boolean | null;

export interface Written {
  at: Place;
  value: Scalar | readonly Written[] | ReadonlyMap<string, Field>;
}

export interface Field {
  /** Of the key. */
  at: Place;
  value: Written;
}

/** GitHub takes files up to 512 KB; aliases may not blow one up beyond this many values. */
const longestText = 512 * 1024;
const mostValues = 50_000;

/** Reads YAML. Throws WorkflowError for what is none, is too large, or holds itself. */
export function readWritten(file: string, text: string): Written {
  if (text.length > longestText)
    throw new WorkflowError([
      { at: { file, line: 1, column: 1 }, message: `a workflow file has at most ${longestText} characters` },
    ]);
  const counter = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { file, line, column: col };
  };
  const refuse = (offset: number, message: string) => new WorkflowError([{ at: place(offset), message }]);
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false });
  const [broken] = document.errors;
  if (broken) throw refuse(broken.pos[0], broken.message.split('\n')[0] ?? broken.message);
  let values = 0;
  const read = (node: Node | null, inside: readonly Node[]): Written => {
    const offset = node?.range?.[0] ?? 0;
    if (++values > mostValues)
      throw refuse(offset, 'the file becomes too large where its aliases are put in');
    const at = place(offset);
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (!target || inside.includes(target)) throw refuse(offset, `*${node.source} holds itself`);
      return { ...read(target, [...inside, target]), at };
    }
    const within = node ? [...inside, node] : inside;
    if (isSeq<Node>(node)) return { at, value: node.items.map(item => read(item, within)) };
    if (isMap<Node, Node>(node))
      return {
        at,
        value: new Map(
          node.items.map(({ key, value }) => [
            isScalar(key) ? String(key.value) : '',
            { at: place(key.range?.[0] ?? offset), value: read(value, within) },
          ]),
        ),
      };
    const scalar: unknown = isScalar(node) ? node.value : null;
    return { at, value: isPlain(scalar) ? scalar : String(scalar) };
  };
  return read(document.contents, []);
}

const isPlain = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** The fields of a mapping; none of anything else. */
export const fieldsOf = ({ value }: Written): ReadonlyMap<string, Field> =>
  value instanceof Map ? value : new Map();

/** The items of a list; a single value counts as a list of one, and nothing as an empty one. */
export const itemsOf = (written: Written): readonly Written[] =>
  isList(written.value) ? written.value : written.value === null ? [] : [written];

const isList = (value: Written['value']): value is readonly Written[] => Array.isArray(value);

/** A scalar as text; the empty one for nothing. */
export const textOf = ({ value }: Written): string => (typeof value === 'object' ? '' : String(value));

/** The value without places. */
export function jsonOf({ value }: Written): Json {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, field]) => [key, jsonOf(field.value)]));
  return isList(value) ? value.map(jsonOf) : isPlain(value) ? value : null;
}

/** A mapping of texts. */
export const textsOf = (written: Written | undefined): Record<string, string> =>
  Object.fromEntries(written ? [...fieldsOf(written)].map(([key, field]) => [key, textOf(field.value)]) : []);

/** Collects what is wrong while a file is read. */
export class Reading {
  readonly problems: Problem[] = [];

  refuse(at: Place, message: string): void {
    this.problems.push({ at, message });
  }

  /** The fields of a mapping by name; every other key is refused. `where`: `a step`, as in "in a step". */
  fields(written: Written, where: string, keys: readonly string[]): Partial<Record<string, Field>> {
    const fields = fieldsOf(written);
    for (const [key, { at }] of fields)
      if (!keys.includes(key)) this.refuse(at, `"${key}" in ${where} is not supported by the forge's runner`);
    return Object.fromEntries(fields);
  }
}
