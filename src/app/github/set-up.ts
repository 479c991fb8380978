// Settings on GitHub for a repository and for the App, each read by a function that reports what it found.
import { Octokit } from '@octokit/rest';
import { answered, type Caller, type Client } from './octokit.ts';
import { PAGE } from './pages.ts';
import { silent } from './token-client.ts';

/** Undefined: there is none. `hidden`: the token may not look. */
export type Look<T> = T | 'hidden' | undefined;

export interface Place {
  owner: string;
  repo: string;
}

async function look<T>(ask: () => Promise<T>): Promise<Look<T>> {
  try {
    return await ask();
  } catch (error) {
    // 422: no commit of that name.
    if (answered(error, 404, 422)) return undefined;
    if (answered(error, 401, 403)) return 'hidden';
    throw error;
  }
}

export type SetUp = ReturnType<typeof setUpOf>;

/** Every function throws what is neither an answer nor a refusal: a limit, a lost connection. */
export function setUpOf({ request }: Client, { read }: Caller, here: Place) {
  const secretsOf = (route: 'GET /repos/{owner}/{repo}/actions/secrets' | OrganizationSecrets) =>
    look(async () => {
      const { data } = await read(() => request(route, { ...here, per_page: PAGE }));
      return data.secrets.map(({ name }) => name);
    });
  return {
    here,
    /** `scopes`: of an OAuth or classic token; undefined for any other, which has permissions instead. */
    repository: () =>
      look(async () => {
        const { data, headers } = await read(() => request('GET /repos/{owner}/{repo}', { ...here }));
        const scopes = headers['x-oauth-scopes'] as string | undefined;
        return {
          branch: data.default_branch,
          fork: data.fork,
          issues: data.has_issues,
          page: data.html_url,
          scopes: scopes?.split(/,\s*/),
        };
      }),
    /** The commit that a branch, a tag (annotated or not) or a commit's name leads to. */
    commit: (of: Place & { ref: string }) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/commits/{ref}';
        return (await read(() => request(route, { ...of, per_page: 1 }))).data.sha;
      }),
    /** The text of a file on the default branch, or of another repository at a ref. GitHub shows 1 MB at most. */
    file: (path: string, of: Place & { ref?: string } = here) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/contents/{path}';
        const { data } = await read(() => request(route, { ...of, path }));
        const content = 'content' in data ? data.content : '';
        return Buffer.from(content, 'base64').toString('utf8');
      }),
    /** `active`, or how it was switched off. */
    workflowState: (workflow_id: string) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}';
        return (await read(() => request(route, { ...here, workflow_id }))).data.state;
      }),
    actions: () =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/actions/permissions';
        return (await read(() => request(route, { ...here }))).data;
      }),
    /** Actions that may be used if the allowed actions are `selected`. */
    selectedActions: () =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/actions/permissions/selected-actions';
        return (await read(() => request(route, { ...here }))).data;
      }),
    actionsMayOpenPulls: () =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/actions/permissions/workflow';
        return (await read(() => request(route, { ...here }))).data.can_approve_pull_request_reviews;
      }),
    /** Names, of the repository's own and of those that its organization lets it use. */
    async secrets(): Promise<Look<string[]>> {
      const own = await secretsOf('GET /repos/{owner}/{repo}/actions/secrets');
      if (own === undefined || own === 'hidden') return own;
      const shared = await secretsOf('GET /repos/{owner}/{repo}/actions/organization-secrets');
      return shared === undefined || shared === 'hidden' ? own : [...own, ...shared];
    },
    /** The value of a variable of the repository. */
    variable: (name: string) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/actions/variables/{name}';
        return (await read(() => request(route, { ...here, name }))).data.value;
      }),
    label: (name: string) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/labels/{name}';
        return (await read(() => request(route, { ...here, name }))).data.name;
      }),
    /** All files at a commit as the release workflow lists them: mode, kind, id and path in sorted lines. */
    listing: ({ owner, repo, ref }: Place & { ref: string }) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
        const { data } = await read(() => request(route, { owner, repo, tree_sha: ref, recursive: '1' }));
        const lines = data.tree.flatMap(({ mode, type, sha, path }) =>
          type === 'tree' ? [] : [Buffer.from(`${mode} ${type} ${sha}\t${path}\n`)],
        );
        return Buffer.concat(lines.sort(Buffer.compare)).toString('utf8');
      }),
    /** Sigstore bundles for a subject, as `sha256:...`. */
    attestations: (of: Place, subject_digest: string) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/attestations/{subject_digest}';
        const { data } = await read(() => request(route, { ...of, subject_digest }));
        return data.attestations?.map(({ bundle }): unknown => bundle) ?? [];
      }),
    /** Of every file at a branch, as far as GitHub lists them. */
    paths: (branch: string) =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
        const { data } = await read(() => request(route, { ...here, tree_sha: branch, recursive: '1' }));
        return data.tree.flatMap(({ type, path }) => (type === 'blob' && path !== undefined ? [path] : []));
      }),
  };
}

type OrganizationSecrets = 'GET /repos/{owner}/{repo}/actions/organization-secrets';

/** Permissions and events of an App or of its installation. */
export type Grants = ReturnType<typeof grants>;

const grants = (data: { permissions?: object; events?: string[]; html_url?: string } | null) => ({
  permissions: Object.fromEntries(
    Object.entries(data?.permissions ?? {}).map(([name, level]) => [name, String(level)]),
  ),
  events: data?.events ?? [],
  /** Page on which a person changes it. */
  page: data?.html_url ?? '',
});

interface AppIdentity {
  id: string;
  /** PEM. */
  privateKey: string;
  baseUrl: string;
}

/** A client as the App itself, or as one of its installations. */
export async function appClient(app: AppIdentity, installationId?: number): Promise<Client> {
  const { id, privateKey, baseUrl } = app;
  const { createAppAuth } = await import('@octokit/auth-app');
  return new Octokit({
    baseUrl,
    userAgent: 'echelon',
    log: silent,
    authStrategy: createAppAuth,
    auth: { appId: id, privateKey, ...(installationId !== undefined && { installationId }) },
  });
}

export interface FailedDelivery {
  /** As `issues.labeled`. */
  event: string;
  at: string;
  status: string;
}

/** `client`: as the App itself. */
export function appSetUpOf({ request }: Client, { read }: Caller, here: Place) {
  return {
    app: () => look(async () => grants((await read(() => request('GET /app'))).data)),
    installation: () =>
      look(async () => {
        const route = 'GET /repos/{owner}/{repo}/installation';
        const { data } = await read(() => request(route, { ...here }));
        return { id: data.id, ...grants(data) };
      }),
    /** Of the newest deliveries those whose last attempt was not answered well, the newest first. */
    failedDeliveries: () =>
      look(async () => {
        const { data } = await read(() => request('GET /app/hook/deliveries', { per_page: PAGE }));
        const last = data.filter((each, index) => data.findIndex(({ guid }) => guid === each.guid) === index);
        return last
          .filter(({ status_code }) => status_code < 200 || status_code >= 300)
          .map(({ event, action, delivered_at, status, status_code }): FailedDelivery => {
            const words = status_code > 0 ? `${status_code} ${status}` : status;
            return { event: action ? `${event}.${action}` : event, at: delivered_at, status: words };
          });
      }),
  };
}
