// What a repository is about, as GraphQL shows it.
import { signatureOf } from '../changes/merge.ts';
import type { Core } from '../core.ts';
import { simpleUser } from '../render/user.ts';
import type { Repository } from '../store/repositories.ts';
import { getUser } from '../store/users.ts';
import type { Asked } from './asked.ts';
import { listed } from './connection.ts';

export function aboutFields(core: Core, repository: Repository) {
  const email = (_: unknown, { viewer }: Asked) =>
    viewer === undefined ? null : signatureOf(core, getUser(core, viewer)).email;
  return {
    repositoryTopics: listed('repositoryTopics', () => []),
    primaryLanguage: null,
    languages: null,
    watchers: listed('watchers', () => []),
    diskUsage: null,
    licenseInfo: null,
    codeOfConduct: null,
    contactLinks: [],
    fundingLinks: [],
    latestRelease: null,
    securityPolicyUrl: null,
    openGraphImageUrl: () => simpleUser(core, getUser(core, repository.owner_id)).avatar_url,
    usesCustomOpenGraphImage: false,
    isBlankIssuesEnabled: true,
    isSecurityPolicyEnabled: false,
    isUserConfigurationRepository: false,
    viewerHasStarred: false,
    viewerSubscription: null,
    viewerDefaultCommitEmail: email,
    viewerPossibleCommitEmails: (_: unknown, asked: Asked) => [email(_, asked)].filter(each => each !== null),
  };
}
