// Which language a file is written in, by the ending of its name: the common ones under GitHub's names.
import { listTree } from './tree.ts';

const endings: Readonly<Record<string, string>> = {
  C: 'c h',
  'C#': 'cs',
  'C++': 'cpp cc cxx hpp hh',
  CSS: 'css',
  Clojure: 'clj cljs cljc',
  Dart: 'dart',
  Dockerfile: 'dockerfile',
  Elixir: 'ex exs',
  Elm: 'elm',
  Erlang: 'erl hrl',
  'F#': 'fs fsx',
  Go: 'go',
  Groovy: 'groovy gradle',
  HCL: 'tf hcl',
  HTML: 'html htm',
  Haskell: 'hs',
  Java: 'java',
  JavaScript: 'js mjs cjs jsx',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  Makefile: 'makefile mk',
  Nix: 'nix',
  OCaml: 'ml mli',
  'Objective-C': 'm',
  PHP: 'php',
  Perl: 'pl pm',
  PowerShell: 'ps1 psm1',
  Python: 'py pyi',
  R: 'r',
  Ruby: 'rb rake',
  Rust: 'rs',
  SCSS: 'scss',
  Scala: 'scala sc',
  Shell: 'sh bash zsh',
  Svelte: 'svelte',
  Swift: 'swift',
  TeX: 'tex',
  TypeScript: 'ts tsx mts cts',
  Vue: 'vue',
  Zig: 'zig',
};

const byEnding = new Map(
  Object.entries(endings).flatMap(([language, list]) =>
    list.split(' ').map(ending => [ending, language] as const),
  ),
);

/** What others wrote is not counted (docs, About repository languages). */
const vendored = /(?:^|\/)(?:node_modules|vendor|third_party|dist)\//;

/** Bytes of each language, the most first. Data and prose (JSON, YAML, Markdown) count for none, as on GitHub. */
function languagesOf(files: readonly { path: string; size: number | undefined }[]): Record<string, number> {
  const bytes = new Map<string, number>();
  for (const { path, size = 0 } of files) {
    // `Makefile` is its own ending.
    const ending = path.split(/[./]/).at(-1)?.toLowerCase() ?? '';
    const language = vendored.test(path) ? undefined : byEnding.get(ending);
    if (language !== undefined && size > 0) bytes.set(language, (bytes.get(language) ?? 0) + size);
  }
  return Object.fromEntries([...bytes].sort(([, a], [, b]) => b - a));
}

/** The same of the files of a commit. */
export async function languagesAt(folder: string, sha: string): Promise<Record<string, number>> {
  const files = await listTree(folder, sha, { recursive: true });
  return languagesOf(files.filter(({ mode }) => mode.startsWith('100')));
}
