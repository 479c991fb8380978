// The answer to a push that a ruleset refuses, as git's client shows it. Format: gitprotocol-pack, gitprotocol-common.
import { type Move, violations } from './changes/rules.ts';
import type { Core } from './core.ts';
import { repositoryPage } from './render/repository.ts';
import type { Repository } from './store/repositories.ts';

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
