// The metadata of one file in the index: what a model needs to guess whether the file matters for its task.
import { languageOf } from './languages.ts';
import { quoteForModel } from '../../language/quote.ts';
import { openingLine } from './opening.ts';

/** Longest metadata, in characters. 10,000 files at this length are 6 MB. */
export const longestMetadata = 600;
/** A file of more bytes is known by language and size alone, and need not be read. */
export const largestDescribed = 1 << 20;
const longestOpening = 140;
const mostNames = 40;
/** Lines that exports are looked for in; generated files may have a million. */
const mostLines = 20_000;

/**
 * Language, size, first heading or line of the doc comment, and exported names: one line of at most
 * `longestMetadata` characters, without control or invisible characters whatever the file holds. `text` is undefined
 * when the file was not read; `bytes` is its size. Linear in the text; never throws.
 */
export function describeFile(
  path: string,
  text: string | undefined,
  bytes: number = Buffer.byteLength(text ?? ''),
): string {
  const language = languageOf(path);
  const said = text === undefined || bytes > largestDescribed ? undefined : text;
  if (said !== undefined && isBinary(said)) return `binary, ${size(bytes)}`;
  const plain = said?.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '');
  const lines = plain?.split('\n', mostLines) ?? [];
  const name = language?.name ?? interpreter(lines[0]) ?? 'file';
  const opening = clip(oneLine(openingLine(language, lines) ?? ''), longestOpening).replace(/(?<!\.)\.$/, '');
  const head = `${name}, ${size(bytes)}${opening === '' ? '' : `: ${opening}`}`;
  const names = exportedNames(name, lines, mostNames).map(oneLine);
  return withNames(head, names);
}

/** As many whole names as fit. */
function withNames(head: string, names: readonly string[]): string {
  let described = head;
  for (const [at, name] of names.entries()) {
    const longer = described + (at === 0 ? '; exports ' : ', ') + name;
    if (longer.length > longestMetadata) break;
    described = longer;
  }
  return described;
}

/** Text has no NUL, and few bytes that are not UTF-8. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 8000);
  if (start.includes('\0')) return true;
  const broken = start.split('\ufffd').length - 1;
  return broken > start.length / 10;
}

/** `#!/usr/bin/env python3` says it where the name does not. */
function interpreter(line: string | undefined): string | undefined {
  const program = /^#!\s*\S*?\/(?:env\s+(?:-S\s+)?)?([a-z]+)[\d.]*(?:\s|$)/.exec(
    line?.slice(0, 200) ?? '',
  )?.[1];
  if (program === undefined) return undefined;
  if (/^(?:ba|da|k|z|fi)?sh$/.test(program)) return 'Shell';
  const known: Record<string, string> = { python: 'Python', node: 'JavaScript', ruby: 'Ruby', perl: 'Perl' };
  return Object.hasOwn(known, program) ? known[program] : undefined;
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(bytes < 9950 ? 1 : 0)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** One line of what a person would see of the text. */
function oneLine(text: string): string {
  return quoteForModel(text).text.replace(/\s+/g, ' ').trim();
}

function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 3)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}...`;
}

// The names that a source file offers to others, found line by line without a parser.

/** A line longer than this was written by a program; only its beginning is looked at. */
const longestLine = 400;
const longestName = 60;

/** A pattern has its name in group 1, or a list of names between braces or brackets in group `list`. */
const patterns: Record<string, readonly RegExp[]> = {
  TypeScript: [
    /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\b\s*\*?|class|const\s+enum|const|let|var|interface|type|enum|namespace)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u,
    /^export\s+(?:type\s+)?\{(?<list>[^}]*)\}/,
    /^(?:module\.)?exports\.([\w$]+)\s*=/,
    /^module\.exports\s*=\s*\{(?<list>[^}]*)\}/,
    /^module\.exports\s*=\s*(?:async\s+)?(?:function\s*\*?|class)\s+([\w$]+)/,
  ],
  Python: [
    /^(?:async\s+)?def\s+(?!_)(\w+)/,
    /^class\s+(?!_)(\w+)/,
    /^__all__\s*=\s*[[(](?<list>[^\])]*)[\])]/,
  ],
  Go: [/^func\s+(?:\([^)]*\)\s*)?(\p{Lu}\w*)/u, /^(?:type|var|const)\s+(\p{Lu}\w*)/u],
  Rust: [
    /^\s*pub\s+(?:(?:async|unsafe|const|default|extern\s+"[^"]*"|extern)\s+)*(?:fn|struct|enum|trait|type|mod|union|static\s+mut|static|const)\s+(\w+)/,
    /^\s*pub\s+const\s+(\w+)\s*:/,
  ],
  Java: [
    /^\s*public\s+(?:(?:abstract|final|static|sealed|non-sealed|strictfp)\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)/,
    /^\s*public\s+(?=\S)[^=;({]*?\b(\w+)\s*\(/,
  ],
  'C header': [
    /^#\s*define\s+(?!\w*_(?:H|HH|HPP|HXX|H_|INCLUDED)_*\b)(\w+)/,
    /^(?:typedef\s+)?(?:struct|enum|union|class)\s+(\w+)\s*\{?\s*$/,
    /^typedef\s[^;]*?\b(\w+)\s*;/,
    /^(?!#|typedef\b|return\b|else\b|using\b|static_assert\b)[A-Za-z_][\w\s*&:<>,]*?[\s*&](\w+)\s*\(/,
  ],
};
patterns['JavaScript'] = patterns['TypeScript']!;

/**
 * At most `most` names, in the order of their lines; none for a language without patterns. Time is linear in the
 * lines: of each a bounded part is looked at.
 */
function exportedNames(language: string, lines: readonly string[], most: number): string[] {
  const wanted = patterns[language];
  if (!wanted) return [];
  const names = new Set<string>();
  for (const whole of lines) {
    if (names.size >= most) break;
    const line = whole.slice(0, longestLine);
    for (const pattern of wanted) {
      const match = pattern.exec(line);
      if (!match) continue;
      const list = match.groups?.['list'];
      const found = list === undefined ? [match[1] ?? ''] : listed(list);
      for (const name of found) if (name !== '') names.add(name.slice(0, longestName).toWellFormed());
      break;
    }
  }
  return [...names].slice(0, most);
}

/** The names of `a, b as c, type d, e: f, 'g'`, each as others see it. */
function listed(list: string): string[] {
  return list.split(',').map(part => {
    const offered = part.includes(' as ')
      ? part.slice(part.lastIndexOf(' as ') + 4)
      : (part.split(':')[0] ?? '');
    return /^\s*(?:type\s+)?["']?([\w$]+)["']?\s*$/.exec(offered)?.[1] ?? '';
  });
}
