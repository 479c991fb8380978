// What a repository is about, as GraphQL shows it.
import { signatureOf } from '../changes/merge.ts';
import { branchHead } from '../changes/pulls.ts';
import { type Core, nodeId } from '../core.ts';
import { repositoryFolder } from '../git.ts';
import { languagesAt } from '../languages.ts';
import { simpleUser } from '../render/user.ts';
import { type Repository, topicsOf } from '../store/repositories.ts';
import { getUser } from '../store/users.ts';
import type { Asked } from './asked.ts';
import { listed, listOf, type Window } from './connection.ts';

export function aboutFields(core: Core, repository: Repository) {
  const languages = async (asked: Asked) => {
    asked.mayRead(repository, ['contents:read']);
    const head = branchHead(core, repository, repository.default_branch);
    const bytes = head === undefined ? {} : await languagesAt(repositoryFolder(core, repository), head);
    return Object.entries(bytes).map(([name, size]) => ({
      node: { id: nodeId('LANG', name), name, color: null },
      size,
    }));
  };
  const email = (_: unknown, { viewer }: Asked) =>
    viewer === undefined ? null : signatureOf(core, getUser(core, viewer)).email;
  return {
    repositoryTopics: listed('repositoryTopics', () =>
      topicsOf(repository).map(name => ({
        id: nodeId('RT', repository.id, name),
        topic: { id: nodeId('TO', name), name },
        url: `${core.site}/topics/${name}`,
      })),
    ),
    primaryLanguage: async (_: unknown, asked: Asked) => (await languages(asked))[0]?.node ?? null,
    async languages(window: Window, asked: Asked) {
      const all = await languages(asked);
      const list = listOf('languages', window, all);
      return {
        ...list,
        totalSize: all.reduce((sum, { size }) => sum + size, 0),
        nodes: async () => (await list.nodes()).map(({ node }) => node),
        edges: async () =>
          (await list.edges()).map(({ cursor, node: { node, size } }) => ({ cursor, node, size })),
      };
    },
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
