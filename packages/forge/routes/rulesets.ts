// Rulesets of a repository.
import type { Need } from '../auth.ts';
import { Ruleset, rulesetsOf } from '../changes/rules.ts';
import { notFound } from '../errors.ts';
import {
  created,
  noContent,
  parse,
  type RepositoryCall,
  type Route,
  type WriteCall,
  write,
} from '../route.ts';

const changing: Need = { role: 'admin', scopes: ['administration:write'] };

const source = ({ repository: { owner, name } }: RepositoryCall) => ({
  source_type: 'Repository',
  source: `${owner}/${name}`,
});

const show = (call: RepositoryCall, ruleset: Ruleset) => ({ ...ruleset, target: 'branch', ...source(call) });

const keep = ({ core, repository }: WriteCall, rulesets: Ruleset[]) =>
  core.db.update('repositories', repository.id, { rulesets: JSON.stringify(rulesets) });

export const rulesetRoutes: Route[] = [
  write('POST', '/rulesets', changing, call => {
    const known = rulesetsOf(call.repository);
    const ruleset = { id: Math.max(0, ...known.map(({ id }) => id)) + 1, ...parse(call, 'Ruleset', Ruleset) };
    keep(call, [...known, ruleset]);
    return created(show(call, ruleset));
  }),
  write('DELETE', '/rulesets/{ruleset_id}', changing, call => {
    const known = rulesetsOf(call.repository);
    const others = known.filter(({ id }) => id !== Number(call.params['ruleset_id']));
    if (others.length === known.length) throw notFound();
    keep(call, others);
    return noContent();
  }),
];
