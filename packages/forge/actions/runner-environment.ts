// What jobs find on the machine that runs them: stand-ins for programs of a hosted runner that would change this machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface RunnerEnvironment {
  /** `runner.environment`. */
  kind: 'github-hosted' | 'self-hosted';
  /** Shell scripts by name, first on the PATH of every step. `$state` is a folder of the job. */
  programs: Readonly<Record<string, string>>;
  /** Put before the command of each process; `programs` is their folder. */
  enter?: (programs: string) => readonly string[];
}

/** Needs no password, as on GitHub's runners; gives no rights that its caller has not. */
const sudo = 'while [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"';

/**
 * An image's package index is older than its packages, so that installing fails until `update` was called.
 * https://github.com/actions/runner-images/issues/12865
 */
const aptGet = `action=
for word; do
  case $word in
    --version) echo 'apt 2.8.3 (amd64)'; exit 0 ;;
    update) : > "$state/indexed"; exit 0 ;;
    install) action=install ;;
    -*) ;;
    *) [ "$action" ] && packages="$packages $word" ;;
  esac
done
for package in $packages; do
  if [ ! -e "$state/indexed" ]; then
    url=http://azure.archive.ubuntu.com/ubuntu/pool/$package.deb
    echo "E: Failed to fetch $url  404  Not Found [IP: 52.252.163.49 80]" >&2
    echo 'E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?' >&2
    exit 100
  fi
  if [ -x "$state/../programs/install-$package" ]; then "$state/../programs/install-$package" && continue; fi
  echo "E: Unable to locate package $package (the local GitHub installs nothing on this machine)" >&2
  exit 100
done`;

/** A runner of GitHub's, as far as this machine is one. */
export const hosted: RunnerEnvironment = {
  kind: 'github-hosted',
  programs: { sudo, 'apt-get': aptGet },
};

/** Writes the stand-ins into a folder of the job. */
export async function writePrograms(folder: string, { programs }: RunnerEnvironment): Promise<void> {
  const state = join(folder, '..', 'machine');
  await mkdir(state, { recursive: true });
  for (const [name, script] of Object.entries(programs))
    await writeFile(join(folder, name), `#!/bin/sh\nstate='${state}'\n${script}\n`, { mode: 0o755 });
}
