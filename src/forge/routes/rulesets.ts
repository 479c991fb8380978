// Rulesets of a repository, and the rules that hold for a branch.
import type { Need } from '../auth.ts';
import { Ruleset, rulesetsFor, rulesetsOf } from '../changes/rules.ts';
import { notFound } from '../errors.ts';
import { pageOf } from '../page.ts';
import {
  created,
  noContent,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';

const metadata = ['metadata:read'];
const changing: Need = { role: 'admin', scopes: ['administration:write'] };

const source = ({ repository: { owner, name } }: RepositoryCall) => ({
  source_type: 'Repository',
  source: `${owner}/${name}`,
});

const show = (call: RepositoryCall, ruleset: Ruleset) => ({ ...ruleset, target: 'branch', ...source(call) });

const keep = ({ core, repository }: WriteCall, rulesets: Ruleset[]) =>
  core.db.update('repositories', repository.id, { rulesets: JSON.stringify(rulesets) });

export const rulesetRoutes: Route[] = [
  read('/rulesets', metadata, call =>
    pageOf(
      call,
      rulesetsOf(call.repository).map(each => show(call, each)),
    ),
  ),
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
  read('/rules/branches/{branch}', metadata, call => {
    const { source_type, source: name } = source(call);
    const found = rulesetsFor(call.repository, `refs/heads/${call.params['branch']}`);
    const rules = found.flatMap(({ id, rules }) =>
      rules.map(rule => ({
        ...rule,
        ...{ ruleset_source_type: source_type, ruleset_source: name, ruleset_id: id },
      })),
    );
    return pageOf(call, rules);
  }),
];
