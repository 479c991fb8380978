// The demo on a terminal of its own: what layers write is seen as it comes, below the lines that stay.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTerminals, onTerminal } from './on-terminal.ts';

const erases = '\u001b[J';

test.runIf(hasTerminals)(
  'a layer is seen writing until its line stands; Ctrl-C leaves nothing of it (skipped without script)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-terminal-'));
    const options = { env: { TMPDIR: folder }, columns: 100, interruptAt: 'Engineering lead' };
    const { all, code } = await onTerminal(folder, 'demo', options);
    expect(code).toBe(130);
    const before = all.slice(0, all.indexOf('replied ('));
    expect(before).toContain('calls read_file, about');
    // A busy machine shows fewer of its words.
    expect(before).toMatch(/## Plan|The directive holds|"action"/);
    // The scrollback has the lines, and nothing transient.
    const left = all.split('\n').filter(line => !line.includes('\u001b[22m'));
    expect(left.join('\n')).toMatch(/Strategist .*replied/);
    expect(left.join('\n')).not.toContain('## Plan');
    expect(all.slice(all.lastIndexOf(erases))).toContain('interrupted');
    expect(readdirSync(folder).filter(name => name.startsWith('echelon-'))).toEqual([]);
  },
);

test.runIf(hasTerminals).each<[what: string, args: string, env: Record<string, string>, isLive: boolean]>([
  ['with its errors elsewhere', 'demo 2>log', {}, true],
  ['without colour', 'demo', { NO_COLOR: '1' }, false],
])('what is seen on a terminal %s (skipped without script)', async (_what, args, env, isLive) => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-terminal-'));
  const options = { env: { TMPDIR: folder, ...env }, columns: 100, interruptAt: 'Engineering lead' };
  const { all } = await onTerminal(folder, args, options);
  expect(all.includes('calls read_file, about')).toBe(isLive);
  expect(all.includes(erases)).toBe(isLive);
});
