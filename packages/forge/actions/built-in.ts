// The actions that the forge does by itself, under the names of GitHub's own.
import type { BuiltInName } from './action-reference.ts';
import { closeAppToken, makeAppToken } from './built-in/create-github-app-token.ts';
import { restoreCache, saveCache } from './built-in/cache.ts';
import { checkout, removeCredentials } from './built-in/checkout.ts';
import { downloadArtifact } from './built-in/download-artifact.ts';
import { setupNode } from './built-in/setup-node.ts';
import { uploadArtifact } from './built-in/upload-artifact.ts';
import type { Step } from './step.ts';

export const builtIns: Record<BuiltInName, { work: Step['work']; post?: Step['work'] }> = {
  checkout: { work: checkout, post: removeCredentials },
  'upload-artifact': { work: uploadArtifact },
  'download-artifact': { work: downloadArtifact },
  'setup-node': { work: setupNode },
  'cache/restore': { work: restoreCache },
  'cache/save': { work: saveCache },
  'create-github-app-token': { work: makeAppToken, post: closeAppToken },
};
