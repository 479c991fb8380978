// GitHub's search of issues and pull requests: the text of a query becomes conditions on the rows.
import { type Identity, readableRepositories } from '../auth.ts';
import type { Core } from '../core.ts';
import { invalid } from '../errors.ts';
import type { Condition, IssueOrder, Place } from './issue-conditions.ts';
import * as where from './issue-conditions.ts';
import type { Repository } from '../repositories/repository-rows.ts';

/** Query limits. Each part adds a condition that is checked for every row. */
const limits = { characters: 1000, parts: 40 };

interface Part {
  negated: boolean;
  /** In small letters; empty for a word or a phrase. */
  key: string;
  value: string;
}

const part = /(-?)(?:([a-z][a-z-]*):)?(?:"([^"]*)"|([^\s"]+))/gi;

/** The qualifiers, words and phrases of a query. A quotation mark without its other half counts for nothing. */
function partsOf(query: string): Part[] {
  if (query.length > limits.characters)
    throw invalid('Search', `The search is longer than ${limits.characters} characters.`, 'q');
  const parts: Part[] = [];
  let negated = false;
  for (const [, minus, key = '', quoted, plain] of query.matchAll(part)) {
    const value = quoted ?? plain ?? '';
    if (key === '' && quoted === undefined && /^(AND|NOT)$/.test(value)) negated = value === 'NOT';
    else {
      parts.push({ negated: negated || minus === '-', key: key.toLowerCase(), value });
      negated = false;
    }
  }
  if (parts.length > limits.parts)
    throw invalid('Search', `The search has more than ${limits.parts} parts.`, 'q');
  return parts;
}

type Qualifier = (value: string) => Condition;

const kinds: Record<string, Condition> = {
  issue: where.not(where.isPull),
  pr: where.isPull,
  'pull-request': where.isPull,
};
const states: Record<string, Condition> = { open: where.isOpen, closed: where.not(where.isOpen) };
const traits: Record<string, Condition> = {
  ...kinds,
  ...states,
  merged: where.isMerged,
  unmerged: where.all([where.isPull, where.not(where.isMerged)]),
  draft: where.isDraft,
  locked: where.isLocked,
  unlocked: where.not(where.isLocked),
};
const absent: Record<string, Condition> = {
  assignee: where.not(where.isAssigned),
  label: where.not(where.isLabelled),
  milestone: where.all([]),
  project: where.all([]),
};

/** One of the values that a qualifier knows; any other finds nothing, as on GitHub. */
const oneOf =
  (known: Record<string, Condition>): Qualifier =>
  value =>
    Object.hasOwn(known, value.toLowerCase()) ? (known[value.toLowerCase()] ?? where.any([])) : where.any([]);

function qualifiers(me: string): Record<string, Qualifier> {
  const person =
    (condition: Qualifier): Qualifier =>
    value =>
      condition(value === '@me' ? me : value.replace(/^@/, '').replace(/^app\/(.+)$/, '$1[bot]'));
  return {
    is: oneOf(traits),
    type: oneOf(kinds),
    state: oneOf(states),
    draft: oneOf({ true: where.isDraft, false: where.not(where.isDraft) }),
    no: oneOf(absent),
    reason: value => where.closedBecause(value.toLowerCase().replaceAll(' ', '_')),
    author: person(where.writtenBy),
    assignee: value => (value === '*' ? where.isAssigned : person(where.assignedTo)(value)),
    mentions: person(where.mentions),
    commenter: person(where.commentedBy),
    involves: person(login =>
      where.any([
        where.writtenBy(login),
        where.assignedTo(login),
        where.mentions(login),
        where.commentedBy(login),
      ]),
    ),
    'review-requested': person(where.awaitsReviewOf),
    'user-review-requested': person(where.awaitsReviewOf),
    'reviewed-by': person(where.reviewedBy),
    label: value => where.any(value.split(',').map(name => where.labelled(name.replace(/^"|"$/g, '')))),
    milestone: () => where.any([]),
    head: where.hasHead,
    base: where.hasBase,
    sha: where.hasHeadCommit,
    // Nothing is archived here.
    archived: oneOf({ true: where.any([]), false: where.all([]) }),
  };
}

/** Qualifiers that GitHub has and the forge lacks. Ignoring one would return unwanted issues. */
const lacking =
  'closed commenter-count comments created interactions language linked merged project reactions review status team team-review-requested updated'.split(
    ' ',
  );

const placeNames: readonly Place[] = ['title', 'body', 'comments'];

/**
 * Parses a search query over the repositories that the caller may read. Throws ApiError 422 if it is too long,
 * uses a qualifier that the forge lacks, or names only repositories that the caller may not read.
 */
export function parseSearch(
  core: Core,
  identity: Identity,
  query: string,
): { wanted: Condition; order: IssueOrder } {
  const parts = partsOf(query);
  const me = identity.kind === 'user' || identity.kind === 'installation' ? identity.user.login : '';
  const known = qualifiers(me);
  const within = parts
    .filter(({ key }) => key === 'in')
    .flatMap(({ value }) => placeNames.filter(place => value.toLowerCase().split(',').includes(place)));
  const conditions = parts.flatMap(({ negated, key, value }) => {
    // These set the place or the order.
    if (['in', 'sort', 'repo', ...owners].includes(key)) return [];
    if (lacking.includes(key)) throw invalid('Search', `The forge does not search by "${key}:".`, 'q');
    const found = Object.hasOwn(known, key)
      ? known[key]?.(value)
      : where.contains(key === '' ? value : `${key}:${value}`, within.length > 0 ? within : placeNames);
    return found ? [negated ? where.not(found) : found] : [];
  });
  const [, by = null, direction = null] =
    /^(\w+)(?:-(asc|desc))?$/.exec(parts.find(({ key }) => key === 'sort')?.value ?? '') ?? [];
  const places = where.any(repositoriesOf(core, identity, parts).map(({ id }) => where.inRepository(id)));
  return { wanted: where.all([places, ...conditions]), order: where.issueOrder(by, direction) };
}

const owners = ['user', 'org', 'owner'];

function repositoriesOf(core: Core, identity: Identity, parts: Part[]): Repository[] {
  const readable = readableRepositories(core, identity, ['issues:read', 'pull_requests:read']);
  const names = (repository: Repository, { key, value }: Part) =>
    (key === 'repo' ? `${repository.owner}/${repository.name}` : repository.owner).toLowerCase() ===
    value.toLowerCase();
  const places = parts.filter(({ key }) => key === 'repo' || owners.includes(key));
  const within = places.filter(({ negated }) => !negated);
  const found = readable.filter(
    repository =>
      (within.length === 0 || within.some(place => names(repository, place))) &&
      !places.some(place => place.negated && names(repository, place)),
  );
  if (within.length > 0 && found.length === 0)
    throw invalid(
      'Search',
      'The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.',
      'q',
    );
  return found;
}
