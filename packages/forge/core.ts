// Values for every part of the forge: the database, the clock, paths and addresses.
import type { Clock } from '@echelon/ground';
import type { Database } from './database.ts';

export interface Core {
  readonly db: Database;
  readonly clock: Clock;
  /** Holds forge.sqlite and git/. */
  readonly folder: string;
  /** Address of the pages, without a slash at the end: http://127.0.0.1:3000 */
  readonly site: string;
  /** Address of the REST API: site + /api/v3 */
  readonly api: string;
  /** The same under the forge's own address, where this one has the name that a client called it by. */
  readonly own?: Core;
  /** Others on the network reach it: whoever has no token may not even read. */
  readonly isExposed: boolean;
  /** True if events start workflows here. */
  readonly runsWorkflows: boolean;
  /** Milliseconds before the API's lists show a new artifact. */
  readonly artifactLag: number;
}

/** A time as GitHub writes it: ISO 8601 in whole seconds. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The same of a time that somebody wrote; undefined for what is none. */
export function timestampOf(text: string): string | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : timestamp(time);
}

export const now = (core: Core): string => timestamp(core.clock.now());

/** Opaque global id in GitHub's manner: a prefix for the kind, then what identifies the object. */
export function nodeId(prefix: string, ...parts: (string | number)[]): string {
  return `${prefix}_${Buffer.from(parts.join(':')).toString('base64url')}`;
}

/** The database id inside a node id of this kind; NaN when it is another kind's or no node id. */
export function idOfNode(prefix: string, id: string): number {
  if (!id.startsWith(`${prefix}_`)) return Number.NaN;
  return Number(Buffer.from(id.slice(prefix.length + 1), 'base64url').toString());
}
