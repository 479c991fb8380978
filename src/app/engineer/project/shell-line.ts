// One line of a script that a project's file holds, read without a shell.

/** Characters of a line that is read. */
const MAX_LINE = 400;

/** Words, quoted texts and assignments before them: nothing that a shell would expand, redirect or connect. */
const plain = /^(?:[\w@%+=:,./~^[\]\s-]|'[^'\n]*'|"[^"$`\\\n]*")+$/;

/**
 * The commands of a script, one a line or joined by `&&`; undefined where any of them is more than words, or changes what
 * the others mean (`cd`, `export`).
 */
export function plainCommands(script: string): string[] | undefined {
  const lines = script
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n| && /)
    .map(line => line.trim().replace(/\s+/g, ' '))
    .filter(line => line !== '' && !line.startsWith('#'));
  const isRead = (line: string) =>
    line.length <= MAX_LINE && plain.test(line) && !/^(?:cd|export|source|set|if|for|while|\.) /.test(line);
  return lines.every(isRead) ? lines : undefined;
}

/** The words of a plain command, quotes included. */
export const wordsOf = (command: string): string[] => command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

/** A text as one word of a shell's command. */
export const quotedWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
