// A folder that programs work in: the file tools on it, commands in a sandbox, and its memory.
import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Reach } from '@echelon/ground';
import {
  chooseIsolation,
  type CommandResult,
  git,
  type Isolation,
  outcomeOf,
  refuseCredentials,
  removeTree,
  runCommand,
  type TimeLimit,
} from '@echelon/ground/workspace';
import type { ScriptRequest } from '../tasks/options.ts';
import { editTools, shellTool } from './tools/checkout-tools.ts';

export type WorkFolder = Awaited<ReturnType<typeof openWorkFolder>>;

/** The machine that programs run on. */
export interface Host {
  /** Parent of temporary folders, which are removed at the end: git's index of the tools, HOME and /tmp of commands. */
  temporary: string;
  /** PATH, to find the toolchains of commands. */
  path: string;
  /** Granted by the operator although there are secrets: no sandbox, and a network (for commands, `all` of it). */
  allows: { isolationNone: boolean; network: boolean };
  /** By what commands reach the network where they have one. */
  reach?: Reach;
}

export interface WorkFolderOptions {
  folder: string;
  /** Changing files, the shell tool and script tasks; reading is always possible. */
  allowScripts: boolean;
  /** This process holds secrets that commands must be kept from. The operator of the host can waive that. */
  secretsPresent: boolean;
  host: Host;
}

/** Bytes of a command's output that are kept, of stdout and of stderr each. */
const MAX_OUTPUT = 256 * 1024;
const scriptTime: TimeLimit = { ms: 600_000, more: 'no script may take longer' };

/** Throws where there is no such folder. */
export async function openWorkFolder(options: WorkFolderOptions) {
  const tree = resolve(options.folder);
  const own = await mkdtemp(join(options.host.temporary, 'echelon-task-'));
  const gitDir = join(own, 'git');
  // The folder's own git directory is never asked: a command may have changed what git would obey in it.
  await git(['init', '--quiet', '--bare', '--template=', gitDir]);
  const { prepare, run, ended } = commandsIn(tree, join(own, 'home'), options);
  const files = editTools({ tree, gitDir });
  return {
    tools: options.allowScripts ? [...files, shellTool(run)] : files.filter(({ readOnly }) => readOnly),
    /** Undefined where scripts are not allowed. */
    script: options.allowScripts
      ? async ({ command, env, stdin, signal }: ScriptRequest) =>
          outcomeOf(await run(command, scriptTime, signal, { env, stdin }))
      : undefined,
    /** Finds out how commands are kept in. Throws IsolationMissing where nothing could, and as `refuseCredentials` does. */
    async prepare(): Promise<void> {
      await prepare();
    },
    /** Waits for commands that are being ended, and removes what it made outside of the folder. */
    async close(): Promise<void> {
      await ended();
      await removeTree(own);
    },
  };
}

/** Runs commands in `tree`, kept in as `prepare` finds that they can be. */
function commandsIn(tree: string, home: string, { secretsPresent, host }: WorkFolderOptions) {
  const running = new Set<Promise<unknown>>();
  let isolation: Promise<Isolation> | undefined;
  const choose = async (): Promise<Isolation> => {
    const chosen = await chooseIsolation('auto', {
      secretsPresent: secretsPresent && !host.allows.isolationNone,
    });
    await refuseCredentials(tree, chosen.kind === 'bubblewrap');
    return chosen;
  };
  const prepare = () => (isolation ??= choose());
  return {
    prepare,
    async run(
      command: string,
      time: TimeLimit,
      signal: AbortSignal,
      { env = {}, stdin }: { env?: Record<string, string>; stdin?: string | undefined } = {},
    ): Promise<CommandResult> {
      const done = runCommand({
        ...{ command, tree, home, env, time, signal },
        hostPath: host.path,
        ...(stdin !== undefined && { stdin }),
        maxOutputBytes: MAX_OUTPUT,
        isolation: await prepare(),
        hosts: host.allows.network ? 'all' : [],
        ...(host.reach && { reach: host.reach }),
      });
      const settled = done.then(
        () => {},
        () => {},
      );
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return await done;
    },
    /** Waits for those that are being ended. */
    ended: () => Promise.all(running),
  };
}
