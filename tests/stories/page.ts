// An issue's page as a person reads it from top to bottom, as one Markdown file a story.
import { alike, type Dialogue } from '../dialogue/fixture.ts';

export interface Said {
  by: string;
  text: string;
}

const bot = 'echelon[bot]';

/** The issue's page: its author, then each comment with its author. */
export function page(title: string, said: readonly Said[]): string {
  const parts = said.map(({ by, text }) => `<!-- ${by} -->\n**${by}** wrote:\n\n${text.trim()}`);
  return `${[`# ${title}`, ...parts].join('\n\n---\n\n')}\n`;
}

/** The comments of a run that was played, each as it stands at the end. */
export async function pageOf(d: Dialogue, of = d.issue): Promise<string> {
  const issue = await d.call<{ title: string; body: string; user: { login: string } }>(
    'you',
    'GET',
    `/issues/${of}`,
  );
  const comments = await d.comments(of);
  return page(issue.title, [
    { by: issue.user.login, text: issue.body },
    ...comments.map(({ user, body }) => ({ by: user.login, text: seen(body) })),
  ]);
}

/** Without what nobody sees, and what differs from run to run. */
const seen = (text: string) => alike(text.replace(/<!-- echelon:record[\s\S]*?-->/g, ''));

export const says = (text: string): Said => ({ by: bot, text: seen(text) });
