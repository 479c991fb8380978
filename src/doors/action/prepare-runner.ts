// Prepares a hosted runner to keep model-written code in: installs bubblewrap, and allows the namespaces it needs.
import { getExecOutput } from '@actions/exec';
import { bubblewrapFault } from '../../workspace/isolation.ts';

/** The steps in their order; each is tried where isolation does not work yet. */
const steps: readonly { does: string; command: string; args: readonly string[] }[] = [
  {
    does: 'installed bubblewrap',
    command: 'sudo',
    args: ['-n', 'apt-get', 'install', '--yes', '--quiet', 'bubblewrap'],
  },
  {
    // Ubuntu 24.04 forbids namespaces to unprivileged programs that no AppArmor profile names.
    does: 'allowed unprivileged user namespaces',
    command: 'sudo',
    args: ['-n', 'sysctl', '--write', 'kernel.apparmor_restrict_unprivileged_userns=0'],
  },
];

/** Makes bubblewrap work where it can; tells what was done. Whether it works then, the job itself finds out. */
export async function prepareRunner(say: (line: string) => void): Promise<void> {
  for (const { does, command, args } of steps) {
    if ((await bubblewrapFault()) === undefined) return;
    const { exitCode, stderr } = await getExecOutput(command, [...args], {
      silent: true,
      ignoreReturnCode: true,
    }).catch((error: unknown) => ({ exitCode: 127, stderr: String(error) }));
    say(exitCode === 0 ? does : `not ${does}: ${stderr.trim().split('\n').at(-1) ?? exitCode}`);
  }
}
