// A session under way: what its parts hand each other.
import type { Deadline } from '@echelon/ground';
import type { Hooks } from './middleware.ts';
import type { SessionOutcome, SessionRequest, SessionSurroundings } from './request.ts';
import type { Limited, SessionState } from './state.ts';

export interface Session {
  readonly request: SessionRequest;
  readonly around: SessionSurroundings;
  /** Changed in place: it belongs to this session alone. */
  readonly state: SessionState;
  readonly time: Deadline;
  readonly hooks: Hooks;
  /** Tells once for each resource when 80 % of it are used, and answers whether it did now. */
  readonly warn: (resource: Limited, used: number, limit: number | undefined) => boolean;
  readonly tools: SessionOutcome['tools'];
  /** Saves it as it stands, for another process; an aid: where it cannot be written, a crash costs more. */
  readonly save: () => Promise<void>;
}
