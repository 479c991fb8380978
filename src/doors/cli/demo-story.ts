// A story: what people do beside the first directive, with the replies that answer it; a file beside the sample.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { Script, ScriptReply } from '../../engine/models/script.ts';
import type { ModelChoice } from '../../engine/runtime/open-model.ts';
import { Act } from './demo-acts.ts';
import { samplePath } from './sample.ts';

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

const names = () =>
  readdirSync(samplePath('stories'))
    .map(file => file.replace(/\.json$/, ''))
    .sort();

/** The story of that name over the sample's script. */
export function readStory(
  name: string,
  sample: Extract<ModelChoice, { provider: 'scripted' }>,
): Story | { problem: string } {
  const path = samplePath(`stories/${name}.json`);
  if (!/^\w+$/.test(name) || !existsSync(path))
    return { problem: `there is no story ${name}; there is ${names().join(', ')}` };
  const { directive, files, replies, acts } = File.parse(JSON.parse(readFileSync(path, 'utf8')));
  const script = Script.parse(JSON.parse(sample.script));
  const whole = { ...script, replies: [...replies, ...script.replies] };
  return { directive, files, acts, model: { ...sample, script: JSON.stringify(whole) } };
}
