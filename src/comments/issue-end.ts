// What a sub-issue is told when its work ends without a pull request.
import { clip, fenced, neutral } from './neutral.ts';

const heads = {
  failed: 'No attempt at this issue succeeded.',
  blocked: 'This issue is blocked.',
  skipped: 'This issue is left to a person.',
  cancelled: 'This issue is not worked on any more.',
} as const;

export function issueEndComment(end: keyof typeof heads, reason: string, logTail = ''): string {
  const parts = [heads[end], sentence(clip(neutral(reason), 8000))];
  if (logTail.trim())
    parts.push(
      `<details><summary>End of the log</summary>\n\n${clip(fenced(logTail), 10_000)}\n\n</details>`,
    );
  return parts.join('\n\n');
}

const sentence = (text: string) => {
  const trimmed = text.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?)]$/.test(first) ? first : `${first}.`;
};

/** Why an attempt is made again, for the board and for the next attempt. */
export function retryReason(kind: string, feedback: string): string {
  const what: Record<string, string> = {
    rejected: 'the evaluator did not accept the change',
    no_changes: 'the engineer changed nothing',
    time: 'the hard time limit has passed',
    budget: "its share of the run's limit is used up",
    quota: "the model's provider wants money: see to the account's credit",
  };
  const head = what[kind] ?? `the attempt failed (${kind})`;
  return feedback.trim() ? `${head}: ${feedback.trim().slice(0, 4000)}` : head;
}
