// The three layers and the engineer: their ids, names, and what each may do (the table of the cascade).

export type LayerId = '2ic' | 'eng-lead' | 'team-lead';

export type ActionName =
  | 'update_plan'
  | 'create_issues'
  | 'schedule'
  | 'create_branch'
  | 'request_review'
  | 'request_info'
  | 'escalate';

/** Role of a model: the template of its id. */
export interface Role {
  id: LayerId | 'reviewer';
  name: string;
  /** Model calls in one turn at most; 12 for the small tier of models. */
  turns: number;
  /** It is shown the directive's images, where its model can see. */
  sees?: true;
  /** Its first call is likely the only one. */
  once?: true;
}

/** Reviews a pull request for a layer, which pays for it. */
export const reviewer: Role = { id: 'reviewer', name: 'Reviewer', turns: 8 };

export interface Layer extends Role {
  id: LayerId;
  phase: 'strategy' | 'design' | 'execution';
  may: readonly ActionName[];
  /** USD that this layer may cost in one run. */
  budget: number;
  tier: 'strongest' | 'middle';
}

export const layers: readonly Layer[] = [
  {
    id: '2ic',
    name: 'Strategist',
    phase: 'strategy',
    may: ['update_plan', 'request_info', 'escalate'],
    turns: 5,
    sees: true,
    budget: 10,
    tier: 'strongest',
  },
  {
    id: 'eng-lead',
    name: 'Engineering lead',
    phase: 'design',
    may: ['update_plan', 'create_branch', 'request_info', 'escalate'],
    turns: 8,
    sees: true,
    budget: 5,
    tier: 'middle',
  },
  {
    id: 'team-lead',
    name: 'Team lead',
    phase: 'execution',
    may: ['create_issues', 'schedule', 'request_review', 'request_info', 'escalate'],
    turns: 8,
    once: true,
    budget: 5,
    tier: 'middle',
  },
];

export const layerName = (id: LayerId) => layers.find(layer => layer.id === id)?.name ?? id;

/** True if `one` is above `other`: questions go upwards only. */
export const isAbove = (one: LayerId, other: LayerId): boolean => place(one) < place(other);

const place = (id: LayerId) => layers.findIndex(layer => layer.id === id);

/** Name of the tool by which layers run a command at the base, where they can. */
export const commandTool = 'try_command';
