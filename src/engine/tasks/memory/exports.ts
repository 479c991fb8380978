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
export function exportedNames(language: string, lines: readonly string[], most: number): string[] {
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
