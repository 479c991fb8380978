// Errors that say why a branch of the server was not moved.

/** A rule or a hook of the server takes no such branch. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
  readonly branch: string;
  readonly reason: string;
  constructor(branch: string, reason: string) {
    super(`the server refuses ${branch}: ${reason}`);
    this.branch = branch;
    this.reason = reason;
  }
}

/** A branch was not where it was expected, so it was not moved. */
export class BranchElsewhere extends Error {
  constructor(branch: string, expected: string | null, found: string | null) {
    super(
      `branch ${branch} was expected ${expected ? `at ${expected}` : 'not to exist'} but ${found ? `is at ${found}` : 'does not exist'}; it was not moved. ` +
        'Someone else pushed to it or deleted it: rename or restore the branch, then try again.',
    );
  }
}
