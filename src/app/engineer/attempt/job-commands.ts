// Runs the commands of a job: in its checkout, with its isolation, its network and its mark.
import { runCommand, type TimeLimit } from '@echelon/ground/workspace';
import { SHOWN_AT } from '../jobs/job-spec.ts';
import type { Workplace } from './workplace.ts';

/** Bytes of a command's output that are kept, of stdout and of stderr each. */
const MAX_OUTPUT = 256 * 1024;

export type CommandPlace = Pick<Workplace, 'isolation' | 'hosts'> & {
  checkout: Pick<Workplace['checkout'], 'tree' | 'home'>;
  host: Pick<Workplace['host'], 'hostPath' | 'mark' | 'reach'>;
};

/** Runs commands in the checkout. */
export function commandsIn({ checkout, isolation, hosts, host }: CommandPlace, onOutput?: () => void) {
  return (
    command: string,
    time: TimeLimit,
    stop: AbortSignal,
    { env = {}, stdin }: { env?: Record<string, string>; stdin?: string | undefined } = {},
  ) =>
    runCommand({
      command,
      ...{ tree: checkout.tree, home: checkout.home },
      at: SHOWN_AT,
      hostPath: host.hostPath,
      ...(host.reach && { reach: host.reach }),
      env,
      ...(stdin !== undefined && { stdin }),
      job: host.mark,
      time,
      maxOutputBytes: MAX_OUTPUT,
      isolation,
      hosts,
      signal: stop,
      ...(onOutput && { onOutput }),
    });
}
