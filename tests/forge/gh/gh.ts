// GitHub's own command line, sent to a forge as if that were its proxy.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTestForge, type TestForge } from '../fixture.ts';

const ran = promisify(execFile);

/** Empty where `gh` is there; else what a test says of it in its name. */
export const ghMissing =
  spawnSync('gh', ['--version']).error === undefined ? '' : ' (skipped: gh is missing)';

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

interface Place {
  login?: string;
  /** Default that of `login`. */
  token?: string;
  cwd?: string;
  input?: string;
}

/** Runs a program in the environment of docs/local-forge.md. */
async function runAs(
  { forge, root }: TestForge,
  program: string,
  args: readonly string[],
  { login = 'olga', token = forge.tokenFor(login), cwd = root, input = '' }: Place,
): Promise<Ran> {
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    GH_HOST: 'github.localhost',
    GH_TOKEN: token,
    http_proxy: forge.url,
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_PROMPT_DISABLED: '1',
    NO_COLOR: '1',
  };
  const running = ran(program, [...args], { env, cwd });
  // A program may end without reading its input; that shows in what it answers.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return await running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code = -1, stdout = '', stderr = '' }: Partial<Ran>) => ({ code, stdout, stderr }),
  );
}

/** Runs `gh` with `args` as that person; `cwd`: default the forge's own folder, which is no checkout. */
export const gh = (opened: TestForge, args: readonly string[], place: Place = {}): Promise<Ran> =>
  runAs(opened, 'gh', args, place);

/** A forge, and `gh` at a folder of its own in which clones may be made. */
export class Desk {
  readonly opened: TestForge;
  readonly folder: string;

  constructor(opened: TestForge) {
    this.opened = opened;
    this.folder = join(opened.root, 'desk');
    mkdirSync(this.folder);
  }

  run(args: string[], place: Place = {}): Promise<Ran> {
    return gh(this.opened, args, { cwd: this.folder, ...place });
  }

  /** The standard output of a command that succeeds. */
  async ok(args: string[], place: Place = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, place);
    if (code !== 0) throw new Error(`gh ${args.join(' ')}: ${stderr || stdout}`);
    return stdout;
  }

  /** Output of a command with `--json`. */
  async json(args: string[], fields: string): Promise<unknown> {
    return JSON.parse(await this.ok([...args, '--json', fields]));
  }

  async git(args: string[], cwd: string): Promise<string> {
    const { code, stdout, stderr } = await runAs(this.opened, 'git', args, { cwd });
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.opened[Symbol.asyncDispose]();
  }
}

export const openDesk = async (): Promise<Desk> => new Desk(await openTestForge());
