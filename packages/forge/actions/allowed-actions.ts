// Checks what a workflow uses against the actions that its repository allows, and refuses in GitHub's words.
// https://docs.github.com/repositories/managing-your-repositorys-settings-and-features/enabling-features-for-your-repository/managing-github-actions-settings-for-a-repository
import type { Repository } from '../repositories/repository-rows.ts';
import type { LoadedWorkflow } from './loaded-workflow.ts';
import type { Place } from './planned-job.ts';
import { WorkflowError } from './written.ts';

interface Selected {
  github_owned_allowed: boolean;
  verified_allowed: boolean;
  patterns_allowed: string[];
}

interface Use {
  /** `owner/name/path@ref`. */
  text: string;
  at: Place;
}

/** Actions and reusable workflows, those of called workflows included: the caller's policy holds for all of them. */
function usesOf({ file, called, origin }: LoadedWorkflow): Use[] {
  const use = (text: string | undefined, at: Place): Use[] => {
    if (text === undefined || text.startsWith('.')) return [];
    return [
      { text: text.replace(/^\$/, origin.repository) + (text.startsWith('$') ? `@${origin.sha}` : ''), at },
    ];
  };
  return file.jobs.flatMap(({ id, work }) => {
    if (work.kind === 'steps') return work.steps.flatMap(step => use(step.uses, step.at));
    const inner = called.get(id);
    return [...use(work.uses.text, work.uses.at), ...(inner ? usesOf(inner) : [])];
  });
}

/** Throws WorkflowError where the repository does not allow one of them. No creator is verified on the forge. */
export function checkAllowed(repository: Repository, workflow: LoadedWorkflow): void {
  const { owner, name, allowed_actions, actions_pinned } = repository;
  const uses = usesOf(workflow);
  const refuse = (refused: Use[], rule: string) => {
    const [first] = refused;
    if (!first) return;
    const texts = [...new Set(refused.map(({ text }) => text))];
    const subject = `The action${texts.length > 1 ? 's' : ''} ${all.format(texts)} ${texts.length > 1 ? 'are' : 'is'}`;
    throw new WorkflowError([
      {
        at: first.at,
        message: `${subject} not allowed in ${owner}/${name} because all actions must be ${rule}.`,
      },
    ]);
  };
  if (actions_pinned === 1)
    refuse(
      uses.filter(({ text }) => !/@[\da-f]{40}$/.test(text)),
      'pinned to a full-length commit SHA',
    );
  if (allowed_actions === 'all') return;
  const none: Selected = { github_owned_allowed: false, verified_allowed: false, patterns_allowed: [] };
  const selected: Selected = allowed_actions === 'selected' ? JSON.parse(repository.selected_actions) : none;
  const { github_owned_allowed: byGitHub, verified_allowed: verified, patterns_allowed: patterns } = selected;
  const allowed = [`${owner}/*`, ...(byGitHub ? ['actions/*', 'github/*'] : []), ...patterns].map(matching);
  refuse(
    uses.filter(({ text }) => !allowed.some(pattern => pattern.test(text))),
    any.format([
      `from a repository owned by ${owner}`,
      ...(byGitHub ? ['created by GitHub'] : []),
      ...(verified ? ['verified in the GitHub Marketplace'] : []),
      ...(patterns.length > 0 ? [`match one of the patterns: ${patterns.join(', ')}`] : []),
    ]),
  );
}

const all = new Intl.ListFormat('en', { type: 'conjunction' });
const any = new Intl.ListFormat('en', { type: 'disjunction' });

/** `*` stands for any text. */
const matching = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    'i',
  );
