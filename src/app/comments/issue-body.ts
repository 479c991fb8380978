// The body of a sub-issue: the plan's text as it was listed, then where it comes from and what it waits for.

/** The number of the directive in the body of a sub-issue or of a pull request of ours. */
export function directiveIn(body: string): number | undefined {
  const found = [...body.matchAll(/<sub>part of #(\d{1,9})\b/gi)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

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
