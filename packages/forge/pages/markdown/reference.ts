// `#12` in a text is a link to that issue or pull request, with its title and state where they are known.
import type { StateInline } from 'markdown-it';
import type { Api } from '../api.ts';
import { type Standing, stateOf } from '../layout.ts';

export type Known = ReadonlyMap<number, { title: string; state: string }>;

/** More numbers than these of one page stay without titles. */
const mostNumbers = 50;

/** The issues and pull requests whose numbers occur in the texts. */
export async function issuesNamed(api: Api, repository: string, texts: readonly string[]): Promise<Known> {
  const numbers = new Set(
    texts.flatMap(text => [...text.matchAll(/#(\d{1,9})\b/g)].map(found => Number(found[1]))),
  );
  const known = await Promise.all(
    [...numbers].slice(0, mostNumbers).map(async number => {
      const path = `/repos/${repository}/issues/${number}`;
      const issue = await api.find<Standing & { title: string }>(path);
      return issue ? [[number, { title: issue.title, state: stateOf(issue) }] as const] : [];
    }),
  );
  return new Map(known.flat());
}

/** A rule of markdown-it. */
export function reference(state: StateInline, silent: boolean): boolean {
  const found = /^#(\d{1,9})(?!\w)/.exec(state.src.slice(state.pos, state.pos + 11));
  if (found === null || /[\w/&]/.test(state.src[state.pos - 1] ?? ' ') || state.linkLevel > 0) return false;
  if (!silent) {
    const { repository, known } = state.env;
    const issue = known instanceof Map ? known.get(Number(found[1])) : undefined;
    const link = state.push('link_open', 'a', 1);
    link.attrSet('href', `/${repository}/issues/${found[1]}`);
    if (issue) link.attrSet('title', `${issue.state}: ${issue.title}`);
    if (issue) link.attrSet('class', `issue-${issue.state}`);
    state.push('text', '', 0).content = found[0];
    state.push('link_close', 'a', -1);
  }
  state.pos += found[0].length;
  return true;
}
