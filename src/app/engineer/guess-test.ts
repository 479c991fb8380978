// The test command of a repository that names none: one guess from what stands at its root.
import { z } from 'zod';

/**
 * The command, or an empty text where nothing is recognised. `read` answers a file's text at the base commit; `setup` is
 * what installs dependencies, which may have a Python of their own.
 * The order is that of the specification: package.json, Makefile, pytest, cargo, go, mvn.
 */
export async function guessTest(
  paths: readonly string[],
  read: (path: string) => Promise<string>,
  setup = '',
): Promise<string> {
  const there = new Set(paths);
  if (there.has('package.json')) {
    const script = testScript(await read('package.json'));
    if (script) return 'npm test';
  }
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find(name => there.has(name));
  if (makefile && /^test\s*:(?!=)/m.test(await read(makefile))) return 'make test';
  const python = ['pytest.ini', 'conftest.py', 'tox.ini'].some(name => there.has(name));
  if (python || paths.some(path => /(^|\/)test_[^/]*\.py$/.test(path))) return `${pythonIn(setup)} -m pytest`;
  if (there.has('Cargo.toml')) return 'cargo test';
  if (there.has('go.mod')) return 'go test ./...';
  if (there.has('pom.xml')) return 'mvn --batch-mode test';
  return '';
}

function pythonIn(setup: string): string {
  if (/^uv sync\b/.test(setup)) return 'uv run --no-sync python';
  return /^poetry install\b/.test(setup) ? 'poetry run python' : 'python3';
}

const PackageJson = z.object({ scripts: z.object({ test: z.string() }) });

/** The `test` script of a package.json; the one that `npm init` writes is none. */
function testScript(text: string): string | undefined {
  try {
    const script = PackageJson.safeParse(JSON.parse(text)).data?.scripts.test;
    return script === undefined || /no test specified/.test(script) ? undefined : script;
  } catch {
    // What is no JSON names no script.
    return undefined;
  }
}
