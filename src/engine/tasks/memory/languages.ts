// Tells the language of a file by its name alone.

/** The comment syntax of a language; decides where a file's first comment is looked for. */
export type CommentStyle = 'slash' | 'hash' | 'dash' | 'semicolon' | 'percent' | 'markup' | 'none';

export interface Language {
  name: string;
  comments: CommentStyle;
}

const of = (name: string, comments: CommentStyle, endings: string): [string, Language][] =>
  endings.split(' ').map(ending => [ending, { name, comments }]);

/** By the ending after the last dot. */
const byEnding = new Map<string, Language>([
  ...of('TypeScript', 'slash', 'ts tsx mts cts'),
  ...of('JavaScript', 'slash', 'js jsx mjs cjs'),
  ...of('Python', 'hash', 'py pyi'),
  ...of('Go', 'slash', 'go'),
  ...of('Rust', 'slash', 'rs'),
  ...of('Java', 'slash', 'java'),
  ...of('C', 'slash', 'c'),
  ...of('C header', 'slash', 'h hh hpp hxx'),
  ...of('C++', 'slash', 'cc cpp cxx'),
  ...of('C#', 'slash', 'cs'),
  ...of('Kotlin', 'slash', 'kt kts'),
  ...of('Swift', 'slash', 'swift'),
  ...of('Scala', 'slash', 'scala'),
  ...of('Dart', 'slash', 'dart'),
  ...of('Zig', 'slash', 'zig'),
  ...of('PHP', 'slash', 'php'),
  ...of('Protocol Buffers', 'slash', 'proto'),
  ...of('GraphQL', 'hash', 'graphql gql'),
  ...of('Vue', 'markup', 'vue'),
  ...of('Svelte', 'markup', 'svelte'),
  ...of('CSS', 'slash', 'css scss less'),
  ...of('Ruby', 'hash', 'rb rake gemspec'),
  ...of('Perl', 'hash', 'pl pm'),
  ...of('R', 'hash', 'r'),
  ...of('Julia', 'hash', 'jl'),
  ...of('Elixir', 'hash', 'ex exs'),
  ...of('Shell', 'hash', 'sh bash zsh fish'),
  ...of('PowerShell', 'hash', 'ps1 psm1'),
  ...of('Nix', 'hash', 'nix'),
  ...of('Terraform', 'hash', 'tf tfvars hcl'),
  ...of('YAML', 'hash', 'yml yaml'),
  ...of('TOML', 'hash', 'toml'),
  ...of('INI', 'semicolon', 'ini cfg'),
  ...of('SQL', 'dash', 'sql'),
  ...of('Lua', 'dash', 'lua'),
  ...of('Haskell', 'dash', 'hs'),
  ...of('Lisp', 'semicolon', 'lisp el clj cljs cljc scm'),
  ...of('Erlang', 'percent', 'erl hrl'),
  ...of('TeX', 'percent', 'tex'),
  ...of('HTML', 'markup', 'html htm'),
  ...of('XML', 'markup', 'xml xsd xsl svg'),
  ...of('Markdown', 'none', 'md markdown mdx'),
  ...of('reStructuredText', 'none', 'rst'),
  ...of('AsciiDoc', 'none', 'adoc asciidoc'),
  ...of('text', 'none', 'txt'),
  ...of('JSON', 'none', 'json jsonc json5'),
]);

/** Files that are known by their whole name, in lower case. */
const byName = new Map<string, Language>([
  ...of('Dockerfile', 'hash', 'dockerfile containerfile'),
  ...of('Makefile', 'hash', 'makefile gnumakefile'),
  ...of('Ruby', 'hash', 'gemfile rakefile'),
  ...of('CMake', 'hash', 'cmakelists.txt'),
  ...of('Go module', 'slash', 'go.mod'),
  ...of('text', 'none', 'readme license licence copying notice authors changelog'),
  ...of('settings', 'hash', '.gitignore .gitattributes .dockerignore .editorconfig .npmrc codeowners'),
]);

/** The language of a path; undefined where its name does not tell. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const known = byName.get(name);
  if (known) return known;
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : byEnding.get(name.slice(dot + 1));
}
