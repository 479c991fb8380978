// Short words for what models say: a test writes its own script of replies with them.

import type { ScriptReply } from '../../src/engine/models/script.ts';

export interface Reply {
  for: string;
  when?: string;
  times?: number;
  text?: string;
  tool_calls?: { name: string; input: Record<string, string | number> }[];
  usage?: {
    input_tokens: number;
    output_tokens: number;
    cache_read_tokens: number;
    cache_write_tokens: number;
    cost_usd: number;
  };
  error?: { type: string; retry_after?: number };
  stop?: string;
  delay_ms?: number;
}

type Action = { action: string } & Record<string, unknown>;

/** Actions as a layer writes them, each in a block of its own. */
export const block = (...actions: readonly unknown[]) =>
  actions.map(action => `\n\n\`\`\`json\n${JSON.stringify(action)}\n\`\`\``).join('');

const says =
  (layer: string) =>
  (text: string, ...actions: Action[]): Reply => ({ for: layer, text: text + block(...actions) });

export const strategist = says('2ic');
export const engineeringLead = says('eng-lead');
export const teamLead = says('team-lead');

/** A reply that is said to have cost so much. */
export const costing = <T extends Reply | ScriptReply>(reply: T, cost_usd: number) => ({
  ...reply,
  usage: { input_tokens: 10, output_tokens: 10, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd },
});

/** A reply that ended at the output limit. */
export const cutOff = (reply: Reply): Reply => ({
  ...reply,
  usage: {
    input_tokens: 10,
    output_tokens: 1_000_000,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cost_usd: 0,
  },
});

export const plan = (text: string) => ({ action: 'update_plan', plan: text });
export const branch = (name: string) => ({ action: 'create_branch', branch_name: name });
export const work = { action: 'schedule' };
export const issues = (...list: ({ title: string } & Record<string, unknown>)[]) => ({
  action: 'create_issues',
  issues: list.map(issue => ({ body: `The body of ${issue.title}.`, ...issue })),
});

/** The engineering lead with a list of drafts. */
export const drafting = (text: string, ...draft: object[]): Reply => ({
  for: 'eng-lead',
  text: text + block({ draft }),
});

/** The first two layers with nothing to say, so that a test can speak of the third. */
export const quietLeads: Reply[] = [strategist('As directed.'), engineeringLead('Nothing to add.')];
/** All three. */
export const quiet = [...quietLeads, teamLead('Nothing to do.')];
/** These issues are worked. */
export const toWork = (...list: Parameters<typeof issues>): Reply[] => [
  ...quietLeads,
  teamLead('To work.', issues(...list), work),
];

/** Waits for the approval of one branch, as a1. Nothing of it needs a job but the tests at the base. */
export const waiting = {
  replies: [
    strategist('As directed.'),
    engineeringLead('A place.', branch('left')),
    teamLead('Nothing to do.'),
  ],
};

/** One round of an engineer: the files it writes, and what it says of them. `of`: a text of its issue. */
export function director(of: string, files: Record<string, string>, said = 'Done.'): Reply[] {
  const calls = Object.entries(files).map(([path, content]) => ({
    name: 'write_file',
    input: { path, content },
  }));
  const own = { for: 'engineer.director', when: of };
  return [...(calls.length > 0 ? [{ ...own, tool_calls: calls }] : []), { ...own, text: said }];
}

export const evaluator = (
  of: string,
  success: boolean,
  feedback = '',
  criteria?: readonly { of?: number; text?: string; met: boolean | null; evidence: string }[],
): Reply => ({
  for: 'engineer.evaluator',
  when: of,
  text: `<result status="COMPLETE">\n<content>Judged.</content>\n<output name="success">${success}</output>\n<output name="feedback">${feedback}</output>\n${criteria ? `<output name="criteria">${JSON.stringify(criteria)}</output>\n` : ''}</result>`,
});

/** An engineer whose work passes at once. */
export const passes = (of: string, files: Record<string, string>, said?: string): Reply[] => [
  ...director(of, files, said),
  evaluator(of, true),
];

/** One round of the engineer on a delivered branch, who is told `of`. */
export const round = (of: string, files: Record<string, string>): Reply[] => [
  ...director(of, files).slice(0, -1),
  {
    for: 'engineer.director',
    when: of,
    text: '<result status="COMPLETE">\n<content>They fit.</content>\n<output name="answers">[]</output>\n</result>',
  },
  evaluator(of, true),
];

/** So many characters that hardly pack. */
export const unpackable = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    String.fromCharCode(0x4e00 + ((Math.imul(at, 0x9e3779b1) >>> 9) % 20_011)),
  ).join('');
