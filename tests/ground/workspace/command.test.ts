import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boundedOutput } from '../../../packages/ground/workspace/bounded-output.ts';
import { type ShellCommand, runCommand } from '../../../packages/ground/workspace/command.ts';
import {
  chooseIsolation,
  type Isolation,
  IsolationMissing,
} from '../../../packages/ground/workspace/isolation.ts';
import { noNetworkEnv } from '../../../packages/ground/workspace/proxy-env.ts';
import { reachOf } from '../../../packages/ground/workspace/reach.ts';
import { findToolchains, productRoot } from '../../../packages/ground/workspace/toolchains.ts';
import { temporary } from './fixture.ts';

const bubblewrap = await chooseIsolation('bubblewrap', { secretsPresent: true }).catch(() => undefined);
const none: Isolation = { kind: 'none' };
const hostPath = process.env['PATH'] ?? '/usr/bin:/bin';

async function room() {
  const folder = await temporary();
  const [tree, home] = [join(folder.path, 'job', 'tree'), join(folder.path, 'job', 'home')];
  await mkdir(tree, { recursive: true });
  const run = async (command: string, isolation: Isolation, more: Partial<ShellCommand> = {}) =>
    await runCommand({
      ...{ command, tree, home, hostPath, env: {}, isolation, hosts: [] },
      ...{
        time: { ms: 20_000, more: 'no more' },
        maxOutputBytes: 10_000,
        signal: new AbortController().signal,
      },
      ...more,
    });
  return { ...folder, tree, home, run };
}

/** A server on the loopback of this machine. */
async function hello() {
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

/** True once a process is gone or a zombie; the kernel needs a moment after SIGKILL. */
async function ends(pid: number): Promise<boolean> {
  for (let look = 0; look < 200; look += 1) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (stat === '' || /\) [ZX] /.test(stat)) return true;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  return false;
}

const kinds: [string, Isolation | undefined][] = [
  ['none', none],
  [
    bubblewrap ? 'bubblewrap' : 'bubblewrap (skipped: a trial run of bwrap failed on this machine)',
    bubblewrap,
  ],
];

