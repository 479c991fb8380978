// What a repository is about; of some of it the forge has nothing, and clients ask for it nevertheless.
import { connectionOf, page } from './connections.ts';

export const about = `
extend type Repository {
  repositoryTopics(${page}): RepositoryTopicConnection!
  primaryLanguage: Language
  languages(${page}): LanguageConnection
  watchers(${page}): UserConnection!
  diskUsage: Int
  licenseInfo: License
  codeOfConduct: CodeOfConduct
  contactLinks: [RepositoryContactLink!]
  fundingLinks: [FundingLink!]!
  latestRelease: Release
  securityPolicyUrl: URI
  openGraphImageUrl: URI!
  usesCustomOpenGraphImage: Boolean!
  isBlankIssuesEnabled: Boolean!
  isSecurityPolicyEnabled: Boolean
  isUserConfigurationRepository: Boolean!
  viewerHasStarred: Boolean!
  viewerSubscription: SubscriptionState
  viewerDefaultCommitEmail: String
  viewerPossibleCommitEmails: [String!]
}
enum SubscriptionState { IGNORED SUBSCRIBED UNSUBSCRIBED }
type Topic implements Node { id: ID! name: String! }
type RepositoryTopic implements Node { id: ID! topic: Topic! url: URI! }
${connectionOf('RepositoryTopic')}
type Language implements Node { id: ID! name: String! color: String }
type LanguageEdge { cursor: String! node: Language! size: Int! }
type LanguageConnection {
  totalCount: Int!
  totalSize: Int!
  edges: [LanguageEdge]
  nodes: [Language]
  pageInfo: PageInfo!
}
type License implements Node { id: ID! key: String! name: String! nickname: String }
type CodeOfConduct implements Node { id: ID! key: String! name: String! url: URI }
type RepositoryContactLink { name: String! about: String! url: URI! }
enum FundingPlatform { GITHUB CUSTOM }
type FundingLink { platform: FundingPlatform! url: URI! }
type Release implements Node { id: ID! name: String tagName: String! url: URI! publishedAt: DateTime }
`;
