// Commit messages that keep push and pull_request workflows from starting.

const skips = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|\n\n\n(.*\n)*skip-checks: ?true\s*$/;

/**
 * Whether a commit message keeps workflows from starting.
 * https://docs.github.com/actions/how-tos/manage-workflow-runs/skip-workflow-runs
 */
export const skipsWorkflows = (message: string): boolean => skips.test(message);
