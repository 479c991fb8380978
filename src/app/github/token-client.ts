// A client for GitHub with a token that somebody else made: what a job of GitHub Actions is given.
import { Octokit } from '@octokit/rest';
import type { Client } from './octokit.ts';

/** `baseUrl`: of the REST API. The token is in no message of the client. */
export const tokenClient = (token: string, baseUrl: string): Client =>
  new Octokit({ auth: token, baseUrl, userAgent: 'echelon', log: silent });

/** A refusal is told by whoever meets it; the library would print each. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };
