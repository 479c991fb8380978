import { expect, test } from 'vitest';
import { linkFault, pathFault } from '../../../packages/ground/workspace/paths.ts';

const hostile: [path: string, reason: RegExp][] = [
  ['', /is empty/],
  ['/etc/passwd', /is absolute/],
  ['//server/share', /is absolute/],
  ['../outside', /part "\.\."/],
  ['a/../../outside', /part "\.\."/],
  ['a/..', /part "\.\."/],
  ['./a', /part "\."/],
  ['a/./b', /part "\."/],
  ['a//b', /an empty part/],
  ['a/', /an empty part/],
  ['C:/x', /drive letter/],
  ['c:x', /drive letter/],
  ['a\\b', /backslash/],
  ['..\\x', /backslash/],
  ['a\0b', /control character/],
  ['a\nb', /control character/],
  ['a\u001b[2Jb', /control character/],
  ['a\u007f', /control character/],
  ['a\u0085b', /control character/],
  ['a\u2028b', /control character/],
  ['a\ud800', /not valid UTF-8/],
  ['a\ufffd', /not valid UTF-8/],
  ['.git', /taken as, "\.git"/],
  ['.git/config', /taken as, "\.git"/],
  ['a/.git/hooks/pre-commit', /taken as, "\.git"/],
  ['.GIT/config', /taken as, "\.git"/],
  ['.gIt', /taken as, "\.git"/],
  ['.git./config', /taken as, "\.git"/],
  ['.git.../config', /taken as, "\.git"/],
  ['.git /config', /taken as, "\.git"/],
  ['.git . ./config', /taken as, "\.git"/],
  ['git~1/config', /taken as, "\.git"/],
  ['GIT~2', /taken as, "\.git"/],
  ['.git~1', /taken as, "\.git"/],
  ['git~1 .', /taken as, "\.git"/],
  ['.git:stream', /taken as, "\.git"/],
  ['.git::$INDEX_ALLOCATION/config', /taken as, "\.git"/],
  ['.g\u200cit/config', /taken as, "\.git"/],
  ['\ufeff.git/config', /taken as, "\.git"/],
  ['.git\u200d', /taken as, "\.git"/],
  ['.gi\u206ft', /taken as, "\.git"/],
  ['.\u2060git', /taken as, "\.git"/],
  ['.\uff47\uff49\uff54/config', /taken as, "\.git"/],
  ['src/\u202egnp.exe', /invisible character/],
  ['src/a\u200b.ts', /invisible character/],
  ['a\u{e0041}', /invisible character/],
  ['a\u00adb', /invisible character/],
  ['x'.repeat(256), /a name longer than 255 bytes/],
  ['ü'.repeat(128), /a name longer than 255 bytes/],
  [`${'xyz/'.repeat(1100)}x`, /longer than 4095 bytes/],
  [`${'üüü/'.repeat(600)}x`, /longer than 4095 bytes/],
];

test.each(hostile)('%j is refused', (path, reason) => {
  expect(pathFault(path)).toMatch(reason);
});

test.each([
  'a',
  '.github/x',
  '.gitignore',
  'git',
  'a.git',
  '.gitkeep',
  'digit~1',
  'a b/ü.ts',
  '...',
  'ab:c',
  '.git-x',
  'x/日本',
])('%j is a fine name', path => expect(pathFault(path)).toBeUndefined());

const links: [path: string, target: string, reason: RegExp | undefined][] = [
  ['a', 'b', undefined],
  ['a/b', '../c', undefined],
  ['a/b/c', '../../d/e/', undefined],
  ['a', './b', undefined],
  ['a/b', '..', undefined],
  ['a', '', /target is empty/],
  ['a', '..', /outside the tree/],
  ['a', '../x', /outside the tree/],
  ['a/b', '../../x', /outside the tree/],
  ['a/b', './.././../x', /outside the tree/],
  ['a', '/etc/passwd', /is absolute/],
  ['a', 'b/../../x', /part "\.\."/],
  ['a/b/c', 'd/../e', /part "\.\."/],
  ['a', '.git/config', /"\.git"/],
  ['a/b', '../.GIT', /"\.git"/],
  ['a', 'x\\y', /backslash/],
  ['a', 'x\0', /control/],
  ['a/b', '..//etc', /is absolute/],
];

test.each(links)('a link at %j to %j', (path, target, reason) => {
  const fault = linkFault(path, target);
  if (reason) expect(fault).toMatch(reason);
  else expect(fault).toBeUndefined();
});
