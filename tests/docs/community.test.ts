// Community files: the examples are sound, and the container and the owners name existing files.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Config } from '../../src/app/config/config.ts';
import { runCli } from '../doors/cli/run-cli.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const yaml = (path: string) => parse(read(path));

test('the programs of examples/ have no problem', async () => {
  const programs = globSync('examples/programs/*.xml');
  expect(programs).toHaveLength(5);
  const { code, stderr } = await runCli(['task', 'check', 'examples/programs']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '5 programs, no problem\n' });
});

test('the configuration of examples/ is one', () => {
  expect(Config.safeParse(yaml('examples/echelon.yml')).error?.issues).toBeUndefined();
});

test('the workflow of examples/ is what init writes, but for its label and the commit that it names', () => {
  const written = read('src/doors/cli/init/echelon.yml');
  expect(read('examples/workflows/echelon.yml')).toBe(
    written
      .replaceAll("'echelon'", "'plan-it'")
      .replace(
        /@0{40} # v0$/gm,
        '@v0 # zizmor: ignore[unpinned-uses] follows the fixes of its major version',
      ),
  );
});

test('every example is told of', () => {
  const page = read('examples/README.md');
  const files = globSync('examples/**/*.{xml,yml}').map(path => path.slice('examples/'.length));
  expect(files.filter(file => !page.includes(`](${file})`))).toEqual([]);
});

test('the container copies what is there, and what its context holds', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(copied).toContain('src');
  expect(copied.filter(name => !existsSync(name))).toEqual([]);
  const context = read('.dockerignore').split('\n');
  expect(
    copied.filter(name => ![name, name.split('/')[0]].some(each => context.includes(`!${each}`))),
  ).toEqual([]);
});

test('the container starts, without rights, a command that there is', () => {
  const lines = read('Dockerfile').split('\n');
  const [, command = ''] = /^CMD (.+)$/.exec(lines.find(line => line.startsWith('CMD')) ?? '') ?? [];
  const [program, file = ''] = JSON.parse(command) as string[];
  expect({ program, there: existsSync(file) }).toEqual({ program: 'node', there: true });
  expect(lines.findLast(line => line.startsWith('USER'))).toBe('USER node');
  const known = /^(FROM|WORKDIR|COPY|RUN|VOLUME|USER|ENV|EXPOSE|CMD|#| {2}&&|$)/;
  expect(lines.filter(line => !known.test(line))).toEqual([]);
});

test('the container keeps no capability, and no secret stands in its file', () => {
  const { services } = yaml('compose.yml') as { services: Record<string, Record<string, unknown>> };
  expect(services['echelon']).toMatchObject({
    cap_drop: ['ALL'],
    env_file: [{ path: '.env', required: false }],
  });
  expect(services['echelon']).not.toHaveProperty('environment');
});

test('owners are named for folders and files that are there', () => {
  const paths = [...read('.github/CODEOWNERS').matchAll(/^\/(\S+)/gm)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter(path => !existsSync(path))).toEqual([]);
});

test.each(globSync('.github/ISSUE_TEMPLATE/[!c]*.yml'))('%s is a form', path => {
  const { name, description, body } = yaml(path) as Record<string, unknown>;
  expect([typeof name, typeof description, Array.isArray(body)]).toEqual(['string', 'string', true]);
});

test('updates of dependencies look where some are', () => {
  const { version, updates } = yaml('.github/dependabot.yml') as {
    version: number;
    updates: { 'package-ecosystem': string }[];
  };
  expect(version).toBe(2);
  expect(updates.map(each => each['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker']);
});
