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
export const push = 'POST /{owner}/{repo}.git/git-receive-pack';

/** Four issues, each with a pull request and its check; a run comment, a listing and the end; each reaction of a command. */
export const effects: Readonly<Record<string, number>> = {
  [createIssue]: 4,
  [addSubIssue]: 4,
  [createComment]: 3,
  [editComment]: 10,
  [react]: 2,
  [createPull]: 4,
  [createCheck]: 4,
  [push]: 4,
};
