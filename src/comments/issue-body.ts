// The body of a sub-issue: the plan's text, then where it comes from and what it waits for.
import { clip, neutral } from './neutral.ts';

export function issueBody({
  body,
  directive,
  dependsOn,
}: {
  body: string;
  directive: number;
  dependsOn: number[];
}) {
  const foot = [
    `Part of #${directive}.`,
    dependsOn.length ? `After ${dependsOn.map(number => `#${number}`).join(', ')}.` : '',
  ].filter(Boolean);
  return `${clip(neutral(body), 60_000)}\n\n<sub>${foot.join(' ')}</sub>`;
}
