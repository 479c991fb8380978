// Routes of the local GitHub that nobody calls: no call in the text of the product, its pages or its dialogue tests, and
// none that a library or gh is known to make.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../packages/forge/routes.ts';

/** Files whose calls count; tests of the forge itself do not. */
const callers = [
  '{src,packages}/**/*.ts',
  'tests/{dialogue,crash,stories,doors,workflows}/**/*.ts',
  'docs/local-forge.md',
];
const routesThemselves = /^packages\/forge\/(routes|graphql|render)\//;

/** Calls that no text of ours holds: route -> who makes it. tests/forge/gh/ runs gh's, as far as its version makes them. */
const madeElsewhere: Readonly<Record<string, string>> = {
  'GET /user': 'gh, to know who it is',
  'POST /app-manifests/{code}/conversions': 'Probot, when an App is registered',
  'POST /app/installations/{installation_id}/access_tokens': '@octokit/auth-app',
  'PATCH /repos/{owner}/{repo}': 'tests/doors/action/environments.test.ts, of a private repository',
  'POST /repos/{owner}/{repo}/labels': 'gh label create',
  'PATCH /repos/{owner}/{repo}/labels/{name}': 'gh label edit',
  'DELETE /repos/{owner}/{repo}/labels/{name}': 'gh label delete',
  'GET /repos/{owner}/{repo}/readme': 'gh repo view',
  'GET /repos/{owner}/{repo}/actions/workflows': 'gh workflow list',
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable': 'gh workflow disable',
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable': 'gh workflow enable',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}': 'gh run view --attempt',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs': 'gh run view --attempt',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/logs': 'gh run view --log',
  'PUT /repos/{owner}/{repo}/actions/permissions/selected-actions': 'gh api, as doctor says',
  'GET /repos/{owner}/{repo}/actions/secrets/public-key': 'gh secret set',
  'PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}': 'gh secret set',
  'DELETE /repos/{owner}/{repo}/actions/secrets/{secret_name}': 'gh secret delete',
  'GET /repos/{owner}/{repo}/actions/variables': 'gh variable list',
  'POST /repos/{owner}/{repo}/actions/variables': 'gh variable set',
  'PATCH /repos/{owner}/{repo}/actions/variables/{name}': 'gh variable set',
  'DELETE /repos/{owner}/{repo}/actions/variables/{name}': 'gh variable delete',
  'GET /search/issues': 'gh search issues',
};

/** `METHOD template` of each route that nobody calls. */
export function uncalledRoutes(root: string): string[] {
  const files = callers
    .flatMap(pattern => globSync(pattern, { cwd: root }))
    .filter(file => !routesThemselves.test(file));
  const calls = files.flatMap(file => callsIn(readFileSync(join(root, file), 'utf8')));
  return routes
    .filter(
      ({ method, template }) => !calls.some(call => call.method === method && fits(template, call.path)),
    )
    .map(({ method, template }) => `${method} ${template}`)
    .filter(name => !Object.hasOwn(madeElsewhere, name));
}

interface Call {
  method: string;
  /** A path without its query; `*` stands for each value that is filled in. */
  path: string;
}

/** Texts that hold a path, with the method in them, in the text before them, or in the name of the function called. */
function callsIn(text: string): Call[] {
  const found: Call[] = [];
  const literals = /['`](?:(GET|POST|PATCH|PUT|DELETE) )?((?:\.{3}|\$\{[^}]*\}|[\w{}]*)\/[^'`\n]*)['`]/g;
  for (const { 1: inside, 2: path = '', index } of text.matchAll(literals)) {
    const before = text.slice(Math.max(0, index - 120), index);
    const method =
      inside ??
      /'(GET|POST|PATCH|PUT|DELETE)'[^'`;]*$/.exec(before)?.[1] ??
      (/\.(get|find|page|all|bytes)(?:<[^()]*>)?\(\s*$/.test(before) ? 'GET' : undefined);
    if (method !== undefined)
      found.push({ method, path: path.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '*').replace(/[?#].*/s, '') });
  }
  return found;
}

/** True if a path is one of the template, or ends like one whose beginning is filled in. */
function fits(template: string, path: string): boolean {
  const below = template.replace('/repos/{owner}/{repo}', '');
  return [template, below].some(each => {
    const parts = each.split('/').filter(part => part !== '');
    const given = path.split('/').filter(part => part !== '');
    const open = /^(\*|\.\.\.)/.test(given[0] ?? '');
    if (open) given.shift();
    // `/repos/*/issues` has the owner and the name in one value.
    if (given[0] === 'repos' && given[1] === '*' && given[2] !== '*' && parts[0] === 'repos')
      given.splice(1, 0, '*');
    const asked = open ? parts.slice(parts.length - given.length) : parts;
    const long = /^\{(ref|name|path)\}$/.test(asked.at(-1) ?? '') && given.length > asked.length;
    const cut = long ? [...given.slice(0, asked.length - 1), given.slice(asked.length - 1).join('/')] : given;
    const alike = (part: string, index: number) =>
      part.startsWith('{') || part === cut[index] || cut[index] === '*';
    return given.length > 0 && cut.length === asked.length && asked.every(alike) && asked.some(isWord(cut));
  });
}

/** At least one part is the same word in both. */
const isWord = (given: string[]) => (part: string, index: number) => part === given[index];
