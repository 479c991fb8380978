// File or folder that a URL names, and URLs of files and folders.
import type { Context } from 'hono';
import { html } from 'hono/html';
import { type Api, Refusal, repositoryOf } from '../api.ts';
import type { Html } from '../layout.ts';

/** View of a file: its content, all files of a folder, its bytes alone, or its commits. */
export type View = 'tree' | 'blob' | 'raw' | 'commits';

export interface FilePlace {
  repository: string;
  /** A branch, a tag or the SHA of a commit. */
  ref: string;
  /** The commit on which a branch stands. */
  sha?: string | undefined;
  /** Empty for the top. */
  path: string;
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export const addressOf = (view: View, { repository, ref, path }: FilePlace): string =>
  `/${repository}/${view}/${encoded(ref)}${path === '' ? '' : `/${encoded(path)}`}`;

/** A link to a changed file as it is whole: before the change if it was removed. */
export const wholeFile = (
  { filename, status }: { filename: string; status: string },
  after: { repository: string; ref: string },
  before: string | undefined,
): Html => {
  const ref = status === 'removed' && before !== undefined ? before : after.ref;
  return html`<a href="${addressOf('blob', { ...after, ref, path: filename })}">View file</a>`;
};

/** For the addresses in a text that stands there. */
export const textAt = (place: FilePlace) => ({
  top: addressOf('blob', { ...place, path: '' }),
  path: place.path,
});

/** API path of the content. */
export const contentsOf = ({ repository, ref, path }: FilePlace): string =>
  `/repos/${repository}/contents/${encoded(path)}?ref=${encodeURIComponent(ref)}`;

/** Slashes in the name of a branch or tag that are looked for. */
const mostSlashes = 9;

interface Ref {
  object: { sha: string };
}

/** The place of an address `/{owner}/{repo}/{view}/{ref}/{path}`. Throws Refusal 404 where no ref is named so. */
export async function placeOf(api: Api, c: Context): Promise<FilePlace> {
  const repository = repositoryOf(c);
  const parts = new URL(c.req.url).pathname.split('/').slice(4).flatMap(decoded);
  // No branch is named like the folder of another one: at most one of these is there.
  const names = parts.slice(0, mostSlashes + 1).map((_part, at) => parts.slice(0, at + 1).join('/'));
  for (const kind of ['heads', 'tags']) {
    const found = await Promise.all(
      names.map(name => api.find<Ref>(`/repos/${repository}/git/ref/${kind}/${encoded(name)}`)),
    );
    const at = found.findIndex(ref => ref !== undefined);
    const ref = names[at];
    if (ref !== undefined) {
      const sha = kind === 'heads' ? found[at]?.object.sha : undefined;
      return { repository, ref, sha, path: parts.slice(at + 1).join('/') };
    }
  }
  const [first = '', ...path] = parts;
  if (!/^(HEAD|[\da-f]{4,40})$/.test(first))
    throw new Refusal(404, `${repository} has no branch of this name.`);
  const { items } = await api.page<{ sha: string }>(`/repos/${repository}/commits?sha=${first}`);
  return { repository, ref: first, sha: items[0]?.sha, path: path.join('/') };
}

function decoded(part: string): string[] {
  if (part === '') return [];
  try {
    const name = decodeURIComponent(part);
    if (!name.includes('\0')) return name.split('/').filter(Boolean);
  } catch {
    // Not an encoding of anything.
  }
  throw new Refusal(404, 'No file is named so.');
}

/** A name of a file as one can read it: what is invisible in it, or turns the direction of writing, is spelled out. */
export const readable = (name: string): string =>
  name.replace(
    /[\p{Cc}\p{Cf}]/gu,
    character => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
