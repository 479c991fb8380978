// actions/cache/restore and actions/cache/save: a folder of the job, kept under a key for later jobs of its branch; what
// the default branch keeps is there for all. Nothing is ever removed or replaced.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { StepFailed, type StepRun } from '../step.ts';
import { isWithin, placeOf, inputsOf } from './inputs.ts';

/**
 * Events after which a job may save without being allowed to by `cache-mode`
 * (https://github.blog/changelog/2026-06-26-read-only-actions-cache-for-untrusted-triggers).
 */
const trusted = ['push', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'pull_request', 'release'];

export async function restoreCache(step: StepRun): Promise<void> {
  const { folder, keptAt, mode } = await cacheOf(step);
  const refs = ['${{ github.ref }}', 'refs/heads/${{ github.event.repository.default_branch }}'];
  const found = refs.map(ref => keptAt(step.render(ref))).find(existsSync);
  const hit = found !== undefined && (mode === 'read' || mode === 'write');
  if (hit) await copy(found, folder);
  step.setOutput('cache-hit', String(hit));
  step.write(hit ? 'Cache restored' : 'Cache not found');
}

export async function saveCache(step: StepRun): Promise<void> {
  const { folder, keptAt, mode } = await cacheOf(step);
  const kept = keptAt(step.render('${{ github.ref }}'));
  if (mode !== 'write' && mode !== 'write-only')
    return step.warn(`Failed to save: cache write denied: the job's cache-mode is ${mode}`);
  if (!existsSync(folder)) return step.warn(`Path Validation Error: ${folder} does not exist`);
  if (existsSync(kept)) return step.warn('Failed to save: a cache with this key exists already');
  await copy(folder, kept);
  step.write('Cache saved');
}

async function cacheOf(step: StepRun) {
  const { path, key } = inputsOf(step, { path: '', key: '' });
  const { folders, host, job } = step.state;
  const folder = resolve(folders.workspace, path);
  if (path === '' || key === '') throw new StepFailed('Input required and not supplied: path, key');
  if (!isWithin(await placeOf(folder), folders.job))
    throw new StepFailed(`The path ${path} is not within the job's folder.`);
  const event = step.render('${{ github.event_name }}');
  return {
    folder,
    mode: job.cacheMode ?? (trusted.includes(event) ? 'write' : 'read'),
    keptAt(ref: string) {
      const named = JSON.stringify([ref, key, relative(folders.job, folder)]);
      return join(host.caches, createHash('sha256').update(named).digest('hex'));
    },
  };
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}
