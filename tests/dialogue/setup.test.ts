// Prepared environments from the user's view: the listing names the command, and a failed installation stops the work
// with a message.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bubblewrapFault } from '../../packages/ground/workspace/isolation.ts';
import { openDialogue } from './fixture.ts';
import { director, evaluator, toWork } from './script.ts';

/** An issue for each of these files, side by side. */
const story = (files: Record<string, string>) => [
  ...toWork(...Object.keys(files).map((title, at) => ({ title, domain: at > 0 ? 'docs' : 'backend' }))),
  ...Object.entries(files).flatMap(([title, text]) => [
    ...director(`Title: "${title}"`, { [title]: text }),
    evaluator(title, true),
  ]),
];

test('a setup that fails is told with its output’s end and what to do; /retry runs it again, and the listing names it', async () => {
  await using d = await openDialogue({
    // The first time what it needs is not there, as on a machine where it is installed later.
    config: `network: all\nsetup: 'test -e "$PWD/../../../ready" || { echo "no package left-pad"; exit 3; }; echo "proxied.nowhere=$NO_PROXY" > ~/made'\n`,
    reach: { NO_PROXY: 'proxied.nowhere' },
    test: 'grep -qx "$NO_PROXY=proxied.nowhere" ~/made',
    replies: story({ upright: '', straight: '' }),
  });
  await d.label();
  const told = await d.last();
  expect(told).toMatch(/cannot run: the setup \(.*left-pad.*\) exited 3\.\*\* Set `setup` in/);
  expect(told).toContain('no package left-pad\n```');
  writeFileSync(join(d.folder, 'data/ready'), '');
  await d.comment('wanda', '/retry');
  expect(await d.last()).toMatch(
    /Every job starts from what .*left-pad.* installs at the base\.\n\nThe tests at the base \(`grep -qx .* ~\/made`\) are green\./,
  );
  await d.comment('wanda', '/approve');
  await d.ended();
  expect(d.events.findLast(({ type }) => type === 'run_settled')).toMatchObject({ status: 'completed' });
  // The tests of both together start from it as well.
  expect(d.events.findLast(({ type }) => type === 'together')).toMatchObject({ state: 'green' });
});

const npm = () => {
  try {
    return execFileSync('npm', ['--version']).length > 0;
  } catch {
    // It is not there.
    return false;
  }
};
const why = await bubblewrapFault().then(fault => fault ?? (npm() ? undefined : 'there is no npm'));

test.skipIf(why !== undefined)(
  `a repository with dependencies of npm: installed before the tests, and there for the engineer’s${why ? ` (skipped: ${why})` : ''}`,
  async () => {
    await using d = await openDialogue({
      files: {
        '.github/echelon.yml': 'isolation: bubblewrap\nsetup: npm ci --offline\n',
        '.gitignore': 'node_modules/\n',
        'package.json': JSON.stringify({ name: 'shelf', dependencies: { left: 'file:vendor/left' } }),
        'package-lock.json': JSON.stringify({
          ...{ name: 'shelf', lockfileVersion: 3, requires: true },
          packages: {
            '': { name: 'shelf', dependencies: { left: 'file:vendor/left' } },
            'node_modules/left': { resolved: 'vendor/left', link: true },
            'vendor/left': { version: '1.0.0' },
          },
        }),
        'vendor/left/package.json': '{ "name": "left", "version": "1.0.0" }',
        'vendor/left/index.js': 'module.exports = (text, width) => text.padStart(width);\n',
        'check.js': 'require("assert").equal(require("left")("a", 3), "  a");\n',
      },
      test: 'test "$PWD $HOME" = "/job/tree /job/home" && node check.js && for f in more*.js; do [ ! -e "$f" ] || node "$f"; done',
      replies: story({ 'more.js': 'require("assert").equal(require("left")("b", 2), " b");\n' }),
    });
    await d.label();
    const listing = await d.last();
    expect(listing).toContain('Every job starts from what `npm ci --offline` installs at the base.');
    expect(listing).toContain('are green.');
    await d.comment('wanda', '/approve');
    await d.ended();
    expect(d.events.findLast(({ type }) => type === 'run_settled')).toMatchObject({ status: 'completed' });
    const [pull] = await d.call<{ number: number }[]>('you', 'GET', '/pulls');
    const files = await d.call<{ filename: string }[]>('you', 'GET', `/pulls/${pull?.number}/files`);
    expect(files.map(({ filename }) => filename)).toEqual(['more.js']);
  },
);
