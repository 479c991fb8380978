// The log of API calls, and the place where a test may stop one before it is applied or before it is answered.
import type { Answer } from './route.ts';

export interface ForgeCall {
  /** 1 for the first call since the forge was opened. */
  n: number;
  method: string;
  /** Method and template: POST /repos/{owner}/{repo}/issues */
  route: string;
  path: string;
  /** GraphQL queries are reads, mutations and pushes are writes. */
  kind: 'read' | 'write';
  /** Login, `app:slug` for an app's own calls, null for nobody. */
  actor: string | null;
}

/** `instead`, called at `received`, answers in the forge's place, as GitHub does at a limit. */
export type OnCall = (
  call: ForgeCall,
  phase: 'received' | 'applied',
  instead: (answer: Answer) => void,
) => void | Promise<void>;

/** How many calls the log holds; older ones are dropped. */
const kept = 50_000;

export interface CallLog {
  readonly list: ForgeCall[];
  begin(call: Omit<ForgeCall, 'n'>): Promise<{ logged: ForgeCall; instead: Answer | undefined }>;
  applied(call: ForgeCall): Promise<void>;
}

/** The log, with `onCall` awaited at both phases; what it throws reaches the caller of `begin` and `applied`. */
export function callLog(onCall: OnCall | undefined): CallLog {
  let n = 0;
  const list: ForgeCall[] = [];
  return {
    list,
    async begin(call) {
      const logged = { n: ++n, ...call };
      list.push(logged);
      if (list.length > kept) list.shift();
      let instead: Answer | undefined;
      await onCall?.(logged, 'received', answer => (instead = answer));
      return { logged, instead };
    },
    async applied(call) {
      await onCall?.(call, 'applied', () => {});
    },
  };
}
