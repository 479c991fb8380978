// Webhooks of a repository: addresses that its owner wants told what happens there.
import { type Core, now } from '../core.ts';

export interface Hook {
  id: number;
  repository_id: number;
  url: string;
  content_type: 'json' | 'form';
  /** What deliveries are signed with; null: they are not. Never shown. */
  secret: string | null;
  /** Whether the certificate of the receiver goes unchecked. */
  insecure_ssl: number;
  /** JSON array; `*` stands for all. */
  events: string;
  active: number;
  created_at: string;
  updated_at: string;
}

export const findHook = (core: Core, id: number): Hook | undefined =>
  core.db.one<Hook>('SELECT * FROM hooks WHERE id = ?', id);

/** The hook of an id that another row holds. */
export const getHook = (core: Core, id: number): Hook =>
  core.db.the<Hook>('SELECT * FROM hooks WHERE id = ?', id);

export const hooksOf = (core: Core, repositoryId: number): Hook[] =>
  core.db.all<Hook>('SELECT * FROM hooks WHERE repository_id = ? ORDER BY id', repositoryId);

export const eventsOfHook = ({ events }: Hook): string[] => JSON.parse(events);

export const hears = (hook: Hook, event: string): boolean =>
  hook.active === 1 && eventsOfHook(hook).some(each => each === event || each === '*');

export function addHook(core: Core, hook: Omit<Hook, 'id' | 'created_at' | 'updated_at'>): Hook {
  const time = now(core);
  return getHook(core, core.db.insert('hooks', { ...hook, created_at: time, updated_at: time }));
}
