// The Action's entry: `mode` says what it does. A job on this machine comes here through `job.js`.
import { masker, messageOf } from '@echelon/ground';
import { providerKeys, secretsOf } from '../../engine/models/provider-keys.ts';
import { useProxy } from '../settings.ts';

const { env } = process;
const mode = env['INPUT_MODE'] ?? '';
const folder = env['INPUT_JOB'] ?? '';
useProxy(env);

/** Exit codes: 0 done, 1 it failed, 2 it was called wrongly. */
async function act(): Promise<number> {
  if (mode === 'run' || mode === 'deliver') return await (await import('./run-mode.ts')).runMode(mode, env);
  if (mode === 'check') return await (await import('./check-mode.ts')).checkMode(env);
  if (mode === 'task') return await (await import('./task-mode.ts')).taskMode(env);
  if (mode === 'fetch' && folder !== '')
    return await (await import('./fetch-mode.ts')).fetchMode(folder, env);
  if (mode === 'engineer' && folder !== '') {
    const { engineer } = await import('./engineer-mode.ts');
    if (env['GITHUB_ACTIONS'] !== 'true') return await engineer(folder, env);
    const { quietly } = await import('./workflow-commands.ts');
    return await quietly(masker(secretsOf(providerKeys(env))), () => engineer(folder, env));
  }
  console.error(
    mode === 'engineer' || mode === 'fetch'
      ? `mode: ${mode} needs job: the folder of a job`
      : `mode: "${mode}" is none of run, fetch, engineer, deliver, task, check`,
  );
  return 2;
}

try {
  process.exitCode = await act();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
