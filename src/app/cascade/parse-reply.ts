// A layer's reply as the actions it asks for: its blocks found, read, held against what the layer may do, and their faults.
import type { z } from 'zod';
import { messageOf, partsIn, repeatedKey } from '@echelon/ground';
import { isAbove, type Layer, layerName } from '../layers.ts';
import { type Action, actionSchema, dependencyProblem, type IssuePlan } from './issue-plan.ts';
import { type Drafts, draftsOf, isDraftList, readDrafts, type Said, saidBy, writeOut } from './drafts.ts';
import { jsonBlocks, prose, section } from './reply-blocks.ts';

/** Requests of a reply, block by block. */
export interface ParsedReply {
  /** Number of fenced json blocks. */
  blocks: number;
  actions: Action[];
  /** Blocks (or members of one) that are no action, with the reason and the line of the reply. */
  ignored: { line: number; reason: string }[];
  /** Issues are among what was ignored, drafted or to be created. */
  lost: boolean;
  /** Actions the layer may not use. */
  dropped: { action: string; reason: string }[];
  /** The issues that it drafts, and the line on which their block begins. */
  drafted?: { line: number; list: IssuePlan[] };
  /** Its decisions on drafts, by their numbers. */
  said: Map<number, Said>;
}

/** Blocks of a reply, and actions of one block, that are read. */
const MAX_BLOCKS = 50;
/** Members and entries of a block: 50 issues with all that an issue may name have fewer. */
const MAX_PARTS = 12_000;

/**
 * Takes the actions out of a layer's reply: extract, parse, schema, role. `drafts`: those it may take over by number.
 * Pure; never throws.
 */
export function parseReply(
  reply: string,
  layer: Pick<Layer, 'id' | 'may'>,
  drafts: Drafts = draftsOf(),
): ParsedReply {
  const parsed: ParsedReply = {
    ...{ blocks: 0, actions: [], ignored: [], lost: false, dropped: [] },
    said: new Map(),
  };
  const blocks = jsonBlocks(reply);
  for (const { line, content } of blocks.slice(0, MAX_BLOCKS)) {
    parsed.blocks++;
    const members = membersOf(content);
    if (typeof members === 'string') {
      parsed.ignored.push({ line, reason: members });
      continue;
    }
    for (const [index, member] of members.entries()) {
      const place = members.length > 1 ? `action ${index + 1}: ` : '';
      const why = isDraftList(member)
        ? takeDrafts(member, line, { layer, parsed })
        : takeAction(member, { reply, layer, drafts, parsed });
      if (why !== undefined) parsed.ignored.push({ line, reason: `${place}${why}` });
    }
  }
  const beyond = blocks[MAX_BLOCKS];
  if (beyond)
    parsed.ignored.push({ line: beyond.line, reason: `only the first ${MAX_BLOCKS} blocks are read` });
  return parsed;
}

/** Takes the issues that a member drafts; answers why it is ignored. */
function takeDrafts(
  member: unknown,
  line: number,
  { layer, parsed }: Pick<Reading, 'layer' | 'parsed'>,
): string | undefined {
  if (layer.id === 'team-lead') return 'the drafts are those of the layers above';
  let list = parsed.drafted ? 'a second draft list: one reply has one' : readDrafts(member);
  if (layer.id === '2ic' && list.length > 1 && typeof list !== 'string')
    list = `the ${layerName('2ic')} drafts the issue that all of it is; of more the plan is enough`;
  if (typeof list === 'string') parsed.lost = true;
  else parsed.drafted = { line, list };
  return typeof list === 'string' ? list : undefined;
}

interface Reading {
  reply: string;
  layer: Pick<Layer, 'id' | 'may'>;
  drafts: Drafts;
  parsed: ParsedReply;
}

/** Takes the action that a member is; answers why it is ignored. */
function takeAction(member: unknown, reading: Reading): string | undefined {
  if (actionOf(member) !== 'create_issues') return take(withPlan(renamed(member), reading.reply), reading);
  const why = takeIssues(member, reading);
  if (why !== undefined) reading.parsed.lost = true;
  return why;
}

/** Takes a `create_issues`, with what it takes over of the drafts. */
function takeIssues(member: unknown, reading: Reading): string | undefined {
  const { drafts, parsed } = reading;
  const written = writeOut(member, drafts.list, new Map([...drafts.said, ...parsed.said]));
  if (typeof written === 'string') return `create_issues${written.startsWith('at ') ? ' ' : ': '}${written}`;
  const before = parsed.actions.length;
  const why = written.member === undefined ? undefined : take(written.member, reading);
  const [action] = parsed.actions.slice(before);
  if (why === undefined) for (const [number, said] of saidBy(action, written)) parsed.said.set(number, said);
  return why;
}

