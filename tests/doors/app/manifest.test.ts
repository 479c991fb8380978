// app.yml asks GitHub for what the code uses: its events, and for each call the permission that GitHub wants for it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventNames } from '../../../src/app/events/parse.ts';
import { appManifest, registrationOf } from '../../../src/doors/app/registration.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Route -> permission that an App needs (docs.github.com, Permissions required for GitHub Apps); undefined: none.
 */
const needed: Record<string, string | undefined> = {
  'GET /app': undefined,
  'GET /app/installations': undefined,
  'GET /app/hook/deliveries': undefined,
  'GET /repos/{owner}/{repo}/installation': undefined,
  'GET /installation/repositories': 'metadata: read',
  'GET /repos/{owner}/{repo}': 'metadata: read',
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': 'metadata: read',
  'GET /repos/{owner}/{repo}/collaborators': 'metadata: read',
  'GET /repos/{owner}/{repo}/contents/{path}': 'contents: read',
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}': 'contents: read',
  'GET /repos/{owner}/{repo}/labels/{name}': 'issues: read',
  'GET /repos/{owner}/{repo}/git/ref/{ref}': 'contents: read',
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref}': 'contents: read',
  'GET /repos/{owner}/{repo}/commits/{ref}': 'contents: read',
  'POST /repos/{owner}/{repo}/git/blobs': 'contents: write',
  'POST /repos/{owner}/{repo}/git/trees': 'contents: write',
  'POST /repos/{owner}/{repo}/git/commits': 'contents: write',
  'POST /repos/{owner}/{repo}/git/refs': 'contents: write',
  'PATCH /repos/{owner}/{repo}/git/refs/{ref}': 'contents: write',
  'GET /repos/{owner}/{repo}/issues': 'issues: read',
  'POST /repos/{owner}/{repo}/issues': 'issues: write',
  'GET /repos/{owner}/{repo}/issues/comments': 'issues: read',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': 'issues: write',
  'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions': 'issues: write',
  'GET /repos/{owner}/{repo}/issues/{issue_number}': 'issues: read',
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}': 'issues: write',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': 'issues: read',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': 'issues: write',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/events': 'issues: read',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues': 'issues: read',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues': 'issues: write',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by': 'issues: read',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by': 'issues: write',
  'DELETE /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id}': 'issues: write',
  'GET /repos/{owner}/{repo}/pulls': 'pull_requests: read',
  'POST /repos/{owner}/{repo}/pulls': 'pull_requests: write',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': 'pull_requests: read',
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': 'pull_requests: write',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files': 'pull_requests: read',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews': 'pull_requests: write',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies': 'pull_requests: write',
  'DELETE /repos/{owner}/{repo}/git/refs/{ref}': 'contents: write',
  'POST /repos/{owner}/{repo}/merges': 'contents: write',
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge': 'contents: write',
  'GET /repos/{owner}/{repo}/actions/artifacts': 'actions: read',
  'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}': 'actions: read',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}': 'actions: read',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs': 'actions: read',
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs': 'actions: read',
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs': 'actions: read',
  'POST /repos/{owner}/{repo}/check-runs': 'checks: write',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': 'checks: read',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel': 'actions: write',
  'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches': 'actions: write',
};
/** By the token of whoever asks `echelon doctor`. */
const ofTheDoctor =
  /^GET \/repos\/\{owner\}\/\{repo\}\/(attestations|actions\/(permissions|secrets|organization-secrets|variables|workflows\/\{workflow_id\}$))/;

/** By the token of a workflow's job only, which makes no check runs (docs/decisions/0038). */
const ofTheWorkflow = /\/(?:statuses\/\{sha\}|commits\/\{ref\}\/statuses)$/;

const calls = globSync('src/{app,doors/app}/**/*.ts', { cwd: root }).flatMap(file =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /['"`]((?:GET|POST|PATCH|PUT|DELETE) \/[^'"`]*)['"`]/g,
    ),
  ].map(([, route = '']) => route),
);
const ofTheApp = [...new Set(calls)].filter(route => !ofTheDoctor.test(route) && !ofTheWorkflow.test(route));

test('the permission of each call of the App is known', () => {
  expect(ofTheApp.filter(route => !Object.hasOwn(needed, route))).toEqual([]);
});

test('the manifest asks for the permissions that calls need, and for no more', () => {
  const most = new Map<string, string>();
  for (const route of ofTheApp) {
    const [name = '', level = ''] = needed[route]?.split(': ') ?? [];
    if (name !== '' && most.get(name) !== 'write') most.set(name, level);
  }
  // The checks of a head, by GraphQL.
  most.set('statuses', 'read');
  expect(appManifest().default_permissions).toEqual(Object.fromEntries(most));
});

test('the manifest asks for the events that are read, and for no more', () => {
  expect(appManifest().default_events.toSorted()).toEqual([...eventNames].toSorted());
});

test('with an address for webhooks GitHub is told it and the events, without one neither', () => {
  const redirect = 'http://localhost:3000/setup/registered';
  expect(registrationOf(redirect, 'https://a.example/api/github/webhooks')).toMatchObject({
    redirect_url: redirect,
    public: false,
    hook_attributes: { url: 'https://a.example/api/github/webhooks', active: true },
    default_events: [
      'issues',
      'issue_comment',
      'pull_request',
      'pull_request_review',
      'workflow_job',
      'check_suite',
    ],
  });
  const keys = Object.keys(registrationOf(redirect, undefined));
  expect(keys).not.toContain('hook_attributes');
  expect(keys).not.toContain('default_events');
});
