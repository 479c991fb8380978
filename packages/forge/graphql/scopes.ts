// Which permission of an app lets it read what, as the routes of the REST API have it.
/** What a repository is like, whoever is let into it may read. */
export const repositoryScopes: string[] = [];
export const issueScopes = ['issues:read', 'pull_requests:read'];
export const pullScopes = ['pull_requests:read'];
