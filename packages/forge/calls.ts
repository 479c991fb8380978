// The log of API calls, and the place where a test may stop one before it is applied or before it is answered.

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
  /** Answered 304: it costs nothing of the caller's limit. */
  unchanged?: true;
}

export type OnCall = (call: ForgeCall, phase: 'received' | 'applied') => void | Promise<void>;

/** Size of the log in calls; older ones are dropped. */
const kept = 50_000;

export interface CallLog {
  readonly list: ForgeCall[];
  begin(call: Omit<ForgeCall, 'n'>): Promise<ForgeCall>;
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
      await onCall?.(logged, 'received');
      return logged;
    },
    async applied(call) {
      await onCall?.(call, 'applied');
    },
  };
}
