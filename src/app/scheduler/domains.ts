// The domain of an issue, and which issues may be worked side by side.
import { shortened } from '@echelon/ground';
import { canMeet, type Effort, effortOfDecision } from './globs.ts';

export type Domain =
  | 'backend'
  | 'frontend'
  | 'database'
  | 'infrastructure'
  | 'security'
  | 'tests'
  | 'docs'
  | 'unknown';

/**
 * For each domain the other domains it may run beside. An empty row runs alone, apart from its own domain too. Where
 * several domains are named at once, the first of these counts: what conflicts with more comes first.
 */
const beside: { readonly [D in Domain]: readonly Domain[] } = {
  database: [],
  infrastructure: [],
  security: ['tests', 'docs'],
  backend: ['frontend', 'tests', 'docs'],
  frontend: ['backend', 'tests', 'docs'],
  tests: ['backend', 'frontend', 'security', 'docs'],
  docs: ['backend', 'frontend', 'security', 'tests'],
  unknown: [],
};

type ByDomain<Value> = { readonly [D in Domain]?: Value };
const rowsOf = <Value>(table: ByDomain<Value>) => Object.entries(table) as [Domain, Value][];

const strictestFirst = rowsOf(beside).flatMap(([domain]) => (domain === 'unknown' ? [] : [domain]));

/** Work of this domain runs alone. */
export const isExclusive = (domain: Domain): boolean => beside[domain].length === 0;

/** Other names people and models use, in tags, labels and the `domain` field. */
const names: ReadonlyMap<string, Domain> = new Map<string, Domain>([
  ...strictestFirst.map(domain => [domain, domain] as const),
  ['back-end', 'backend'],
  ['front-end', 'frontend'],
  ['ui', 'frontend'],
  ['db', 'database'],
  ['infra', 'infrastructure'],
  ['ci', 'infrastructure'],
  ['devops', 'infrastructure'],
  ['test', 'tests'],
  ['testing', 'tests'],
  ['doc', 'docs'],
  ['documentation', 'docs'],
]);

/** A path: what it is for (tests, docs, schema) says more than the folder of code it lies in. */
const pathPatterns: ByDomain<RegExp> = {
  tests: /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_\w+\.py$/i,
  docs: /(?:^|\/)docs?\/|\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:readme|changelog|license)\b/i,
  database: /(?:^|\/)(?:migrations?|db|database|prisma|schema)\/|\.(?:sql|prisma)$|(?:^|\/)schema\.\w+$/i,
  infrastructure:
    /(?:^|\/)(?:\.github|\.circleci|infra|infrastructure|deploy|terraform|k8s|kubernetes|helm|ansible)\/|(?:^|\/)(?:dockerfile|docker-compose|makefile|jenkinsfile|\.gitlab-ci)\b|\.(?:tf|tfvars|nix)$/i,
  security: /(?:^|\/)(?:auth|security|crypto|permissions?|oauth)(?:\/|\.\w+$)/i,
  frontend:
    /(?:^|\/)(?:frontend|client|ui|components?|pages|views|styles|public|web)\/|\.(?:css|scss|less|html|tsx|jsx|vue|svelte)$/i,
  backend: /(?:^|\/)(?:backend|server|api|routes?|controllers?|services?|handlers?|models?|workers?)\//i,
};

/** Whole words of a title or body, in lower case. */
const domainWords: ByDomain<string> = {
  backend:
    'api apis backend server servers endpoint endpoints rest graphql route routes controller middleware worker',
  frontend:
    'frontend ui ux component components css react vue svelte html page pages button layout stylesheet browser',
  database: 'database db sql schema migration migrations postgres mysql sqlite mongodb orm table tables',
  infrastructure:
    'infrastructure infra ci cd docker kubernetes terraform helm deploy deployment pipeline workflow devops',
  security:
    'security auth authentication authorization oauth jwt password passwords encryption vulnerability xss csrf cve',
  tests: 'test tests testing coverage e2e unittest unittests vitest jest pytest',
  docs: 'docs doc documentation readme changelog guide tutorial documented document',
};

