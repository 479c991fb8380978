// Completions for the end of a line: commands, elements and their attributes, names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionNames } from '../../../../engine/engine.ts';
import { commands } from './commands.ts';
import type { Repl } from './repl.ts';

/** All that fit, and the end of the line that they replace, as readline asks for them. */
export function completed(
  line: string,
  { state, library }: Pick<Repl, 'state' | 'library'>,
): [fitting: string[], end: string] {
  const grammar = readGrammar();
  const names = [...state.preceding.names.keys()];
  const known = [...names, ...library.templates().map(({ name }) => name)];
  const [, element = '', attribute = ''] = /<([\w-]+)\s(?:[^<>]*?([\w-]+)=["'][^"']*$)?/.exec(line) ?? [];
  const attributes = grammar.get(element);
  const rows: readonly (readonly [end: RegExp, all: readonly string[], before?: string, behind?: string])[] =
    [
      [/^\s*:(\S*)$/, Object.keys(commands), ':'],
      [/^\s*:show\s+(\S*)$/, known],
      [/^\s*:(?:forget|save!?)\s(?:.*\s)?(\S*)$/, names],
      [/<([\w-]*)$/, [...grammar.keys()], '<'],
      [/<\/([\w-]*)$/, [...grammar.keys()], '</', '>'],
      [/<[^<>]*\sref=["']([^"'<>]*)$/, known, '', '"'],
      [/<[^<>]*\sfrom=["']([^"'<>]*)$/, names, '', '"'],
      [/<[^<>]*=["']([^"'<>]*)$/, attributes?.get(attribute) ?? [], '', '"'],
      [/<[\w-]+\s(?:[^<>]*\s)?([\w-]*)$/, [...(attributes?.keys() ?? [])], '', '="'],
      [/\{\{\s*([\w-]*)$/, names],
      // In the text of an element only what stands between braces is a name.
      [/^(?!\s*<)(?:.*[^\w-])?([\w-]+)$/, [...names, ...functionNames.map(name => `${name}(`)]],
    ];
  for (const [pattern, all, before = '', behind = ''] of rows) {
    const [, end] = pattern.exec(line) ?? [];
    if (end === undefined) continue;
    const fitting = [...new Set(all)].filter(each => each.startsWith(end)).sort();
    return [fitting.map(each => before + each + behind), before + end];
  }
  return [[], ''];
}

/** By element, by attribute: what it may be; none where it may be anything. The schema is written so that this finds it. */
export function readGrammar(): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const schema = readFileSync(join(import.meta.dirname, '../../../../../prompts/task.xsd'), 'utf8');
  const types = new Map<string, string>();
  for (const [body, name = ''] of schema.matchAll(/^ {2}<xs:\w+Type name="(\w+)".*?^ {2}<\//gms))
    types.set(name, body);
  const values = (type = '') =>
    [...(types.get(type) ?? '').matchAll(/<xs:enumeration value="([^"]+)"/g)].map(([, value = '']) => value);
  const attributes = (type = ''): [string, string[]][] => {
    const body = types.get(type) ?? '';
    const [, base] = /<xs:extension base="(\w+)"/.exec(body) ?? [];
    const own = body.matchAll(/<xs:attribute name="(\w+)"(?: type="(\w+)")?/g);
    const inherited = base === undefined ? [] : attributes(base);
    return [...inherited, ...[...own].map(([, name = '', of]): [string, string[]] => [name, values(of)])];
  };
  const elements = schema.matchAll(/<xs:element name="(\w+)"(?: type="(\w+)")?/g);
  return new Map([...elements].map(([, name = '', type]) => [name, new Map(attributes(type))]));
}
