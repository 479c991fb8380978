// The body of a sub-issue: the plan's text as it was listed, then where it comes from and what it waits for.

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
  return `${body}\n\n<sub>${foot.join(' ')}</sub>`;
}
