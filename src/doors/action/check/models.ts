// The part of `mode: check` with the model's key, in a job with the permissions of `advance`: models, prices, issues, dispatch.
import { messageOf, sharedWait, systemClock } from '@echelon/ground';
import { Config, configPath, modelTables, parseConfig } from '../../../app/config.ts';
import { caller, modelsFor, setUpOf, workflowRuns } from '../../../app/set-up.ts';
import { ModelFailure, openModel, rowOf } from '../../../engine/models.ts';
import { providersOf } from '../../../engine/models/provider-keys.ts';
import { type Finding, finding, missing, unknown, well } from '../../finding.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { chooseRunModel, missingSecret } from '../abilities.ts';
import type { RunPlace } from '../run-place.ts';
import { openPlace, tried } from './place.ts';

export async function checkModels(env: NodeJS.ProcessEnv): Promise<{ findings: Finding[]; record: string }> {
  const { place, client, record } = await openPlace(env);
  const settings = readSettings(env, { identity: true });
  const { owner, name: repo } = place.repository;
  const calls = caller(systemClock, sharedWait(systemClock));
  const text = await setUpOf(client, calls, { owner, repo }).file(configPath);
  const read = parseConfig(text === 'hidden' ? '' : (text ?? ''));
  const config = 'config' in read ? read.config : Config.parse({});
  const problems = 'problems' in read ? read.problems : [];
  const secret = missingSecret({ model: true, contents: false }, place.script, settings);
  const runs = workflowRuns(client, calls, {
    ...{ owner, repo, id: place.repository.id, path: place.workflow, clock: systemClock },
    defaultBranch: async () => place.defaultBranch,
  });
  const findings = [
    finding(
      'configuration',
      text === undefined ? 'none: all defaults' : 'read',
      problems.map(({ line, column, message }) => `${configPath}:${line}:${column} ${message}`)[0],
    ),
    finding('secrets', 'a key or an identity for models, and ECHELON_STATE_KEY, are there', secret),
    ...(await modelFindings(place, config, settings)),
    // Its value starts no job: this workflow run ends at once, without a runner.
    await tried('dispatch', 'this job may start the workflow', () => runs.dispatch({ check: 'dispatched' })),
    ...(await issueFindings(env, place, client)),
  ];
  return { findings, record: record() };
}

/** Tokens of a reply. OpenAI takes no less than 16; a model that thinks may spend them on that, which is a reply too. */
const MAX_REPLY = 64;
const TIMEOUT_MS = 60_000;

/** One call of a few tokens for each model that the configuration names. */
async function modelFindings({ script }: RunPlace, config: Config, settings: Settings): Promise<Finding[]> {
  const scripted = script !== undefined;
  const { rows } = modelTables(config);
  let names: string[];
  try {
    const providers = providersOf(settings.providers);
    names = [
      ...new Set(Object.values(modelsFor(scripted ? { scripted } : { scripted, providers }, config)).flat()),
    ];
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return [missing('models', error.message)];
  }
  if (scripted) return [unknown('models', 'a script is played: no model is called')];
  const { model } = await openModel(chooseRunModel(undefined, settings), { rows, played: [] });
  return await Promise.all(
    names.map(async name => {
      const began = systemClock.now();
      try {
        const { cost_usd } = await model.call({
          ...{ key: 'check', task: 'check', scope: 'check', model: name, tools: [] },
          system: { stable: 'Reply with the word OK.', changing: '' },
          messages: [{ role: 'user', content: [{ type: 'text', text: 'OK?' }] }],
          max_output_tokens: MAX_REPLY,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const took = ((systemClock.now() - began) / 1000).toFixed(1);
        const { price } = rowOf(name, rows);
        const prices = `$${price.input} in, $${price.output} out a million tokens`;
        return well(`model ${name}`, `replied in ${took} s for $${cost_usd.toFixed(5)}; ${prices}`);
      } catch (error) {
        return missing(`model ${name}`, messageOf(error));
      }
    }),
  );
}

/** A comment is written only when the person allowed it, on an issue that is made for it. */
async function issueFindings(
  env: NodeJS.ProcessEnv,
  { repository }: RunPlace,
  { request }: Awaited<ReturnType<typeof openPlace>>['client'],
): Promise<Finding[]> {
  const { owner, name: repo } = repository;
  const here = { owner, repo };
  const { data } = await request('GET /repos/{owner}/{repo}', here);
  const place = [
    finding(
      'issues',
      'switched on',
      data.has_issues ? undefined : 'switched off: Settings > General > Features',
    ),
    finding(
      'repository',
      'takes changes',
      data.archived ? 'it is archived: unarchive it in Settings' : undefined,
    ),
  ];
  if (env['INPUT_WRITE'] !== 'true') return [...place, unknown('comment', 'not tried without --write')];
  const comment = await tried('comment', 'an issue was made, commented on and closed', async () => {
    const title = 'Echelon check';
    const body =
      'Made by `echelon doctor --on-github --write`, to see that comments can be written. It is closed at once.';
    const made = await request('POST /repos/{owner}/{repo}/issues', { ...here, title, body });
    const on = { ...here, issue_number: made.data.number };
    await request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...on, body: 'It works.' });
    await request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', { ...on, state: 'closed' });
  });
  return [...place, comment];
}
