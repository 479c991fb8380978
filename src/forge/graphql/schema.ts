// The part of GitHub's GraphQL schema that the forge answers.
import { about } from './schema/about.ts';
import { accounts } from './schema/accounts.ts';
import { changeIssues } from './schema/change-issues.ts';
import { changePulls } from './schema/change-pulls.ts';
import { commits } from './schema/commits.ts';
import { issues } from './schema/issues.ts';
import { projects } from './schema/projects.ts';
import { pulls } from './schema/pulls.ts';
import { query } from './schema/query.ts';
import { repositories } from './schema/repositories.ts';

export const sdl = [
  ...[query, accounts, repositories, about, projects, issues, pulls, commits],
  ...[changeIssues, changePulls],
].join('');