describe.each(kinds)('with isolation %s', (_name, isolation) => {
  const onLinux = test.skipIf(!isolation);

  test.skipIf(!isolation || !existsSync('/bin/bash'))(
    'is run by bash (skipped where there is none)',
    async () => {
      await using place = await room();
      const command = 'words=(a b); [[ a == a ]] && echo "of $words"';
      expect(await place.run(command, isolation!)).toMatchObject({
        exit_code: 0,
        stdout: 'of a\n',
        stderr: '',
      });
    },
  );

  onLinux('gives exit code, both outputs, and takes input', async () => {
    await using place = await room();
    const result = await place.run('cat; echo err >&2; echo made > file; exit 3', isolation!, {
      stdin: 'in',
    });
    expect(result).toMatchObject({
      exit_code: 3,
      stdout: 'in',
      stderr: 'err\n',
      timed_out: false,
      truncated: false,
    });
    expect(await readFile(join(place.tree, 'file'), 'utf8')).toBe('made\n');
    expect(await place.run('kill -TERM $$', none)).toMatchObject({ exit_code: null, signal: 'SIGTERM' });
  });

  onLinux('sees the variables of the allowlist and those given, no others', async () => {
    await using place = await room();
    process.env['ECHELON_CANARY'] = 'leaked-secret';
    try {
      const { stdout } = await place.run('env; cat /proc/self/environ', isolation!, {
        env: { GIVEN: 'yes' },
      });
      expect(stdout).not.toContain('leaked-secret');
      const names = [...stdout.split('\0')[0]!.matchAll(/^(\w+)=/gm)].map(match => match[1]!);
      const allowed =
        /^(PATH|HOME|TMPDIR|LANG|CI|NO_COLOR|FORCE_COLOR|GIVEN|PWD|OLDPWD|SHLVL|_|ECHELON_COMMAND|[A-Z]+_(HOME|ROOT|DATA_DIR))$/;
      expect(names.filter(name => !allowed.test(name) && !(name in noNetworkEnv))).toEqual([]);
      expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'TMPDIR', 'LANG', 'CI', 'NO_COLOR']));
    } finally {
      delete process.env['ECHELON_CANARY'];
    }
  });

  onLinux('HOME and TMPDIR are its own and HOME is kept for the next command', async () => {
    await using place = await room();
    await place.run('echo kept > ~/cache; echo t > "$TMPDIR/t"', isolation!);
    expect(await place.run('cat ~/cache; cd && pwd', isolation!)).toMatchObject({
      stdout: `kept\n${place.home}\n`,
    });
  });

  onLinux('the programs of the product are not on its PATH', async () => {
    await using place = await room();
    const own = join(productRoot(), 'node_modules', '.bin');
    const path = `${own}:/elsewhere/node_modules/.bin:relative:.:${hostPath}:`;
    const { stdout } = await place.run('echo "$PATH"; command -v vitest', isolation!, { hostPath: path });
    expect(stdout).not.toMatch(/node_modules|relative|vitest|(^|:)[^/]/);
  });

  onLinux('a time limit ends a tree of processes, deaf ones too', async () => {
    await using place = await room();
    const forks =
      '(trap "" TERM; sleep 60; sleep 60) & (sh -c "sleep 61 & sleep 62") & trap "" TERM; sleep 63; sleep 64';
    const result = await place.run(`echo begun; ${forks}`, isolation!, {
      time: { ms: 300, more: 'no more' },
    });
    expect(result).toMatchObject({ exit_code: null, timed_out: true, stdout: 'begun\n' });
    expect(result.duration_ms).toBeLessThan(6000);
    expect(await marked(place.home)).toEqual([]);
  });

  onLinux('a limit that struck is told, with what it is and what more there can be', async () => {
    await using place = await room();
    const slow = await place.run('sleep 60', isolation!, { time: { ms: 300, more: 'ask for more' } });
    expect(slow.end).toMatch(/^stopped after \d+(\.\d)? s at its time limit of 0\.3 s; ask for more$/);
    const large = await place.run('dd if=/dev/zero of=big bs=1 count=1 seek=1073741824; exit $?', isolation!);
    expect(large.end).toMatch(
      /^exit code 153; ended after .* s by a file of more than 1024 MB, the largest allowed$/,
    );
    const long = await place.run('yes | head -c 30000', isolation!);
    expect(long.end).toBe(
      'exit code 0; the middle of its output is left out: 10000 bytes are kept of each stream, the most there can be',
    );
  });

  onLinux('an end from outside is told as that, and a plain exit needs no words', async () => {
    await using place = await room();
    const told = await place.run("sh -c 'kill -KILL $$'; exit $?", isolation!);
    expect(told.exit_code).toBe(137);
    expect(told.end).toMatch(
      /^exit code 137, as of a program that was ended by SIGKILL from outside after .* s; no limit of ours was reached; a machine that runs out of memory does that$/,
    );
    expect(await place.run('exit 3', isolation!)).not.toHaveProperty('end');
  });

  onLinux('nothing is left running when it ends, daemons neither', async () => {
    await using place = await room();
    // The command ends when the daemons have left its group.
    const daemon =
      'setsid sh -c "sleep 70 & touch one; exec sleep 71" >/dev/null 2>&1 & sleep 72 & setsid sh -c "touch two; exec sleep 73" &';
    const left = 'until [ -e one ] && [ -e two ]; do sleep 0.01; done';
    const result = await place.run(`${daemon} ${left}; echo done`, isolation!);
    expect(result).toMatchObject({ exit_code: 0, stdout: 'done\n' });
    expect(result.duration_ms).toBeLessThan(5000);
    expect(await marked(place.home)).toEqual([]);
  });

  onLinux('a signal ends it and is thrown', async () => {
    await using place = await room();
    const stop = new AbortController();
    const heard: string[] = [];
    const onOutput = (piece: string) => {
      heard.push(piece);
      stop.abort(new Error('cancelled by a person'));
    };
    const run = place.run('echo hello; sleep 60', isolation!, { signal: stop.signal, onOutput });
    await expect(run).rejects.toThrow('cancelled by a person');
    expect(heard).toEqual(['hello\n']);
    expect(await marked(place.home)).toEqual([]);
  });

  onLinux('a signal that comes while it is prepared keeps it from being run', async () => {
    await using place = await room();
    const stop = new AbortController();
    const run = place.run(': > ran', isolation!, { signal: stop.signal });
    stop.abort(new Error('cancelled by a person'));
    await expect(run).rejects.toThrow('cancelled by a person');
    expect(existsSync(join(place.tree, 'ran'))).toBe(false);
  });

  onLinux('where memory runs out, the kernel ends it first', async () => {
    await using place = await room();
    expect((await place.run('cat /proc/self/oom_score_adj', isolation!)).stdout).toBe('1000\n');
  });

  onLinux('a flood of output is bounded: how it began and how it ended are kept', async () => {
    await using place = await room();
    const flood = 'echo first; head -c 30000000 /dev/zero | tr "\\0" x; echo; echo last';
    const { stdout, truncated, stdout_cut } = await place.run(flood, isolation!);
    expect(truncated).toBe(true);
    expect(stdout_cut).toBe(true);
    expect(stdout.length).toBeLessThan(10_100);
    expect(stdout).toMatch(/^first\nx+\nx+\nlast\n$/);
  });

  onLinux('files are limited in size', async () => {
    await using place = await room();
    const { stdout } = await place.run(
      'sh -c "ulimit -f; ulimit -c"; truncate -s 2G big 2>&1; ls',
      isolation!,
    );
    expect(stdout).toMatch(/^2097152\n0\n/);
    expect(existsSync(join(place.tree, 'big')) && stdout).not.toMatch(/^big$[\s\S]*2147483648/m);
  });
});

