// The search of issues and pull requests.
import { invalidField } from '../errors.ts';
import { page } from '../page.ts';
import { issueJson } from '../render/issue.ts';
import { type Route, route } from '../route.ts';
import { parseSearch } from '../search.ts';
import { countIssues, findIssues, issueOrder } from '../store/issue-conditions.ts';
import { getRepository } from '../store/repositories.ts';

export const searchRoutes: Route[] = [
  route('GET', '/search/issues', call => {
    const { core, identity, query } = call;
    const text = query.get('q') ?? '';
    if (text.trim() === '') throw invalidField('Search', 'q', 'missing');
    const { wanted, order } = parseSearch(core, identity, text);
    const asked = query.get('sort') ? issueOrder(query.get('sort'), query.get('order')) : order;
    const total_count = countIssues(core, wanted);
    return page(
      call,
      total_count,
      (limit, offset) =>
        findIssues(core, wanted, asked, limit, offset).map(issue => ({
          ...issueJson(core, getRepository(core, issue.repository_id), issue),
          // GitHub's description of what a search finds knows no body that is null.
          body: issue.body ?? '',
          score: 1,
        })),
      items => ({ total_count, incomplete_results: false, search_type: 'lexical', items }),
    );
  }),
];
