// Zip files that no library writes: with names that lead out.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeZip } from '../packages/forge/runner/zip.ts';

/** Writes files under these names, a hostile one in the place of another of its length. Answers the SHA-256 of the zip. */
export async function writeHostileZip(
  path: string,
  files: readonly (readonly [name: string, text: string])[],
): Promise<string> {
  const named = files.map(([name, text], at) => {
    const isHostile = /^\/|\.\.|\\|\/$/.test(name);
    return { name, text, innocent: isHostile ? '~!@#'.charAt(at).repeat(name.length) : name };
  });
  await writeZip(
    path,
    named.map(({ innocent, text }) => ({ name: innocent, chunks: () => [Buffer.from(text)] })),
  );
  const text = named.reduce(
    (zip, { name, innocent }) => zip.replaceAll(innocent, name),
    readFileSync(path, 'latin1'),
  );
  const bytes = Buffer.from(text, 'latin1');
  writeFileSync(path, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}
