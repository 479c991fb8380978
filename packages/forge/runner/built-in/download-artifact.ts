// actions/download-artifact: artifacts of this run, or with a token those of another, into a folder of the job.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openPromise } from 'yauzl';
import { z } from 'zod';
import { readGlob } from '@echelon/ground';
import { StepFailed, type StepRun } from '../step.ts';
import { isWithin, placeOf, flag, inputsOf } from './inputs.ts';

interface Offer {
  id: number;
  name: string;
  digest: string;
  /** Path of its zip; got when it is asked for. */
  file(): Promise<string>;
}

/** Limit of matching artifact names, in visited states (see `lib/glob-match.ts`). */
const mostEffort = 10_000_000;

export async function downloadArtifact(step: StepRun): Promise<void> {
  const inputs = inputsOf(step, {
    name: '',
    'artifact-ids': '',
    path: '',
    pattern: '',
    'merge-multiple': 'false',
    'github-token': '',
    repository: step.render('${{ github.repository }}'),
    'run-id': step.render('${{ github.run_id }}'),
  });
  const { job, home, workspace } = step.state.folders;
  const target = resolve(workspace, inputs.path.replace(/^~(?=\/|$)/, home));
  const all = inputs['github-token'] === '' ? ownArtifacts(step) : await artifactsOf(step, inputs);
  const ids = inputs['artifact-ids']
    .split(',')
    .map(id => id.trim())
    .filter(id => id !== '');
  if (inputs.name !== '' && ids.length > 0)
    throw new StepFailed(
      "Inputs 'name' and 'artifact-ids' cannot be used together. Please specify only one.",
    );
  const wanted = all.filter(({ id, name }) =>
    inputs.name !== ''
      ? name === inputs.name
      : ids.length > 0
        ? ids.includes(String(id))
        : fits(name, inputs.pattern),
  );
  if (wanted.length === 0 && (inputs.name !== '' || ids.length > 0))
    throw new StepFailed(
      `Unable to download artifact(s): Artifact not found for ${inputs.name === '' ? `ids: ${ids}` : `name: ${inputs.name}`}`,
    );
  const together =
    inputs.name !== '' || flag('merge-multiple', inputs['merge-multiple']) || wanted.length === 1;
  for (const artifact of wanted) {
    step.signal.throwIfAborted();
    step.write(`- ${artifact.name} (ID: ${artifact.id}, Expected Digest: ${artifact.digest})`);
    const file = await artifact.file();
    if (artifact.digest !== `sha256:${await digestOf(file)}`)
      throw new StepFailed(`Digest validation failed for artifact ${artifact.name}.`);
    await unpack(file, together ? target : join(target, artifact.name), job);
  }
  step.setOutput('download-path', target);
  step.write(`Total of ${wanted.length} artifact(s) downloaded`);
}

function fits(name: string, pattern: string): boolean {
  if (pattern === '') return true;
  const glob = readGlob(pattern);
  if (!glob) throw new StepFailed(`The pattern ${pattern} is none that names can be matched with.`);
  return glob.matches(name, { left: mostEffort });
}

const ownArtifacts = ({ state }: StepRun): Offer[] =>
  state.host.artifacts
    .list()
    .map(({ id, name, digest, file }) => ({ id, name, digest, file: async () => file }));

const Listed = z.object({
  artifacts: z.array(
    z.object({ id: z.number(), name: z.string(), digest: z.string(), archive_download_url: z.string() }),
  ),
});

/** Those that the token may read, over the API as for anybody. */
async function artifactsOf(
  step: StepRun,
  inputs: Record<'github-token' | 'repository' | 'run-id', string>,
): Promise<Offer[]> {
  const get = async (url: string) => {
    const headers = { authorization: `Bearer ${inputs['github-token']}` };
    const answer = await fetch(url, { headers, signal: step.signal });
    if (!answer.ok) throw new StepFailed(`Unable to download artifact(s): ${answer.status} for ${url}`);
    return answer;
  };
  if (!/^[\w.-]+\/[\w.-]+$/.test(inputs.repository) || !/^\d+$/.test(inputs['run-id']))
    throw new StepFailed(`There is no run ${inputs['run-id']} of ${inputs.repository}.`);
  const run = `${step.state.host.api}/repos/${inputs.repository}/actions/runs/${inputs['run-id']}`;
  const offers = new Map<string, Offer>();
  for (let page = 1; ; page++) {
    const { artifacts } = Listed.parse(
      await (await get(`${run}/artifacts?per_page=100&page=${page}`)).json(),
    );
    for (const { id, name, digest, archive_download_url: url } of artifacts)
      if ((offers.get(name)?.id ?? 0) < id)
        offers.set(name, { id, name, digest, file: async () => fetched(step, await get(url)) });
    if (artifacts.length < 100) return [...offers.values()];
  }
}

async function fetched(step: StepRun, answer: Response): Promise<string> {
  const file = join(step.state.folders.temp, `${randomUUID()}.zip`);
  await writeFile(file, answer.body ?? '');
  return file;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** Writes the files of a zip below `folder`, and nothing outside `within`, whatever links were put in the way. */
async function unpack(file: string, folder: string, within: string): Promise<void> {
  const zip = await openPromise(file, { strictFileNames: true });
  try {
    // The library refuses `..` and absolute names, and holds each file to the size that the directory tells.
    for await (const entry of zip.eachEntry()) {
      const path = join(folder, entry.fileName);
      const place = await placeOf(dirname(path));
      if (!isWithin(place, within))
        throw new StepFailed(
          `${path} leads to ${place}, outside the job's folders: nothing is written there.`,
        );
      await mkdir(dirname(path), { recursive: true });
      // A link in the file's place is replaced, not followed.
      await rm(path, { force: true });
      await writeFile(path, await zip.openReadStreamPromise(entry), { flag: 'wx' });
    }
  } finally {
    zip.close();
  }
}
