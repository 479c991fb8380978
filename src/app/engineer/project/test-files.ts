// Recognizes a repository's test files by the usual names of each language. Pure.

/** Folders that hold tests and what those read: fixtures, snapshots, helpers. */
const folders = new Set([
  ...['test', 'tests', 'spec', 'specs', 'testdata', 'e2e', 'cypress'],
  ...['__tests__', '__mocks__', '__fixtures__', '__snapshots__'],
]);

/** Names of test files beside the code, by language. */
const names: readonly { of: string; name: RegExp }[] = [
  { of: 'JavaScript, TypeScript', name: /(?:^|[._-])(?:test|spec|e2e|cy)\.[cm]?[jt]sx?$/ },
  { of: 'JavaScript for node:test', name: /^test-.*\.[cm]?[jt]s$/ },
  { of: 'Python', name: /^(?:test_.*|.*_test|tests?|conftest)\.py$/ },
  { of: 'Go, Dart, Elixir, Clojure, Zig', name: /_test\.(?:go|dart|exs|cljc?|cljs|zig)$/ },
  { of: 'Ruby, Lua', name: /_(?:spec|test)\.(?:rb|lua)$/ },
  {
    of: 'Java, Kotlin, Scala, Groovy',
    name: /^(?:Test[A-Z].*|.*(?:Tests?|TestCase|IT|Spec|Suite))\.(?:java|kt|scala|groovy)$/,
  },
  { of: '.NET, PHP, Swift, Haskell', name: /(?:Tests?|Spec)\.(?:cs|fs|vb|php|swift|hs)$/ },
  { of: 'C, C++', name: /(?:^test_.*|[._-](?:unit)?tests?)\.(?:c|cc|cpp|cxx)$/ },
  { of: 'Rust, beside src/lib.rs', name: /^(?:tests?|.*_tests?)\.rs$/ },
  { of: 'shell', name: /(?:^|[._-])tests?\.(?:sh|bash)$|\.bats$/ },
  { of: 'Perl, Julia, R', name: /\.t$|^(?:runtests|test_.*)\.jl$|^test-.*\.[rR]$/ },
  { of: 'snapshots', name: /\.snap$/ },
];

/** `path`: from the root, with slashes. */
export function isTestFile(path: string): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return parts.some(part => folders.has(part)) || names.some(each => each.name.test(name));
}
