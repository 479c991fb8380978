// A YAML file that people write, read strictly against a schema: every problem with line, column and the nearest key.
// The file may be hostile: its size and the number of its parts are bounded before anything is built of them.
import { type Document, isCollection, isScalar, isSeq, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { didYouMean } from '@echelon/ground';

/** Most that a configuration may hold, in bytes. */
export const maxYamlBytes = 32 * 1024;

/** Limits of such a file, and the remedy for a larger one. */
export interface YamlBounds {
  bytes: number;
  /** Keys, values, signs, line ends and escapes: what reading costs grows with their number, not with the bytes. */
  parts: number;
  /** Characters of a message, which may quote the file. */
  message: number;
  remedy: string;
  /** Keys that earlier versions had, each with what to do. */
  removed?: ReadonlyMap<string, string>;
}

const configBounds: YamlBounds = {
  ...{ bytes: maxYamlBytes, parts: 4000, message: 200 },
  remedy: 'Shorten it: every key has a default',
  removed: new Map([['record', 'the record of a run is always kept in comments. Take this line out']]),
};

/** A file with more problems than this is not helped by naming them all. */
const MAX_PROBLEMS = 20;

/** Maps and lists within each other; the deepest key of a configuration lies in the third map. */
const MAX_DEPTH = 16;

export interface ConfigProblem {
  line: number;
  column: number;
  message: string;
}

export interface StrictYaml<T> {
  value: T;
  /** True if the file itself has a value there, false if a default of the schema does. */
  says(path: readonly PropertyKey[]): boolean;
  /** A problem of the value at the path. */
  problem(path: readonly PropertyKey[], message: string): ConfigProblem;
}

/** The text's value by the schema, or all of its problems. An empty text is an empty map. Never throws. */
export function parseStrictYaml<T>(
  text: string,
  schema: z.ZodType<T>,
  bounds: YamlBounds = configBounds,
): StrictYaml<T> | { problems: ConfigProblem[] } {
  const tooMuch = boundFault(text, bounds);
  if (tooMuch) return { problems: [tooMuch] };
  const lines = new LineCounter();
  // Aliases are refused below: they are what makes a small file large. Keys are compared there, too, in linear time.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  const at = (offset: number, message: string): ConfigProblem => {
    const { line, col } = lines.linePos(offset);
    const { message: most } = bounds;
    const short = message.length > most ? `${message.slice(0, most).toWellFormed()}…` : message;
    return { line: Math.max(1, line), column: Math.max(1, col), message: short };
  };
  const found = [...document.errors, ...document.warnings];
  // If the parser ran out of stack, its other problems depend on the size of the stack.
  const exhausted = found.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted) return { problems: [at(exhausted.pos[0], 'nested too deeply')] };
  const faults = found.map(({ message, pos }) => at(pos[0], message.split('\n')[0] ?? ''));
  if (faults.length === 0)
    faults.push(...keyFaults(document).map(({ offset, message }) => at(offset, message)));
  if (faults.length > 0) return { problems: faults.slice(0, MAX_PROBLEMS) };
  const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  const read = schema.safeParse(value);
  const problem = (path: readonly PropertyKey[], message: string) =>
    at(offsetOf(document, path), `${path.map(String).join('.') || 'the file'}: ${message}`);
  if (read.success) return { value: read.data, says: path => document.hasIn(path), problem };
  let shape: Shape | undefined;
  const problems = read.error.issues.slice(0, MAX_PROBLEMS).flatMap(issue => {
    if (issue.code !== 'unrecognized_keys') return [problem(issue.path, issue.message)];
    const known = knownKeys(
      (shape ??= z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
      issue.path,
    );
    return issue.keys.slice(0, MAX_PROBLEMS).map(key => {
      const path = [...issue.path, key];
      const name = path.map(String).join('.');
      const removed = bounds.removed?.get(name);
      const fault = removed ? `${name}: ${removed}` : `unknown key ${name}${didYouMean(key, known)}`;
      return at(offsetOf(document, path), fault);
    });
  });
  const inOrder = problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { problems: inOrder.slice(0, MAX_PROBLEMS) };
}

/** The file is larger than what is read of it. */
export const tooLarge = (bytes: number, most = configBounds): ConfigProblem => ({
  line: 1,
  column: 1,
  message: `the file has ${bytes} bytes; at most ${most.bytes} are read. ${most.remedy}`,
});

function boundFault(text: string, bounds: YamlBounds): ConfigProblem | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > bounds.bytes) return tooLarge(bytes, bounds);
  // Each escape in a quoted text can be an error of its own.
  let parts = text.split('\\').length - 1;
  let brackets = 0;
  for (const part of new Lexer().lex(text)) {
    if (++parts > bounds.parts)
      return {
        line: 1,
        column: 1,
        message: `the file has more than ${bounds.parts} parts (keys, values, signs, line ends, escapes). ${bounds.remedy}`,
      };
    brackets += Number(part === '[' || part === '{') - Number(part === ']' || part === '}');
    if (brackets > MAX_DEPTH)
      return {
        line: 1,
        column: 1,
        message: `brackets nested too deeply: at most ${MAX_DEPTH} within each other`,
      };
  }
  return undefined;
}

/** Aliases, keys that are no plain text, and keys that stand twice in one map. */
function keyFaults(document: Document): { offset: number; message: string }[] {
  const faults: { offset: number; message: string }[] = [];
  const say = (node: unknown, message: string) =>
    faults.push({ offset: (node as { range?: number[] } | null)?.range?.[0] ?? 0, message });
  const tooDeep = (node: unknown, path: readonly unknown[]) => {
    if (path.filter(isCollection).length < MAX_DEPTH) return undefined;
    say(node, 'nested too deeply');
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_key, node) => void say(node, 'aliases are not read; write the value out'),
    Seq: (_key, list, path) => tooDeep(list, path),
    Map(_key, map, path) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) {
          say(key, 'a key must be a plain text');
          continue;
        }
        const name = String(key.value);
        if (seen.has(name)) say(key, `the key ${name} stands here twice`);
        seen.add(name);
      }
      return tooDeep(map, path);
    },
  });
  return faults.sort((a, b) => a.offset - b.offset);
}

/** Position of the last part of the path, or of the nearest part before it that the file has. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent: unknown =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const items = (parent as { items?: unknown[] } | null)?.items ?? [];
    const found = isSeq(parent)
      ? items[Number(last)]
      : items
          .map(pair => (pair as { key?: unknown }).key)
          .find(key => isScalar(key) && String(key.value) === last);
    const range = (found as { range?: number[] } | null | undefined)?.range;
    if (range) return range[0] ?? 0;
  }
  return 0;
}

/** Members of a JSON schema that are read. */
interface Shape {
  items?: unknown;
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
}

function knownKeys(whole: Shape, path: readonly PropertyKey[]): string[] {
  let shape = whole;
  for (const part of path)
    shape = (shape.properties?.[String(part)] ?? shape.items ?? shape.additionalProperties ?? {}) as Shape;
  return Object.keys(shape.properties ?? {});
}
