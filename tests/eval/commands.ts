// Commands in a sandbox as jobs have it: whether a toolchain is there, and, once all is delivered, the hidden tests.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { trimLog } from '../../src/engine/language/trim.ts';
import { git } from '../../packages/ground/workspace/git.ts';
import { createCheckout } from '../../packages/ground/workspace/checkout.ts';
import { runCommand, type ShellCommand } from '../../packages/ground/workspace/command.ts';
import { chooseIsolation } from '../../packages/ground/workspace/isolation.ts';
import type { Mirror } from '../../packages/ground/workspace/mirror.ts';
import type { Directive } from './directives.ts';

/** Milliseconds; all of them are small. */
const TIME = 120_000;
/** Bytes of output that are kept, and tokens of it that are told. */
const OUTPUT = 64 * 1024;
const TOLD = 200;

export interface Sandbox extends Pick<ShellCommand, 'hostPath' | 'signal'> {
  /** True if there is a key that model-written code must not see. */
  secretsPresent: boolean;
}

const run = async (
  what: Pick<ShellCommand, 'command' | 'tree' | 'home'>,
  { hostPath, signal, secretsPresent }: Sandbox,
) =>
  await runCommand({
    ...{ ...what, hostPath, signal, env: {}, hosts: [] },
    ...{ time: { ms: TIME, more: 'it is fixed' }, maxOutputBytes: OUTPUT },
    isolation: await chooseIsolation('auto', { secretsPresent }),
  });

/** Reason, a clause, that a directive cannot be played here; undefined: it can. `folder`: an empty one. */
export async function lacking(
  { needs, language }: Directive,
  { folder, ...sandbox }: Sandbox & { folder: string },
): Promise<string | undefined> {
  const [tree, home] = [join(folder, 'tree'), join(folder, 'home')];
  for (const path of [tree, home]) mkdirSync(path, { recursive: true });
  const { exit_code } = await run({ command: needs, tree, home }, sandbox);
  return exit_code === 0 ? undefined : `what ${language} needs is not here: ${needs}`;
}

/** Reason that the hidden tests fail on a tree; undefined: they pass. */
export async function testsFault(
  { folder, hidden }: Directive,
  { tree, home }: Pick<ShellCommand, 'tree' | 'home'>,
  sandbox: Sandbox,
): Promise<string | undefined> {
  const place = join(tree, 'hidden');
  rmSync(place, { recursive: true, force: true });
  cpSync(join(folder, 'hidden'), place, { recursive: true });
  const { exit_code, stdout, stderr } = await run({ command: hidden, tree, home }, sandbox);
  if (exit_code === 0) return undefined;
  return `the hidden tests failed: ${trimLog(`${stdout}\n${stderr}`, TOLD).trim()}`;
}

interface Delivered extends Sandbox {
  mirror: Mirror;
  /** The commit that the run began at, and those of the branches that were delivered. */
  base: string;
  commits: readonly string[];
  /** For the checkout. */
  folder: string;
}

/** Undefined: they passed on the branches merged together, or those were laid over a project of one's own; else why not. */
export async function hiddenFault(
  directive: Directive,
  { mirror, base, commits, folder, ...sandbox }: Delivered,
): Promise<string | undefined> {
  const merged = await mirror.merge([base, ...commits], {
    message: 'Delivered',
    date: '2026-01-01T00:00:00Z',
  });
  if ('conflicts' in merged) return `what was delivered conflicts in ${merged.conflicts.join(', ')}`;
  const { own, project } = directive;
  if (own) {
    const patch = await git(['diff', '--binary', base, merged.commit], { cwd: mirror.path });
    // A project that is no repository of its own may lie in another one.
    const env = { GIT_CEILING_DIRECTORIES: join(project, '..') };
    if (patch !== '') await git(['apply', '--whitespace=nowarn'], { cwd: project, env, input: patch });
    return undefined;
  }
  const checkout = await createCheckout({ mirror: mirror.path, commit: merged.commit, folder });
  try {
    return await testsFault(directive, checkout, sandbox);
  } finally {
    await checkout.remove();
  }
}
