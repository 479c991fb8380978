// Exports of git, checkouts, commands and their isolation to other packages.
export type { AllowedHosts } from './allowed-hosts.ts';
export { applyBundle } from './apply-bundle.ts';
export { borrowObjects } from './borrow.ts';
export { BranchElsewhere, PushRefused } from './branch-not-moved.ts';
export { placesInside } from './bubblewrap.ts';
export { bundleOf, dropBundlesBut, makeBundle, readBounded, readBundle } from './bundle.ts';
export { type Checkout, checkoutParts, createCheckout, inEmptyRoom, TreeTooLarge } from './checkout.ts';
export { type CommandResult, outcomeOf, type TimeLimit } from './command-end.ts';
export { runCommand, type ShellCommand } from './command.ts';
export { commitFolder, layOut } from './commit-folder.ts';
export { folderSource } from './folder-source.ts';
export { socketFolder } from './forward.ts';
export { gitCredentials, refuseCredentials } from './git-config.ts';
export { checkGit, git, GitError, type GitOptions } from './git.ts';
export { type IndexChange, rawChanges } from './git-listing.ts';
export { hasGround, openGround } from './grounds.ts';
export { bundleLimits, defaultProtectedPaths, isNamedToReviewers } from './index-changes.ts';
export {
  bubblewrapFault,
  chooseIsolation,
  findBubblewrap,
  type Isolation,
  IsolationMissing,
  isRestricted,
  restriction,
} from './isolation.ts';
export {
  appendTo,
  claimFolder,
  handUp,
  jobFiles,
  killJob,
  markOfJob,
  prepareFolder,
  processState,
  readIfThere,
  readSince,
  startProcess,
  writeWhole,
} from './job-process.ts';
export { type LaidOver, layOver } from './lay-over.ts';
export { type LineProcess, startLineProcess } from './line-process.ts';
export { InUse, lock } from './lock.ts';
export { mirrorSource } from './mirror-source.ts';
export { Mirror, openMirror } from './mirror.ts';
export { objectsIn } from './object-reader.ts';
export { pathFault } from './paths.ts';
export {
  type CommitRead,
  isOnBranch,
  readCommit,
} from './read-commit.ts';
export { maxFileBytes, readRegular } from './regular-file.ts';
export { clear, removeTree, sweep, temporaryFolder } from './remove-tree.ts';
export { cacheName, type IndexedFile, type RepositorySource } from './repository-index.ts';
export { restoreChanges } from './restore-changes.ts';
export { findToolchains } from './toolchains.ts';
export { unpack } from './unpack.ts';
