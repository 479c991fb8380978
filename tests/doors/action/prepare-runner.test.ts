// The runners that the job of an engineer meets. Stand-ins for sudo, apt-get and apparmor_parser are on PATH, and the
// bubblewrap that they install fails as on Ubuntu until the profile is loaded.
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareRunner } from '../../../src/doors/action/prepare-runner.ts';
import { temporary } from '../../ground/workspace/fixture.ts';

/** Shell scripts by name. `$D` is a folder for their state; `$D/indexed`: the package index is new enough. */
const programs = {
  sudo: '[ "$1" = -n ] && shift; exec "$@"',
  'apt-get': `echo "apt-get $*" >> $D/calls
case "$*" in
  *--version*) ;;
  *update*) : > $D/indexed ;;
  *) [ -e $D/indexed ] || { echo "E: Failed to fetch bubblewrap.deb  404  Not Found" >&2; exit 100; }
    printf '#!/bin/sh\\n' > $D/bin/bwrap
    printf '[ -e %s/loaded ] && exit 0; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1' $D >> $D/bin/bwrap
    $D/chmod +x $D/bin/bwrap ;;
esac`,
  apparmor_parser: 'while IFS= read -r line; do echo "$line"; done > $D/loaded',
};

interface Case {
  has?: Partial<Record<keyof typeof programs, string | undefined>>;
  /** Of `indexed`, `loaded`. */
  state?: string[];
  restricted?: boolean;
  selfHosted?: boolean;
  says: (string | RegExp)[];
  calls?: string[];
}

const installCall =
  'apt-get -o DPkg::Lock::Timeout=60 --yes --quiet --no-install-recommends install bubblewrap';
const updateCall = 'apt-get -o DPkg::Lock::Timeout=60 --yes --quiet --no-install-recommends update';
const absent = /^bubblewrap \(bwrap\) is not installed\. Install bubblewrap \(.+\)$/;
const profile = 'loaded an AppArmor profile for bubblewrap';
const forbidden =
  /^bubblewrap is installed but a trial run failed \(bwrap: .+\)\. Load the AppArmor profile for it: sudo apt-get .+/;

const cases: Record<string, Case> = {
  'without a restriction': {
    state: ['indexed', 'loaded'],
    restricted: false,
    says: ['installed bubblewrap'],
    calls: ['apt-get --version', installCall],
  },
  'hosted Ubuntu with a stale index, and with AppArmor’s restriction': {
    says: ['installed bubblewrap', profile],
    calls: ['apt-get --version', installCall, updateCall, installCall],
  },
  'a package that cannot be had': {
    has: {
      'apt-get': `echo "apt-get $*" >> $D/calls; case "$*" in *--version*) exit 0 ;; esac
echo "E: Could not get lock /var/lib/dpkg/lock-frontend" >&2; exit 100`,
    },
    says: ['not installed bubblewrap: E: Could not get lock /var/lib/dpkg/lock-frontend', absent],
    calls: ['apt-get --version', installCall, updateCall, installCall, updateCall, installCall],
  },
  'a sudo that wants a password': {
    has: { sudo: 'echo "sudo: a password is required" >&2; exit 1' },
    says: ['not installed bubblewrap: sudo: a password is required', absent],
  },
  'no sudo': { has: { sudo: undefined }, says: [/^not installed bubblewrap: spawn sudo ENOENT$/, absent] },
  'another package manager': {
    has: { 'apt-get': undefined },
    says: [/^not installed bubblewrap: .*apt-get.*not found/, absent],
  },
  'no apparmor_parser': {
    state: ['indexed'],
    has: { apparmor_parser: undefined },
    says: ['installed bubblewrap', /^not loaded an AppArmor profile.*not found/, forbidden],
  },
  'a profile that its parser refuses': {
    state: ['indexed'],
    has: { apparmor_parser: 'echo "AppArmor parser error: Could not open abi/4.0" >&2; exit 1' },
    says: [
      'installed bubblewrap',
      `not ${profile}: AppArmor parser error: Could not open abi/4.0`,
      forbidden,
    ],
  },
  'a self-hosted runner': {
    selfHosted: true,
    says: [/^nothing is installed on a self-hosted runner: bubblewrap \(bwrap\) is not installed\. Install/],
  },
};

test.each(Object.entries(cases))(
  '%s',
  async (_, { has, state = [], restricted = true, selfHosted, says, calls }) => {
    await using folder = await temporary();
    const at = (name: string) => join(folder.path, name);
    await mkdir(at('bin'));
    await symlink('/usr/bin/timeout', at('bin/timeout'));
    await symlink('/bin/chmod', at('chmod'));
    for (const [name, script] of Object.entries({ ...programs, ...has })) {
      if (script === undefined) continue;
      await writeFile(at(`bin/${name}`), `#!/bin/bash\nD=${folder.path}\n${script}\n`);
      await chmod(at(`bin/${name}`), 0o755);
    }
    for (const name of state) await writeFile(at(name), '');
    await writeFile(at('restriction'), restricted ? '1\n' : '0\n');
    const said: string[] = [];
    await prepareRunner({
      env: { PATH: at('bin'), RUNNER_ENVIRONMENT: selfHosted ? 'self-hosted' : 'github-hosted' },
      say: line => said.push(line),
      clock: { now: () => 0, sleep: () => Promise.resolve() },
      path: at('bin'),
      restriction: at('restriction'),
    });
    expect(said).toEqual(says.map(each => (typeof each === 'string' ? each : expect.stringMatching(each))));
    const log = await readFile(at('calls'), 'utf8').catch(() => '');
    if (calls) expect(log.trim().split('\n')).toEqual(calls);
    if (said.includes(profile))
      expect(await readFile(at('loaded'), 'utf8')).toContain(
        `profile echelon-bwrap ${at('bin/bwrap')} flags`,
      );
  },
);
