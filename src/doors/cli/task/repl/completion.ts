// What may stand at the end of a line: commands, elements and their attributes, names.
import { functionNames } from '../../../../engine/language/expressions/functions.ts';
import type { Grammar } from '../../../../engine/language/grammar.ts';
import { commands } from './commands.ts';
import type { Repl } from './repl.ts';

/** All that fit, and the end of the line that they replace, as readline asks for them. */
type Completed = [fitting: string[], end: string];

export function completed(
  line: string,
  { state, library }: Pick<Repl, 'state' | 'library'>,
  grammar: Grammar,
): Completed {
  const names = [...state.preceding.names.keys()];
  const templates = library.templates().map(({ name }) => name);
  const fitting = (end: string, all: readonly string[]): Completed => [
    [...new Set(all)].filter(each => each.startsWith(end)).sort(),
    end,
  ];

  const command = /^\s*(:\S*)$/.exec(line)?.[1];
  if (command !== undefined)
    return fitting(
      command,
      Object.keys(commands).map(name => `:${name}`),
    );
  if (/^\s*:(?:show|forget|save!?)\s/.test(line))
    return fitting(/\S*$/.exec(line)?.[0] ?? '', line.includes(':show') ? [...names, ...templates] : names);
  const tag = /<(\/?)([\w-]*)$/.exec(line);
  if (tag) {
    const [end, slash] = tag;
    const close = slash === '' ? '' : '>';
    return fitting(
      end,
      [...grammar.keys()].map(name => `<${slash}${name}${close}`),
    );
  }
  const [, element = '', inside] = /<([\w-]+)\s+([^<>]*)$/.exec(line) ?? [];
  if (inside !== undefined) {
    const attributes = grammar.get(element) ?? new Map<string, readonly string[]>();
    const [, attribute, value] = /([\w-]+)=["']([^"']*)$/.exec(inside) ?? [];
    if (attribute === undefined || value === undefined)
      return fitting(
        /[\w-]*$/.exec(inside)?.[0] ?? '',
        [...attributes.keys()].map(name => `${name}="`),
      );
    if (attribute === 'ref')
      return fitting(
        value,
        [...names, ...templates].map(name => `${name}"`),
      );
    if (attribute === 'from')
      return fitting(
        value,
        names.map(name => `${name}"`),
      );
    return fitting(
      value,
      (attributes.get(attribute) ?? []).map(each => `${each}"`),
    );
  }
  const word = /[\w-]*$/.exec(line)?.[0] ?? '';
  if (/\{\{\s*[\w-]*$/.test(line)) return fitting(word, names);
  // In the text of an element only what stands between braces is a name.
  if (/^\s*</.test(line) || word === '') return [[], word];
  return fitting(word, [...names, ...functionNames.map(name => `${name}(`)]);
}