/** The parts of an issue that tell its domain. */
export interface DomainClues {
  domain?: string | undefined;
  title: string;
  labels?: readonly string[] | undefined;
  body: string;
  /** Globs or paths that the issue is said to touch. */
  paths?: readonly string[] | undefined;
}

/** The domain an issue is scheduled as. The first clue that tells one decides; a `domain` nobody knows is passed over. */
export function domainOf({ domain, title, labels = [], body, paths = [] }: DomainClues): Domain {
  const tags = [...title.matchAll(/\[([^[\]]{1,40})\]/g)].map(([, tag]) => tag);
  for (const text of [domain, ...tags]) {
    const found = named(text ?? '');
    if (found) return found;
  }
  // `domain: backend`, `area/backend` and `backend` are the same label.
  const label = strictest(labels.map(text => named(text.slice(text.search(/[^:/]*$/)))));
  const path = () => strictest([...paths, ...pathsIn(body)].map(domainOfPath));
  // The title says what the issue is about; the body may speak of everything around it.
  return label ?? path() ?? fromWords(title) ?? fromWords(body) ?? 'unknown';
}

function named(text: string): Domain | undefined {
  return names.get(text.trim().toLowerCase());
}

function strictest(found: readonly (Domain | undefined)[]): Domain | undefined {
  return strictestFirst.find(domain => found.includes(domain));
}

/** Words with a slash inside, or with the ending of a file, as they stand in prose or code. */
function* pathsIn(body: string): Generator<string> {
  for (const [word] of body.matchAll(/[\w@*{},[\]?./-]+/g)) {
    if (word.length > 300) continue;
    const path = word.replace(/^[,[{]+|[.,\]}]+$/g, '');
    if (!path.startsWith('//') && /\/\w|\w\.[a-z]\w{0,7}$/i.test(path)) yield path;
  }
}

function domainOfPath(path: string): Domain | undefined {
  return path.length > 1_000
    ? undefined
    : rowsOf(pathPatterns).find(([, pattern]) => pattern.test(path))?.[0];
}

function fromWords(text: string): Domain | undefined {
  const said = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return rowsOf(domainWords).find(([, words]) => words.split(' ').some(word => said.has(word)))?.[0];
}

export interface WorkOfIssue {
  domain: Domain;
  /** Globs that the work is said to stay within; empty when it is not said. */
  paths: readonly string[];
}

/** Reason for never working these two domains in parallel, as part of a sentence; undefined if they may be. */
function domainsClash(a: Domain, b: Domain): string | undefined {
  for (const domain of [a, b])
    if (isExclusive(domain))
      return domain === 'unknown' ? 'work of an unknown domain runs alone' : `${domain} work runs alone`;
  return a === b || beside[a].includes(b) ? undefined : `${a} work does not run beside ${b} work`;
}

/** The configuration's `overlap`: issues that may touch the same files are worked side by side, or wait for each other. */
export type Overlap = 'parallel' | 'serial';

/** Returns the reason, part of a sentence, that two issues must not be worked at the same time; otherwise undefined. */
export const conflictOf = (
  a: WorkOfIssue,
  b: WorkOfIssue,
  overlap: Overlap,
  effort: Effort = effortOfDecision(),
): string | undefined =>
  domainsClash(a.domain, b.domain) ?? (overlap === 'serial' ? overlapOf(a, b, effort) : undefined);

/**
 * Returns the reason, part of a sentence, that two issues may touch the same files; undefined if they cannot. `effort`:
 * shared by a decision.
 */
export function overlapOf(a: WorkOfIssue, b: WorkOfIssue, effort: Effort): string | undefined {
  const bothNamed = a.paths.length > 0 && b.paths.length > 0;
  if (a.domain === b.domain && !bothNamed)
    return `both are ${a.domain} work and not both name the paths they touch`;
  for (const one of a.paths)
    for (const other of b.paths)
      if (canMeet(one, other, effort))
        return effort.left <= 0
          ? 'they name too many paths to compare'
          : `both may touch the same files (${shortened(one, 60)}, ${shortened(other, 60)})`;
  return undefined;
}
