// The sample that demo and try-out play on: where it stands, and how it becomes a git repository.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { git } from '@echelon/ground/workspace';

const folder = join(import.meta.dirname, '../../../tests/sample');

/** Path of a part of the sample: `project`, `directive.md`, `script.json`. */
export const samplePath = (name: string) => join(folder, name);

/** A directive as it stands in a text: its title on the first line, a heading or not. */
export function directiveIn(text: string): { title: string; body: string } {
  const [first = '', ...rest] = text.split('\n');
  return { title: first.replace(/^#+\s*/, '').trim(), body: rest.join('\n').trim() };
}

/** What the sample's replies are for. */
export const sampleDirective = () => readFileSync(samplePath('directive.md'), 'utf8');

/** The sample's project, with `files` laid over it, as a git repository in `into`, made once; answers its path. */
export async function sampleRepository(
  into: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const whole = join(into, 'sample');
  if (existsSync(whole)) return whole;
  // Under its name only when it is whole: this process may be killed in between.
  const path = mkdtempSync(join(into, '.sample-'));
  cpSync(samplePath('project'), path, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const as = ['-c', 'user.name=you', '-c', 'user.email=you@users.noreply.github.com'];
  await git(['init', '--quiet', '--initial-branch=main'], { cwd: path });
  await git(['add', '--all'], { cwd: path });
  await git([...as, 'commit', '--quiet', '--message', 'The sample as it is'], { cwd: path });
  renameSync(path, whole);
  return whole;
}