test.skipIf(!existsSync('/proc/self/environ'))(
  'without a sandbox: what emptied its environment is ended with its group',
  async () => {
    await using place = await room();
    const empty = `env -i sh -c 'touch empty; exec sleep 74' >/dev/null 2>&1 &`;
    const { stdout } = await place.run(`${empty} until [ -e empty ]; do sleep 0.01; done; echo $!`, none);
    expect(await ends(Number(stdout))).toBe(true);
  },
);

/** Processes of this user whose HOME is `home`. */
async function marked(home: string): Promise<number[]> {
  const alive: number[] = [];
  for (const name of await readdir('/proc')) {
    const environment = /^\d+$/.test(name)
      ? await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
      : '';
    if (environment.split('\0').includes(`HOME=${home}`) && !(await ends(Number(name))))
      alive.push(Number(name));
  }
  return alive;
}

describe(
  bubblewrap ? 'the sandbox' : 'the sandbox (skipped: a trial run of bwrap failed on this machine)',
  () => {
    const inSandbox = test.skipIf(!bubblewrap);

    inSandbox('a command that is too long for the system leaves no proxy behind', async () => {
      await using place = await room();
      const before = process.env['TMPDIR'];
      process.env['TMPDIR'] = place.path;
      try {
        const run = place.run(`: ${'x'.repeat(200_000)}`, bubblewrap!, { hosts: ['example.org'] });
        await expect(run).rejects.toThrow('E2BIG');
        expect(await readdir(place.path)).toEqual(['job']);
      } finally {
        process.env['TMPDIR'] = before;
        if (before === undefined) delete process.env['TMPDIR'];
      }
    });

    inSandbox('shows no other process, host name or network', async () => {
      await using place = await room();
      const secret = spawn('sleep', ['80'], { env: { SECRET: 'of-another-process' } });
      try {
        const { stdout } = await place.run(
          'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; ls /proc | grep -c "^[0-9]"; hostname; cat /proc/net/dev',
          bubblewrap!,
        );
        expect(stdout).not.toContain('of-another-process');
        expect(stdout).not.toContain('vitest');
        expect(stdout).toContain('sandbox\n');
        expect(stdout.match(/^ *\w+:/gm)).toEqual(['    lo:']);
      } finally {
        secret.kill('SIGKILL');
      }
    });

    inSandbox('hides home folders, the job folder, the product and all that is not system', async () => {
      await using place = await room();
      await writeFile(join(place.tree, '..', 'credentials'), 'job secret');
      await mkdir(join(place.tree, '..', 'git'));
      const { stdout } = await place.run(
        `ls -A "${place.tree}/.."; ls -d /srv /mnt /media /sys /boot "${productRoot()}/package.json" /etc/shadow /var/lib /home 2>/dev/null; ls -A /usr/src /run /root /home/* 2>/dev/null`,
        bubblewrap!,
      );
      // Of the job folder only the two that are mounted, of the home folder only what PATH leads to.
      expect(stdout.split('\n').slice(0, 2)).toEqual(['home', 'tree']);
      expect(stdout).not.toMatch(
        /credentials|git$|googletest|python3|^\/(srv|mnt|media|sys|boot|home)$|package\.json|shadow|\/var\/lib/m,
      );
      expect(stdout).not.toMatch(/\.(ssh|aws|netrc|npmrc|gitconfig|config|docker|bashrc|profile)$/m);
    });

    inSandbox('only the work tree and its home can be written', async () => {
      await using place = await room();
      const outside = [
        '/x',
        '/usr/x',
        '/etc/x',
        '/var/x',
        '/run/x',
        '/root/x',
        '/home/x',
        `${process.cwd()}/x`,
      ];
      const { stdout } = await place.run(
        `for f in ${outside.join(' ')}; do (echo x > "$f") 2>/dev/null && echo "wrote $f"; done; echo x > in && echo x > ~/in && echo x > /tmp/in && echo x > "${place.path}/in" && echo fine`,
        bubblewrap!,
      );
      expect(stdout).toBe('fine\n');
      // /tmp is a private one: what is written beside the job folder never gets there.
      expect(existsSync(join(place.path, 'in'))).toBe(false);
    });

    inSandbox('tree and home stand where the caller wants them, with the same limits', async () => {
      await using place = await room();
      await mkdir(join(place.tree, '.git'));
      const command =
        'pwd; echo ~; for f in .git/x /job/x ../x; do (echo x > $f) 2>/dev/null && echo "wrote $f"; done; echo x > in && echo x > ~/in; ls -d ' +
        place.tree;
      const { stdout } = await place.run(command, bubblewrap!, { at: '/job' });
      expect(stdout).toBe('/job/tree\n/job/home\n');
      expect(existsSync(join(place.tree, 'in')) && existsSync(join(place.home, 'in'))).toBe(true);
    });

    inSandbox('what leads to the network is there with the network only, and holds no secret', async () => {
      await using place = await room();
      const file = (name: string, text: string) => writeFile(join(place.path, name), text);
      const [certificate, key] = [
        '-----BEGIN CERTIFICATE-----\nMIIB\n',
        '-----BEGIN PRIVATE KEY-----\nMIIE\n',
      ];
      await file('ca.pem', certificate);
      await file('both.pem', certificate + key);
      const reach = reachOf({
        HTTPS_PROXY: 'http://me:s3cret@proxy:3128',
        http_proxy: 'http://proxy:3128',
        ALL_PROXY: 'socks5://me:s3/cret@proxy:1080',
        NO_PROXY: 'localhost,.local',
        NODE_EXTRA_CA_CERTS: join(place.path, 'ca.pem'),
        SSL_CERT_FILE: join(place.path, 'both.pem'),
        PIP_CERT: join(place.path, 'missing.pem'),
        npm_config_registry: 'https://me:s3cret@npm.example/',
        OPENAI_API_KEY: 's3cret',
      });
      const look = 'env | grep -iE "^https_proxy|cert|s3|npm_" | sort; cat "$NODE_EXTRA_CA_CERTS"';
      const { stdout } = await place.run(look, bubblewrap!, { hosts: 'all', reach });
      expect(stdout.replaceAll(/:\d+\n/g, ':PORT\n')).toBe(`HTTPS_PROXY=http://127.0.0.1:PORT
NODE_EXTRA_CA_CERTS=/run/certificates/NODE_EXTRA_CA_CERTS
https_proxy=http://127.0.0.1:PORT
npm_config_registry=https://npm.example/
${certificate}`);
      const without = await place.run('env | grep -iE "proxy|cert|fetch_retries"', bubblewrap!, { reach });
      // Nothing that could be reached by another try.
      expect(without.stdout).toBe('npm_config_fetch_retries=0\n');
    });

    inSandbox('the settings of the kernel cannot be written, not even where we are root', async () => {
      await using place = await room();
      const { stdout } = await place.run(
        'find /proc -mindepth 1 -maxdepth 4 -type f -writable -not -path "/proc/[0-9]*" -not -path "/proc/self/*" -not -path "/proc/thread-self/*" -exec test -f {} \\; -print 2>/dev/null; echo end',
        bubblewrap!,
      );
      expect(stdout).toBe('end\n');
    });

    inSandbox('no mount can be changed from inside', async () => {
      await using place = await room();
      const { stdout } = await place.run(
        'mount -o remount,rw / && echo no; umount /proc && echo no; mount -t tmpfs x /usr && echo no',
        bubblewrap!,
      );
      expect(stdout).toBe('');
    });

    inSandbox('toolchains of PATH are there, what lies beside them is not', async () => {
      await using place = await room();
      const prefix = join(place.path, 'u', '.nvm', 'versions', 'node', 'v1');
      const cargo = join(place.path, 'u', '.cargo');
      const away = join(place.path, 'opt', 'tool', 'bin');
      for (const folder of [join(prefix, 'bin'), join(prefix, 'etc'), join(cargo, 'bin'), away])
        await mkdir(folder, { recursive: true });
      const program = async (file: string) => {
        await writeFile(file, '#!/bin/sh\necho ran "$0"\n');
        await chmod(file, 0o755);
      };
      await program(join(prefix, 'bin', 'tool-a'));
      await program(join(cargo, 'bin', 'tool-b'));
      await program(join(away, 'tool-c'));
      await writeFile(join(cargo, 'credentials.toml'), 'token');
      await writeFile(join(prefix, 'etc', 'npmrc'), 'token');
      await mkdir(join(prefix, 'lib', 'node_modules', 'npm'), { recursive: true });
      await writeFile(join(prefix, 'lib', 'node_modules', 'npm', 'npmrc'), 'token');
      await writeFile(join(place.path, 'u', '.npmrc'), 'token');
      const { symlink } = await import('node:fs/promises');
      await symlink(join(away, 'tool-c'), join(cargo, 'bin', 'tool-c'));
      const path = `${prefix}/bin:${cargo}/bin:/usr/bin:/bin`;
      const { stdout } = await place.run(
        `tool-a; tool-b; tool-c; find ${place.path}/u -type f -exec test -f {} \\; -print`,
        bubblewrap!,
        { hostPath: path },
      );
      expect(
        stdout
          .split('\n')
          .map(line => line.replace(place.path, ''))
          .sort(),
      ).toEqual([
        '',
        '/u/.cargo/bin/tool-b',
        '/u/.nvm/versions/node/v1/bin/tool-a',
        'ran /u/.cargo/bin/tool-b',
        'ran /u/.cargo/bin/tool-c',
        'ran /u/.nvm/versions/node/v1/bin/tool-a',
      ]);
    });

    inSandbox('it is in a session of its own, without the terminal of whoever started it', async () => {
      await using place = await room();
      // The sixth field is the session; 0 where its leader is outside of the sandbox.
      const { stdout } = await place.run("cut -d ' ' -f 6 /proc/self/stat", bubblewrap!);
      expect(Number(stdout)).toBeGreaterThan(0);
    });

    inSandbox(
      'it reaches the hosts that are listed, by the proxy, and nothing else of the machine',
      async () => {
        await using place = await room();
        await using server = await hello();
        await using other = await hello();
        // An operator's mirror may be at a private address; no_proxy of the sandbox is for servers inside of it.
        const reach = reachOf({ npm_config_registry: `http://127.0.0.1:${server.port}/` });
        const get = (port: number) => `curl -sS --noproxy '' http://127.0.0.1:${port}/; echo`;
        const direct = (port: number) =>
          `curl -sS --noproxy '*' http://127.0.0.1:${port}/ >/dev/null 2>&1 || echo closed`;
        const metadata = 'curl -sS http://169.254.169.254/; echo';
        const look = [
          get(server.port),
          get(other.port),
          direct(server.port),
          metadata,
          'cat /proc/net/dev',
          'exit 1',
        ];
        const refused = [
          `127.0.0.1: port ${other.port} is closed, 80 and 443 are open`,
          '169.254.169.254: its address is not public',
        ];
        const { stdout, stderr, ...ended } = await place.run(look.join('; '), bubblewrap!, {
          hosts: 'all',
          reach,
        });
        const [own, second, third, fourth, ...net] = stdout.split(/\n+/);
        expect([own, second, third, fourth]).toEqual([
          'hello',
          `network refused for host ${refused[0]}`,
          'closed',
          `network refused for host ${refused[1]}`,
        ]);
        expect(net.join('\n').match(/^ *\w+:/gm)).toEqual(['    lo:']);
        expect(ended.refused).toEqual(refused.map(each => `network refused for host ${each}`));
        expect(stderr).toContain(`[sandbox] network refused for host ${refused[0]}`);
        const none = await place.run(get(server.port), bubblewrap!, { reach });
        expect(none.stdout).toBe('\n');
        expect(none).not.toHaveProperty('refused');
      },
    );

    inSandbox(
      'garbage at the proxy, and its socket, are of no use; a signal’s exit code comes through',
      async () => {
        await using place = await room();
        const garbage = `node -e 'const {connect}=require("net"); const c=connect(new URL(process.env.HTTP_PROXY).port); c.write(Buffer.alloc(1e5, 7)); c.on("error",()=>{}).on("close",()=>console.log("hung up"))'`;
        const replace =
          'rm -f /run/echelon/0 2>/dev/null; (echo x > /run/echelon/0) 2>/dev/null; ls /run/echelon';
        const { stdout, exit_code } = await place.run(`${garbage}; ${replace}; kill -KILL $$`, bubblewrap!, {
          hosts: ['example.org'],
        });
        expect(stdout).toBe('hung up\n0\nnode\n');
        expect(exit_code).toBe(137);
      },
    );
  },
);

