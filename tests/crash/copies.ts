// Copies of everything that outlives a crash, taken while nothing moves, and put back into a fresh folder.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventOf } from '../../src/app/events/parse.ts';
import { readRefs } from '../../packages/forge/repositories/git.ts';
import { branchesOf, folderOf } from './facts.ts';

/** Copies a folder; git never writes into an object again, so objects are linked. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (/\/objects\/[0-9a-f]{2}\//.test(source)) linkSync(source, target);
    else copyFileSync(source, target);
  }
}

/** The forge and the mirrors of a running story. Its jobs are kept once, when they are over. */
export function takeCopy(folder: string, to: string): void {
  mkdirSync(join(to, 'forge'), { recursive: true });
  // A reader's own view: whatever transaction is open in the forge is not in it.
  const database = new DatabaseSync(join(folder, 'forge/forge.sqlite'), { readOnly: true });
  database.exec(`VACUUM INTO '${join(to, 'forge/forge.sqlite')}'`);
  database.close();
  copyFolder(join(folder, 'forge/git'), join(to, 'forge/git'));
  if (existsSync(join(folder, 'mirrors'))) copyFolder(join(folder, 'mirrors'), join(to, 'mirrors'));
}

/**
 * A copy's content as one digest: every row of the forge's database, every file of its repositories and mirrors (an
 * object by its name). Two copies with the same digest are the same state, so one play tells how both go on. Of the
 * webhooks only those count that are still to be sent and that the App hears: it reads no log of what was sent, and
 * the end of a delivery is what most often lies between the end of a call and the next one.
 */
export function fingerprint(copy: string): string {
  const hash = createHash('sha256');
  const database = new DatabaseSync(join(copy, 'forge/forge.sqlite'), { readOnly: true });
  for (const { name } of database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()) {
    const rows = database.prepare(`SELECT * FROM "${name}"`).all();
    hash.update(JSON.stringify([name, name === 'deliveries' ? rows.filter(isToBeHeard) : rows], bigints));
  }
  database.close();
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = join(folder, entry.name);
      hash.update(`${path.slice(copy.length)}\0`);
      if (entry.isDirectory()) walk(path);
      else if (!/\/objects\//.test(path)) hash.update(readFileSync(path));
    }
  };
  walk(join(copy, 'forge/git'));
  if (existsSync(join(copy, 'mirrors'))) walk(join(copy, 'mirrors'));
  return hash.digest('hex');
}

const isToBeHeard = ({ state, event, payload }: Record<string, unknown>) =>
  state === 'queued' && !('ignored' in eventOf(String(event), JSON.parse(String(payload))));

const bigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Reports of jobs that are over, and which of them stand on a branch that a job before had made. */
export interface FinishedJobs {
  folder: string;
  standsOn: Record<string, string>;
}

/** Takes the folders of jobs out of a story that is over. `stand`: none of them stands on what is made again. */
export function finishedJobs(story: string, folder: string, stand = false): FinishedJobs {
  copyFolder(join(story, 'jobs'), folder);
  if (stand) return { folder, standsOn: {} };
  const branches = branchesOf({ folder: join(story, 'forge') });
  const standsOn: Record<string, string> = {};
  for (const op of readdirSync(folder)) {
    // The tests at the base leave no change.
    if (!existsSync(join(folder, op, 'manifest.json'))) continue;
    const { base } = manifest(folder, op);
    const branch = branches.find(({ commit }) => commit === base)?.name;
    if (branch === undefined) throw new Error(`no branch stands at ${base}, the base of job ${op}`);
    if (branch !== 'main') standsOn[op] = branch;
  }
  return { folder, standsOn };
}

/**
 * GitHub dates a commit when it is made, so a branch that is made in another story has another id with the same tree. The report of a job that stands on it is made to say so; called after each push, before its answer.
 */
export function standAnew(story: string, { standsOn }: FinishedJobs): void {
  const refs = readRefs(folderOf({ folder: join(story, 'forge') }));
  for (const [op, name] of Object.entries(standsOn)) {
    const base = refs.get(`refs/heads/${name}`);
    if (base === undefined) continue;
    const folder = join(story, 'jobs');
    writeFileSync(join(folder, op, 'manifest.json'), JSON.stringify({ ...manifest(folder, op), base }));
  }
}

const manifest = (folder: string, op: string) =>
  JSON.parse(readFileSync(join(folder, op, 'manifest.json'), 'utf8')) as { base: string };
