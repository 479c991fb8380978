// Scores of the layers' replies, parsed as the cascade parses them.
import { z } from 'zod';
import { dependencyProblem } from '../../src/app/cascade/issue-plan.ts';
import { draftsOf } from '../../src/app/cascade/drafts.ts';
import { parseReply, type ParsedReply } from '../../src/app/cascade/parse-reply.ts';
import { jsonBlocks } from '../../src/app/cascade/reply-blocks.ts';
import { listing } from '../../src/app/cascade/places.ts';
import { allCriteria } from '../../src/app/engineer/slots/criteria.ts';
import { type LayerId, layers } from '../../src/app/layers.ts';
import { present } from '../../packages/ground/lib/present.ts';

export interface Said {
  layer: LayerId;
  text: string;
}

export interface RolesScore {
  /** Each action could be read and was the layer's to ask for; issues were listed and scheduled, and nobody was asked. */
  valid: boolean;
  /** No list of issues waits for itself. */
  acyclic: boolean;
  /** Each issue lists what it is judged by. */
  criteria: boolean;
  /** Each issue names the paths that it may touch. */
  paths: boolean;
  issues: number;
  /** Faults, a clause each. */
  why: string[];
}

/** `said`: every reply of a layer, in their order. */
export function scoreRoles(said: readonly Said[]): RolesScore {
  const replies = readInTurn(said);
  // A draft that is the only one is listed as it stands.
  const listed = listing({ layers: 'auto' }, replies.at(-1)?.layer ?? '2ic', replies.at(-1)?.drafted?.list);
  const actions = [...replies.flatMap(reply => reply.actions), ...listed];
  const due = listed.length > 0 ? [] : layers;
  const issues = actions.flatMap(each => (each.action === 'create_issues' ? each.issues : []));
  const cycles = said.flatMap(({ text }) => cyclesIn(text));
  const invalid = [
    ...replies.flatMap(({ layer, ignored, dropped }) =>
      [...ignored, ...dropped].map(({ reason }) => `${layer}: ${reason}`),
    ),
    ...due.flatMap(({ id }) => (said.some(({ layer }) => layer === id) ? [] : [`${id} did not reply`])),
    ...(issues.length === 0 ? ['no issues were listed'] : []),
    ...(actions.some(({ action }) => action === 'schedule') ? [] : ['nothing was scheduled']),
    ...actions.flatMap(({ action }) =>
      action === 'request_info' || action === 'escalate' ? [`somebody was asked: ${action}`] : [],
    ),
  ];
  const bare = issues.filter(({ body }) => allCriteria(undefined, body).length === 0);
  const anywhere = issues.filter(({ paths = [] }) => paths.length === 0);
  return {
    valid: invalid.length === 0,
    acyclic: issues.length > 0 && cycles.length === 0,
    criteria: issues.length > 0 && bare.length === 0,
    paths: issues.length > 0 && anywhere.length === 0,
    issues: issues.length,
    why: [
      ...invalid,
      ...bare.map(({ title }) => `"${title}" lists no criteria`),
      ...anywhere.map(({ title }) => `"${title}" names no paths`),
    ],
  };
}

/** The team lead takes over by number what the engineering lead drafted last. */
function readInTurn(said: readonly Said[]): (ParsedReply & Pick<Said, 'layer'>)[] {
  let drafted: ParsedReply['drafted'];
  return said.map(({ layer, text }) => {
    const parsed = parseReply(text, layerOf(layer), draftsOf(layer === 'team-lead' ? drafted?.list : []));
    drafted = parsed.drafted ?? drafted;
    return { ...parsed, layer };
  });
}

const layerOf = (id: LayerId) =>
  present(
    layers.find(each => each.id === id),
    id,
  );

const Issues = z.array(z.object({ depends_on: z.array(z.union([z.number(), z.string()])).optional() }));
const Listed = z.union([
  z.object({ draft: Issues }).transform(({ draft }) => draft),
  z.object({ issues: Issues }).transform(({ issues }) => issues),
]);

/** In a list of drafts, or of issues: one that was refused for it is in no action. */
function cyclesIn(text: string): string[] {
  return jsonBlocks(text).flatMap(({ content }) => {
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch {
      return []; // Told as an action that cannot be read.
    }
    return [value].flat().flatMap(each => {
      const { data } = Listed.safeParse(each);
      return (data && dependencyProblem(data)) ?? [];
    });
  });
}
