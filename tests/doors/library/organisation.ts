// Replies of a whole organisation to one small directive, for any wire format: it recognises the task by the words of
// its role, and goes through each role's conversation by the turns in the request.

export type Task = '2ic' | 'eng-lead' | 'team-lead' | 'engineer.director' | 'engineer.evaluator';

/** A part of a reply. */
export type Said = { type: 'text'; text: string } | { type: 'tool_use'; name: string; input: object };

/** Sentences that stand in the roles' instructions. */
const roles: Readonly<Record<Task, string>> = {
  '2ic': 'You are the strategist',
  'eng-lead': 'You are the engineering lead',
  'team-lead': 'You are the team lead',
  'engineer.director': 'You implement one issue in a checkout',
  'engineer.evaluator': 'You judge whether a change fulfils an issue',
};
const names = Object.keys(roles) as Task[];

export const taskIn = (text: string) => names.find(name => text.includes(roles[name]));

export const says = (...pieces: string[]): Said => ({ type: 'text', text: pieces.join('') });
export const calls = (name: string, input: object): Said => ({ type: 'tool_use', name, input });
const action = (value: object) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

/** Commands of the director: everything within reach that could hold a key. */
export const look =
  'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; cat ../job.json ../job.log ~/.* 2>/dev/null; true';

/** The reply to a task in whose conversation the model has spoken `turn` times. */
export const replies: Readonly<Record<Task, (turn: number) => Said[]>> = {
  '2ic': turn =>
    turn === 0
      ? [calls('read_file', { path: 'README.md' })]
      : [says('One note is wanted.\n\n', action({ action: 'update_plan', plan: 'Write the note.' }))],
  'eng-lead': () => [says('One file, `docs/note.md`; nothing else changes.')],
  'team-lead': () => [
    says(
      `One issue.\n\n${action({
        action: 'create_issues',
        issues: [
          { title: 'Write the note', body: 'Add `docs/note.md`.', domain: 'docs', paths: ['docs/**'] },
        ],
      })}\n\n${action({ action: 'schedule' })}`,
    ),
  ],
  'engineer.director': turn =>
    turn === 0
      ? [says('I look first.'), calls('read_file', { path: 'README.md' }), calls('shell', { command: look })]
      : turn === 1
        ? [calls('write_file', { path: 'docs/note.md', content: 'A note.\n' })]
        : [says('I wrote the note.')],
  'engineer.evaluator': () => [
    says(
      '<result status="COMPLETE"><content>Done as asked.</content><output name="success">true</output>',
      '<output name="feedback">The note is there.</output></result>',
    ),
  ],
};
