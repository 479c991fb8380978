// What a repository is about: its topics, languages, contributors and tags.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { branchHead } from '../changes/pulls.ts';
import { nodeId, now } from '../core.ts';
import { invalid } from '../errors.ts';
import { git } from '../git.ts';
import { languagesAt } from '../languages.ts';
import { pageOf } from '../page.ts';
import { userOfAddress } from '../render/commit.ts';
import { repositoryUrl } from '../render/repository.ts';
import { simpleUser } from '../render/user.ts';
import {
  type Answer,
  noContent,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { topicsOf } from '../store/repositories.ts';

const head = ({ core, repository }: RepositoryCall) =>
  branchHead(core, repository, repository.default_branch);

/** GitHub's limits (docs, Classifying your repository with topics). */
const mostTopics = 20;
const topic = /^[a-z\d][a-z\d-]{0,49}$/;

function setTopics(call: WriteCall): Answer {
  const { names } = parse(call, 'Repository', z.object({ names: z.array(z.string()) }));
  const topics = [...new Set(names.map(name => name.toLowerCase()))];
  if (topics.length > mostTopics)
    throw invalid('Repository', `A repository cannot have more than ${mostTopics} topics.`, 'topics');
  if (topics.some(name => !topic.test(name)))
    throw invalid(
      'Repository',
      'Topics must start with a letter or number, consist of 50 characters or less, and can include hyphens.',
      'topics',
    );
  const { core, repository } = call;
  core.db.update('repositories', repository.id, { topics: JSON.stringify(topics), updated_at: now(core) });
  return ok({ names: topics });
}

async function languages(call: RepositoryCall): Promise<Answer> {
  const sha = head(call);
  return ok(sha === undefined ? {} : await languagesAt(call.folder, sha));
}

interface Contributor {
  /** GitHub shows those without an account on demand alone. */
  anonymous: boolean;
  json: { contributions: number };
}

/** Who wrote the commits of the default branch, the most first. */
async function contributors(call: RepositoryCall): Promise<Answer> {
  const sha = head(call);
  if (sha === undefined) return noContent();
  const authors = await git(call.folder, ['log', '--format=%ae%x00%an', sha, '--']);
  const found = new Map<string, Contributor>();
  for (const author of authors.split('\n')) {
    const [email = '', name = ''] = author.split('\0');
    const user = userOfAddress(call.core, email);
    const key = user ? `user ${user.id}` : `address ${email}`;
    const seen = found.get(key) ?? {
      anonymous: user === undefined,
      json: {
        ...(user ? simpleUser(call.core, user) : { type: 'Anonymous', email, name }),
        contributions: 0,
      },
    };
    seen.json.contributions += 1;
    found.set(key, seen);
  }
  const anonymous = /^(1|true)$/.test(call.query.get('anon') ?? '');
  const shown = [...found.values()].filter(each => anonymous || !each.anonymous).map(({ json }) => json);
  return pageOf(
    call,
    shown.sort((a, b) => b.contributions - a.contributions),
  );
}

async function tags(call: RepositoryCall): Promise<Answer> {
  const format = '%(refname:lstrip=2)%00%(objecttype) %(objectname)%00%(*objecttype) %(*objectname)';
  const args = ['for-each-ref', '--sort=-refname', `--format=${format}`, 'refs/tags'];
  const url = repositoryUrl(call.core, call.repository);
  const found = (await git(call.folder, args)).split('\n').flatMap(line => {
    const [name = '', ...objects] = line.split('\0');
    const sha = /\bcommit (\w+)/.exec(objects.join(' '))?.[1];
    if (sha === undefined) return [];
    const ref = `refs/tags/${encodeURIComponent(name).replaceAll('%2F', '/')}`;
    return {
      name,
      zipball_url: `${url}/zipball/${ref}`,
      tarball_url: `${url}/tarball/${ref}`,
      commit: { sha, url: `${url}/commits/${sha}` },
      node_id: nodeId('REF', call.repository.id, `refs/tags/${name}`),
    };
  });
  return pageOf(call, found);
}

const admin: Need = { role: 'admin', scopes: ['administration:write'] };
const metadata = ['metadata:read'];

export const aboutRoutes: Route[] = [
  read('/topics', metadata, ({ repository }) => ok({ names: topicsOf(repository) })),
  write('PUT', '/topics', admin, setTopics),
  read('/languages', metadata, languages),
  read('/contributors', metadata, contributors),
  read('/tags', ['contents:read'], tags),
];
