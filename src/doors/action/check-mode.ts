// `mode: check`: tries on the repository's own runner everything that a run needs. One job for each set of permissions.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setSecret } from '@actions/core';
import { masker } from '@echelon/ground';
import { keyName, providers } from '../../engine/models/provider-keys.ts';
import { checkFiles, type Finding, findingLines } from '../finding.ts';
import { fencedOff } from '../../engine/language/quote.ts';
import { checkDelivery } from './check/delivery.ts';
import { checkModels } from './check/models.ts';
import { checkTests } from './check/tests.ts';
import { addSummary, quietly } from './workflow-commands.ts';

/** A part of the check. `record`: see recorder.ts. */
type CheckPart = (env: NodeJS.ProcessEnv) => Promise<{ findings: Finding[]; record?: string }>;

/** By the input `check`, with the headings that people read. */
const parts: Readonly<Record<string, { heading: string; look: CheckPart }>> = {
  tests: { heading: 'Sandbox and tests', look: checkTests },
  models: { heading: 'Models and issues', look: checkModels },
  delivery: { heading: 'Branch and pull request', look: checkDelivery },
};

/** Answers the exit code: 0 nothing is missing, 1 something is, 2 the step was written wrongly. */
export async function checkMode(env: NodeJS.ProcessEnv): Promise<number> {
  const names = ['INPUT_TOKEN', ...providers.map(keyName), 'ECHELON_STATE_KEY'];
  const secrets = names.flatMap(name => env[name]?.split(/[\s,]+/).filter(Boolean) ?? []);
  if (env['GITHUB_ACTIONS'] === 'true') secrets.forEach(setSecret);
  const mask = masker(secrets);
  return await quietly(mask, async tell => {
    const part = parts[env['INPUT_CHECK'] ?? ''];
    const folder = env['INPUT_FOLDER'];
    if (!part || !folder) {
      tell(`mode: check needs check (${Object.keys(parts).join(', ')}) and folder`);
      return 2;
    }
    const { findings, record } = await part.look(env);
    const lines = findingLines(findings).map(mask);
    for (const line of lines) console.log(line);
    await addSummary(`### ${part.heading}\n\n${fencedOff(lines.join('\n'))}\n`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, checkFiles.findings), mask(JSON.stringify(findings)));
    if (record !== undefined) await writeFile(join(folder, checkFiles.record), mask(record));
    return findings.some(({ state }) => state === 'missing') ? 1 : 0;
  });
}