describe('the choice of isolation', () => {
  test('without bubblewrap: none where nothing is at stake, refused where secrets are', async () => {
    await using folder = await temporary();
    const path = folder.path;
    expect(await chooseIsolation('auto', { secretsPresent: false, path })).toEqual(none);
    expect(await chooseIsolation('none', { secretsPresent: true, path })).toEqual(none);
    for (const setting of ['auto', 'bubblewrap'] as const)
      await expect(chooseIsolation(setting, { secretsPresent: true, path })).rejects.toThrow(
        /bwrap\) is not installed\. Install bubblewrap .*ECHELON_ISOLATION=none/,
      );
    await expect(chooseIsolation('bubblewrap', { secretsPresent: false, path })).rejects.toThrow(
      IsolationMissing,
    );
  });

  test('a bubblewrap that is there but does not work counts as none, with its own words', async () => {
    await using folder = await temporary();
    await writeFile(
      join(folder.path, 'bwrap'),
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n',
    );
    await chmod(join(folder.path, 'bwrap'), 0o755);
    await expect(chooseIsolation('auto', { secretsPresent: true, path: folder.path })).rejects.toThrow(
      /trial run failed \(bwrap: No permissions to create new namespace\)/,
    );
  });

  test.skipIf(!bubblewrap)('one that works is used (skipped where a trial run of bwrap fails)', async () => {
    expect(await chooseIsolation('auto', { secretsPresent: true })).toEqual(bubblewrap);
  });
});

test('toolchains: neither a home folder nor a project is shown, nor the product', async () => {
  await using folder = await temporary();
  const project = join(folder.path, 'project');
  await mkdir(project);
  await writeFile(join(project, '.env'), 'token');
  const { binds } = findToolchains(
    `/:/root:/home:/tmp:${project}:${productRoot()}/src:/usr/bin:${folder.path}/none`,
  );
  expect(binds.map(bind => bind.to)).toEqual([]);
});

test('bounded output keeps whole characters at the cut', () => {
  const output = boundedOutput(10);
  for (const byte of Buffer.from('aüüüüüüüüüü'.repeat(20))) output.add(Buffer.from([byte]));
  expect(output.text()).not.toContain('\ufffd');
  expect(output.truncated).toBe(true);
  const exact = boundedOutput(8);
  exact.add(Buffer.from('12345678'));
  expect([exact.text(), exact.truncated]).toEqual(['12345678', false]);
});
