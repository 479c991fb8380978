// A recording in a file: what any model answers to this process and to its jobs, as a script that the scripted model plays.
import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Model } from '../models/model.ts';
import { type Recorded, recording, toScript } from '../models/record.ts';

/** Beside the script: a line for each reply so far. Several processes may write at once. */
const callsOf = (file: string): string => `${file}.calls`;

/** `model`, whose replies and failures are in `file` before the caller has them; `file` is a whole script at any time. */
export const recordingTo = (file: string, model: Model): Model =>
  recording(model, async recorded => {
    await appendFile(callsOf(file), `${JSON.stringify(recorded)}\n`, { mode: 0o600 });
    await writeScript(file);
  });

/** Nothing is recorded there any more. */
export const endRecording = (file: string): Promise<void> => rm(callsOf(file), { force: true });

let written = 0;

/** Again while others go on writing: the last one to end has seen every line. */
async function writeScript(file: string): Promise<void> {
  for (let size = -1; size !== (await stat(callsOf(file))).size; ) {
    const text = await readFile(callsOf(file), 'utf8');
    size = Buffer.byteLength(text);
    // Text after the last line end is still being written.
    const lines = text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean);
    const all = lines.map((line): Recorded => JSON.parse(line));
    const draft = `${file}.${process.pid}-${written++}`;
    await writeFile(draft, `${JSON.stringify(toScript(all), undefined, 2)}\n`, { mode: 0o600 });
    await rename(draft, file);
  }
}
