// Domains of issues, and every pair of them.
import { describe, expect, test } from 'vitest';
import { conflictOf, type DomainClues, type Domain, domainOf } from '../../../src/app/scheduler/domains.ts';
import { cpuNow } from '../../cpu-time.ts';

const issue = (clues: Partial<DomainClues>) => domainOf({ title: '', body: '', ...clues });

describe('domainOf', () => {
  test.each<[Partial<DomainClues>, string]>([
    [{ domain: 'database', title: '[Frontend] x', labels: ['docs'] }, 'database'],
    [{ domain: ' Infra ' }, 'infrastructure'],
    [{ domain: 'constructor', title: '[Docs] x' }, 'docs'],
    [{ title: '[Backend] x', labels: ['docs'] }, 'backend'],
    [{ title: 'Fix [WIP] [frontend] x' }, 'frontend'],
    [{ title: '[Database] x' }, 'database'],
    [{ title: '[Infra] x' }, 'infrastructure'],
    [{ title: '[Security] x' }, 'security'],
    [{ title: '[Tests] x' }, 'tests'],
    [{ title: 'x', labels: ['good first issue', 'domain: Backend'] }, 'backend'],
    [{ title: 'x', labels: ['area/docs', 'db'] }, 'database'],
    [{ body: 'Change src/components/Button.tsx only.', title: 'server' }, 'frontend'],
    [{ body: 'See `migrations/001_users.sql` and src/api/users.ts' }, 'database'],
    [{ body: 'docs/api.md' }, 'docs'],
    [{ paths: ['tests/**'], body: 'the server' }, 'tests'],
    [{ paths: ['src/server/**', 'tests/server.test.ts'] }, 'backend'],
    [{ body: 'edit .github/workflows/ci.yml' }, 'infrastructure'],
    [{ title: 'Explain the server in the README' }, 'backend'],
    [{ title: 'Write a tutorial', body: 'for the REST API' }, 'docs'],
    [{ title: 'Make it faster', body: 'the endpoint is slow' }, 'backend'],
    [{ title: 'Rapid contest' }, 'unknown'],
    [{}, 'unknown'],
  ])('%j: %s', (clues, expected) => expect(issue(clues)).toBe(expected));

  test('a long hostile body is read in linear time', () => {
    const started = cpuNow();
    for (const unit of ['.', 'a.', '/', 'a/', '[', ',]a', 'a '])
      issue({ body: unit.repeat(70_000), title: '['.repeat(1_000) });
    expect(cpuNow() - started).toBeLessThan(3_000);
  });
});

const together: Record<Domain, string> = {
  backend: 'frontend tests docs',
  frontend: 'backend tests docs',
  security: 'tests docs',
  tests: 'backend frontend security docs',
  docs: 'backend frontend security tests',
  database: '',
  infrastructure: '',
  unknown: '',
};

describe('conflictOf', () => {
  const domains = Object.keys(together) as Domain[];
  const pairs = domains.flatMap(a => domains.map(b => [a, b] as const));
  test.each(pairs)('%s beside %s', (a, b) => {
    const expected = together[a].split(' ').includes(b);
    const reason = conflictOf({ domain: a, paths: [] }, { domain: b, paths: [] }, 'serial');
    expect(reason === undefined).toBe(expected);
    if (reason !== undefined) expect(reason).toMatch(/^[a-z]+ .*[a-z]$/);
  });
  test.each<[string[], string[], boolean]>([
    [['src/a/**'], ['src/b/**'], true],
    [['src/a/**'], ['src/a/x.ts'], false],
    [['src/a.ts'], ['src/a.ts'], false],
    [['src/a'], ['src/a/b.ts'], false],
    [['src/a.ts', 'src/b.ts'], ['src/c.ts'], true],
    [['src/a.ts'], [], false],
    [[], [], false],
  ])('same domain, %j and %j: %s', (a, b, expected) => {
    const reason = conflictOf({ domain: 'backend', paths: a }, { domain: 'backend', paths: b }, 'serial');
    expect(reason === undefined).toBe(expected);
  });
  test('compatible domains whose paths meet do not', () => {
    expect(
      conflictOf(
        { domain: 'backend', paths: ['src/**'] },
        { domain: 'tests', paths: ['**/*.test.ts'] },
        'serial',
      ),
    ).toBe('both may touch the same files (src/**, **/*.test.ts)');
  });
  test('paths do not free what runs alone', () => {
    expect(conflictOf({ domain: 'database', paths: ['a'] }, { domain: 'docs', paths: ['b'] }, 'serial')).toBe(
      'database work runs alone',
    );
  });
});
