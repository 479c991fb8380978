// The sample that demo and try-out play on: where it stands, and how it becomes a git repository.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
  readdirSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { git } from '@echelon/ground/workspace';
import { z } from 'zod';
import { type ModelChoice, Script, ScriptReply } from '../../engine/models.ts';
import { Act } from './demo-acts.ts';

const folder = join(import.meta.dirname, '../../../tests/sample');

/** Path of a part of the sample: `project`, `directive.md`, `script.json`. */
export const samplePath = (name: string) => join(folder, name);

/** A directive as it stands in a text: its title on the first line, a heading or not. */
export function directiveIn(text: string): { title: string; body: string } {
  const [first = '', ...rest] = text.split('\n');
  return { title: first.replace(/^#+\s*/, '').trim(), body: rest.join('\n').trim() };
}

/** The directive that the sample's replies answer. */
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

const Directive = z.strictObject({ title: z.string(), body: z.string() });

const File = z.strictObject({
  /** Instead of the sample's. */
  directive: Directive.optional(),
  /** Laid over the sample's, by path. */
  files: z.record(z.string(), z.string()).default({}),
  /** They come before the sample's own. */
  replies: z.array(ScriptReply),
  acts: z.array(Act),
});

export interface Story {
  directive: z.infer<typeof Directive> | undefined;
  files: Readonly<Record<string, string>>;
  acts: readonly Act[];
  model: ModelChoice;
}

/** The story of that name over the sample's script. */
export function readStory(
  name: string,
  sample: Extract<ModelChoice, { provider: 'scripted' }>,
): Story | { problem: string } {
  const path = samplePath(`stories/${name}.json`);
  if (!/^\w+$/.test(name) || !existsSync(path))
    return {
      problem: `there is no story ${name}; there is ${readdirSync(samplePath('stories'))
        .map(file => file.replace(/\.json$/, ''))
        .sort()
        .join(', ')}`,
    };
  const { directive, files, replies, acts } = File.parse(JSON.parse(readFileSync(path, 'utf8')));
  const script = Script.parse(JSON.parse(sample.script));
  const whole = { ...script, replies: [...replies, ...script.replies] };
  return { directive, files, acts, model: { ...sample, script: JSON.stringify(whole) } };
}