function take(member: unknown, { layer, parsed }: Reading): string | undefined {
  const { data, error } = actionSchema.safeParse(member);
  if (!data) return whyNot(member, error);
  const reason = whyDropped(data, layer);
  const broken = data.action === 'create_issues' ? dependencyProblem(data.issues) : undefined;
  if (reason !== undefined) parsed.dropped.push({ action: data.action, reason });
  else if (broken !== undefined) return `create_issues: ${broken}`;
  else parsed.actions.push(data);
  return undefined;
}

const actionOf = (member: unknown): unknown =>
  member !== null && typeof member === 'object' && 'action' in member ? member.action : undefined;

/** A plan that the action does not hold is the reply's own, under the heading of that name. */
function withPlan(member: unknown, reply: string): unknown {
  if (actionOf(member) !== 'update_plan' || typeof member !== 'object' || 'plan' in (member ?? {}))
    return member;
  return { ...member, plan: section(prose(reply), 'plan') };
}

/** Members of a block, or the reason for ignoring it. */
function membersOf(content: string): unknown[] | string {
  if (partsIn(content) > MAX_PARTS) return `more than ${MAX_PARTS} members and entries`;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    return `not JSON: ${messageOf(error)}`;
  }
  const twice = repeatedKey(content);
  if (twice) return `the key "${twice.key.slice(0, 40)}" is there twice, and says two things`;
  const members: unknown[] = Array.isArray(value) ? value : [value];
  return members.length > MAX_BLOCKS ? `more than ${MAX_BLOCKS} actions in one list` : members;
}

/** Reason for dropping the action; undefined if the layer may perform it. */
function whyDropped(action: Action, { id, may }: Pick<Layer, 'id' | 'may'>): string | undefined {
  if (!may.includes(action.action)) return `the ${layerName(id)} may not use ${action.action}`;
  if (action.action !== 'request_info' || action.target === 'ceo') return undefined;
  if (action.target === id) return `the ${layerName(id)} asks itself`;
  if (isAbove(action.target, id)) return undefined;
  return `the ${layerName(action.target)} stands below the ${layerName(id)}`;
}

/** The older name of `schedule` is accepted. */
function renamed(member: unknown): unknown {
  const isOld = typeof member === 'object' && actionOf(member) === 'invoke_cheenoski';
  return isOld ? { ...member, action: 'schedule' } : member;
}

function whyNot(member: unknown, error: z.ZodError): string {
  if (member === null || typeof member !== 'object' || !('action' in member))
    return 'no object with the key "action"';
  const first = error.issues[0];
  const place = first?.path.length ? ` at ${first.path.join('.')}` : '';
  return `${String(member.action).slice(0, 40)}${place}: ${first?.message ?? 'does not fit'}`;
}

/**
 * Reasons of a line each: nothing of its blocks could be used, or issues among them could not, or the team lead passes
 * over drafts without a word.
 */
export function faultsIn(parsed: ParsedReply, { id }: Pick<Layer, 'id'>, drafts: Drafts): string[] {
  const { blocks, ignored, lost, actions, dropped, drafted } = parsed;
  const isUseless = blocks > 0 && ignored.length > 0 && actions.length + dropped.length === 0 && !drafted;
  const faults =
    isUseless || lost ? ignored.map(({ line, reason }) => `block on line ${line}: ${reason}`) : [];
  // Issues that were lost may have been those drafts.
  if (id === 'team-lead' && faults.length === 0)
    for (const number of untaken(drafts, parsed))
      faults.push(`draft ${number} is neither taken nor named in left_out with the reason`);
  return faults;
}

/** Message for the layer in its own conversation. */
export const repairPrompt = (faults: readonly string[]): string =>
  `Your reply cannot be used as it is, and nothing of it counts:\n${faults.map(fault => `- ${fault}`).join('\n')}\nWrite it once more, whole, with that mended.`;

/** Drafts of which neither this reply nor one before says a word; none while the layer asks something. */
export function untaken(
  { list, said }: Drafts,
  { actions, said: now }: Pick<ParsedReply, 'actions' | 'said'>,
): number[] {
  if (actions.some(({ action }) => action === 'request_info' || action === 'escalate')) return [];
  return Array.from(list, (_plan, index) => index + 1).filter(each => !said.has(each) && !now.has(each));
}
