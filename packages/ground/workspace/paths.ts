// Rules for the name of a path that a model or a patch gives: what may not be written, read or delivered.

/** Characters that HFS+ leaves out when it compares names, and others that a reader of a diff cannot see. */
const invisible =
  /\u00ad|\u034f|\u061c|[\u115f\u1160\u17b4\u17b5]|[\u180b-\u180f]|[\u200b-\u200f\u202a-\u202e\u2060-\u206f]|\u3164|[\ufe00-\ufe0f]|\ufeff|\uffa0|[\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/u;
const everyInvisible = new RegExp(invisible, 'gu');

/** Longest path and longest name of one file, in bytes, that Linux takes. */
const longestPath = 4095;
const longestName = 255;

/** The names that git gives a meaning, with the 8.3 short names that NTFS would make for them. */
const special = {
  '.git': /^(\.git|git~\d+|\.git~\d+)$/,
  '.gitmodules': /^(\.gitmodules|gitmod~\d+|gi7eba~\d+)$/,
  '.gitattributes': /^(\.gitattributes|gitatt~\d+|gi7d29~\d+)$/,
};

/** Reason for refusing `path`, as a clause after the path; undefined if it is allowed. */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path)) return 'contains a control character';
  if (!path.isWellFormed() || path.includes('\ufffd')) return 'is not valid UTF-8';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/')) return 'is absolute';
  if (/^[a-z]:/i.test(path)) return 'begins with a drive letter';
  if (Buffer.byteLength(path) > longestPath) return `is longer than ${longestPath} bytes`;
  for (const name of path.split('/')) {
    if (name === '') return 'has an empty part';
    if (name === '.') return 'has a part "."';
    if (name === '..') return 'has a part ".."';
    if (isNamed(name, '.git')) return 'has a part that is, or on some file systems is taken as, ".git"';
    if (invisible.test(name)) return 'contains an invisible character';
    if (Buffer.byteLength(name) > longestName) return `has a name longer than ${longestName} bytes`;
  }
  return undefined;
}

/** True if some file system would take the last part of `path` for the given file name. */
export function isNamed(path: string, name: keyof typeof special): boolean {
  return special[name].test(fold(path.slice(path.lastIndexOf('/') + 1)));
}

/**
 * A path as the least careful file system compares it: without invisible characters, streams (`name:stream`) and
 * trailing dots and spaces, lower case.
 */
export function fold(path: string): string {
  return path
    .replace(everyInvisible, '')
    .normalize('NFKC')
    .toLowerCase()
    .split('/')
    .map(name => name.replace(/(?<=.):.*$/s, '').replace(/(?<=[^.\s])[.\s]+$/, ''))
    .join('/');
}

/**
 * Reason for not delivering a symbolic link at `path` with this target. The target may climb first and then only
 * descend: git keeps a link's folders real, so the climb is exact, and no chain of such links leads out of the tree.
 */
export function linkFault(path: string, target: string): string | undefined {
  const say = (fault: string) => `is a symbolic link whose target ${fault}`;
  let climbs = 0;
  let rest = target;
  while (/^\.\.?(\/|$)/.test(rest)) {
    if (rest.startsWith('..')) climbs += 1;
    rest = rest.replace(/^\.\.?\/?/, '');
  }
  if (target === '') return say('is empty');
  if (climbs >= path.split('/').length) return say('lies outside the tree');
  const fault = rest === '' ? undefined : pathFault(rest.replace(/\/$/, ''));
  return fault && say(fault);
}
