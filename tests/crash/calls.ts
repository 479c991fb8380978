// Routes of the story's calls, and how often each effect is expected at least.

const repository = '/repos/{owner}/{repo}';

export const readIssue = `GET ${repository}/issues/{issue_number}`;
export const createIssue = `POST ${repository}/issues`;
export const addSubIssue = `POST ${repository}/issues/{issue_number}/sub_issues`;
export const createComment = `POST ${repository}/issues/{issue_number}/comments`;
export const editComment = `PATCH ${repository}/issues/comments/{comment_id}`;
export const react = `POST ${repository}/issues/comments/{comment_id}/reactions`;
export const createPull = `POST ${repository}/pulls`;
export const createCheck = `POST ${repository}/check-runs`;
export const graphql = 'POST /graphql';
export const createCommit = `POST ${repository}/git/commits`;
export const createRef = `POST ${repository}/git/refs`;
export const moveRef = `PATCH ${repository}/git/refs/{ref}`;

/** At least, of so many issues with their pull requests and checks: a run comment, a listing and the end; each reaction of a command. */
export const effectsOf = (issues: number): Readonly<Record<string, number>> => ({
  [createIssue]: issues,
  [addSubIssue]: issues,
  [createComment]: 3,
  [editComment]: 6 + issues,
  [react]: 2,
  [createPull]: issues,
  [createCheck]: issues,
  [createRef]: issues,
});
