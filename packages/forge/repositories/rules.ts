// Rulesets: which moves of a branch a repository refuses, in GitHub's words.
// https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets
import { z } from 'zod';
import { readGlob } from '@echelon/ground';
import { isAncestor } from './commits.ts';
import type { Core } from '../core.ts';
import { ApiError } from '../errors.ts';
import { git, readObject, repositoryFolder } from './git.ts';
import { isSigned, type Repository } from './repository-rows.ts';
import { repositoryPage } from './repository-json.ts';

/** Undefined: the push may go on. All of it is refused when one ref is. */
export async function refusedPush(
  core: Core,
  repository: Repository,
  body: Buffer,
): Promise<Buffer | undefined> {
  const { moves, sideBand } = readCommands(body);
  const told: string[] = [];
  for (const move of moves) {
    const broken = await violations(core, repository, move);
    if (broken.length === 0) continue;
    const page = `${repositoryPage(core, repository)}/rules?ref=${encodeURIComponent(move.name)}`;
    told.push(
      `error: GH013: Repository rule violations found for ${move.name}.`,
      `Review all repository rules at ${page}`,
      '',
      ...broken.flatMap(each => [`- ${each}`, '']),
    );
  }
  if (told.length === 0) return undefined;
  const refusals = moves.map(({ name }) =>
    packet(`ng ${name} push declined due to repository rule violations\n`),
  );
  const report = Buffer.concat([packet('unpack ok\n'), ...refusals, flush]);
  if (!sideBand) return report;
  return Buffer.concat([
    packet(`\x02${told.join('\n')}\n`),
    packet(Buffer.concat([Buffer.of(1), report])),
    flush,
  ]);
}

const flush = Buffer.from('0000');

function packet(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** The commands in front of the pack: `old new ref`, the first one with what the client can do behind a NUL. */
function readCommands(body: Buffer): { moves: Move[]; sideBand: boolean } {
  const moves: Move[] = [];
  let sideBand = false;
  for (let at = 0; at + 4 <= body.length; ) {
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16);
    if (!(length > 4)) break;
    const [command = '', abilities = ''] = body.toString('utf8', at + 4, at + length).split('\0');
    const [before = '', after = '', ...name] = command.trimEnd().split(' ');
    if (name.length > 0) moves.push({ before, after, name: name.join(' ') });
    sideBand ||= /\bside-band/.test(abilities);
    at += length;
  }
  return { moves, sideBand };
}

/** The rules that the forge applies. */
const ruleTypes = [
  'creation',
  'update',
  'deletion',
  'non_fast_forward',
  'pull_request',
  'required_signatures',
] as const;
type RuleType = (typeof ruleTypes)[number];

export const Ruleset = z.object({
  name: z.string(),
  enforcement: z.enum(['disabled', 'active']),
  conditions: z
    .object({ ref_name: z.object({ include: z.array(z.string()), exclude: z.array(z.string()) }) })
    .default({ ref_name: { include: ['~ALL'], exclude: [] } }),
  rules: z.array(z.object({ type: z.enum(ruleTypes) })).default([]),
});
export type Ruleset = z.infer<typeof Ruleset> & { id: number };

export const rulesetsOf = ({ rulesets }: Repository): Ruleset[] => JSON.parse(rulesets);

/** The rulesets that hold for a ref, `refs/heads/main`. */
const rulesetsFor = (repository: Repository, ref: string): Ruleset[] =>
  rulesetsOf(repository).filter(
    ({ enforcement, conditions: { ref_name: name } }) =>
      enforcement === 'active' &&
      ref.startsWith('refs/heads/') &&
      name.include.some(pattern => covers(repository, pattern, ref)) &&
      !name.exclude.some(pattern => covers(repository, pattern, ref)),
  );

function covers({ default_branch }: Repository, pattern: string, ref: string): boolean {
  if (pattern === '~ALL') return true;
  if (pattern === '~DEFAULT_BRANCH') return ref === `refs/heads/${default_branch}`;
  return readGlob(pattern)?.matches(ref, { left: Number.POSITIVE_INFINITY }) ?? false;
}

export interface Move {
  /** True if a merged pull request moves the branch. */
  merges?: boolean;
  /** refs/heads/main */
  name: string;
  before: string;
  after: string;
}

const isNone = (sha: string) => /^0+$/.test(sha);

/** A line for each rule that a move breaks. A signature is missing from pushed commits: the forge verifies none but its own. */
async function violations(core: Core, repository: Repository, move: Move): Promise<string[]> {
  const folder = repositoryFolder(core, repository);
  const types = new Set(
    rulesetsFor(repository, move.name).flatMap(({ rules }) => rules.map(({ type }) => type)),
  );
  const { before, after, merges = false } = move;
  const checks: Record<RuleType, () => string | false | Promise<string | false>> = {
    creation: () => isNone(before) && 'Cannot create ref due to creations being restricted.',
    update: () => !merges && !isNone(before) && !isNone(after) && 'Cannot update this protected ref.',
    deletion: () => isNone(after) && 'Cannot delete this branch',
    non_fast_forward: async () =>
      !isNone(before) &&
      !isNone(after) &&
      !(await isAncestor(folder, before, after)) &&
      'Cannot force-push to this branch',
    pull_request: () => !merges && !isNone(after) && 'Changes must be made through a pull request.',
    required_signatures: async () => {
      if (isNone(after)) return false;
      const unsigned = (await newCommits(folder, after)).filter(sha => !isSigned(core, repository, sha));
      const count = `  Found ${unsigned.length} violation${unsigned.length === 1 ? '' : 's'}:`;
      return (
        unsigned.length > 0 &&
        ['Commits must have verified signatures.', count, '', ...unsigned.map(sha => `  ${sha}`)].join('\n')
      );
    },
  };
  const found = await Promise.all(ruleTypes.filter(type => types.has(type)).map(type => checks[type]()));
  return found.filter(each => each !== false);
}

/** Commits that no ref has yet; of one that is still in a push the newest stands for all. */
async function newCommits(folder: string, after: string): Promise<string[]> {
  if (!(await readObject(folder, 'info', after))) return [after];
  return (await git(folder, ['rev-list', after, '--not', '--all'])).split('\n').filter(Boolean);
}

/** GraphQL knows it as UNPROCESSABLE, whatever the status is in REST. */
export class RuleViolation extends ApiError {}

/** Throws what the REST API answers where a rule refuses the move. `status` differs by route. */
export async function checkRules(
  core: Core,
  repository: Repository,
  move: Move,
  status = 422,
): Promise<void> {
  const broken = await violations(core, repository, move);
  if (broken.length === 0) return;
  const lines = broken.map(each => `${each.split('\n')[0]}\n\n`);
  throw new RuleViolation(status, `Repository rule violations found\n\n${lines.join('')}`);
}
