// The setup command of a development container: https://containers.dev/implementors/json_reference/#lifecycle-scripts
import { z } from 'zod';
import type { Guess } from '../../comments/view.ts';
import type { ProjectFiles } from './project-files.ts';
import { runsInSandbox } from './project-workflows.ts';
import { quotedWord } from './shell-line.ts';

const Command = z.union([z.string(), z.array(z.string())]);
const DevContainer = z.looseObject({
  postCreateCommand: z.union([Command, z.record(z.string(), Command)]),
});

export async function devcontainerSetup(files: ProjectFiles): Promise<Guess | undefined> {
  const path = ['.devcontainer/devcontainer.json', '.devcontainer.json'].find(each => files.paths.has(each));
  if (path === undefined) return undefined;
  const read = DevContainer.safeParse(jsonWithComments(await files.read(path)));
  if (!read.success) return undefined;
  const { postCreateCommand: written } = read.data;
  const commands = typeof written === 'string' || Array.isArray(written) ? [written] : Object.values(written);
  const command = commands
    .map(each => (typeof each === 'string' ? each.trim() : each.map(quotedWord).join(' ')))
    .filter(each => each !== '')
    .join(' && ')
    .replaceAll(/\$\{(?:containerWorkspaceFolder|localWorkspaceFolder)\}/g, '.');
  // Other variables of the container's are not known here.
  if (!runsInSandbox(command) || /\$\{(?:container|local|devcontainer)/.test(command)) return undefined;
  return { command, source: `${path}, postCreateCommand` };
}

/** Comments and commas before a closing bracket are left out; undefined: it is no JSON then. */
function jsonWithComments(text: string): unknown {
  // What is not closed goes to the end of the text, so that reading it takes linear time.
  const string = '"(?:[^"\\\\]|\\\\.?)*(?:"|$)';
  const without = (what: string, from: string) =>
    from.replace(new RegExp(`(${string})|${what}`, 'gs'), (_all, kept?: string) => kept ?? '');
  try {
    const uncommented = without('//[^\\n]*|/\\*.*?(?:\\*/|$)', text);
    return JSON.parse(without(',(?=\\s*[}\\]])', uncommented));
  } catch {
    // What is no JSON names no command.
    return undefined;
  }
}
