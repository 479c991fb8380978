// `npm run demo`: a whole run on this machine, told as it goes; the exit code says whether everything was delivered.
import { removeTree } from '@echelon/ground/workspace';
import { endRecording } from '../../engine/models.ts';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { isTesting, type RunView } from '../../app/views.ts';
import { askOnTerminal } from './ask-terminal.ts';
import type { Command } from './command.ts';
import { demoOptions, type DemoPlan, planDemo } from './demo-options.ts';
import { type DemoOutcome, outcomeOf, outcomeTable } from './demo-outcome.ts';
import { type ActPlace, type Part, perform, standsSo } from './demo-acts.ts';
import { openStage, type Stage } from './demo-stage.ts';
import { callerOn, person } from './own-repository.ts';
import type { Settings } from '../settings.ts';
import { liveView } from './live.ts';
import { type Timeline, timeline } from './timeline.ts';

export const demo: Command = {
  usage: 'npm run demo -- [options]      (or: echelon demo [options])',
  about: `Plays a whole run on this machine, without account or key: starts a local GitHub with the App in a temporary folder,
files an issue, approves the plan, and works it to draft pull requests. By default a script plays the models' part in
the sample repository's story.
Exit code 0: every issue has a draft pull request whose tests passed, and the story went as told; 1: otherwise;
2: wrong call.`,
  options: demoOptions,
  async run(given, settings) {
    const plan = await planDemo(given, settings, process.stdin.isTTY === true);
    return 'problems' in plan ? plan : await playAll(plan, settings);
  },
};

async function playAll(plan: DemoPlan, settings: Settings): Promise<number> {
  const folder = plan.keep ?? mkdtempSync(join(settings.temporary, 'echelon-demo-'));
  mkdirSync(folder, { recursive: true });
  // With --json only the object goes to stdout; people read the timeline on the other stream.
  const screen = plan.json ? process.stderr : process.stdout;
  const live =
    settings.live && screen.isTTY && !plan.json && !plan.debug ? liveView(process.stdout) : undefined;
  const write = (line: string) => (live ? live.line(line) : screen.write(`${line}\n`));
  const lines = timeline(write, { colour: settings.colour && !plan.json, all: plan.debug, live });
  let stage: Stage | undefined;
  let outcome: DemoOutcome;
  let asTold: boolean;
  const interrupted = new Promise<'interrupted'>(resolve => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve('interrupted'));
    // Nobody reads any more (`| head`): end as at Ctrl-C, with nothing left behind.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => resolve('interrupted'));
  });
  try {
    stage = await openStage(plan, folder, settings, lines);
    const began = Date.now();
    const played = await Promise.race([play(plan, stage, lines), interrupted]);
    if (played === 'interrupted') {
      live?.end();
      write('interrupted: the jobs are ended and the folder is removed');
      return 130;
    }
    outcome = await outcomeOf(stage, { owner: person, name: plan.name }, played, (Date.now() - began) / 1000);
    write(`\n${outcomeTable(outcome, { colour: settings.colour && !plan.json })}`);
    if (plan.keep) write(`\nkept in ${plan.keep}; npm start -- --data ${plan.keep} shows it as web pages`);
    asTold = played.asTold;
  } finally {
    lines.end();
    await stage?.close();
    if (stage && plan.model.record) await endRecording(plan.model.record);
    if (!plan.keep) await removeTree(folder);
  }
  if (plan.json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
  return asTold && delivered(outcome) ? 0 : 1;
}

interface Played {
  /** Of the first directive. */
  view: RunView | undefined;
  issue: number;
  /** Everything in the story went as it is told. */
  asTold: boolean;
}

/** Files and labels the directive, and has people do what the story tells. */
async function play(plan: DemoPlan, stage: Stage, lines: Timeline): Promise<Played> {
  const { forge } = stage;
  const call = callerOn(forge, person, { owner: person, name: plan.name });
  lines.say('forge', `${forge.url}/${person}/${plan.name}`);
  if (plan.model.provider === 'scripted')
    lines.say('model', `the scripted model plays ${plan.model.file}; no language model is asked`);
  let number = 0;
  const place: ActPlace = {
    call,
    say: text => lines.say(person, text),
    tell: text => lines.say('story', text),
    async file(title, body) {
      ({ number } = (await call('POST', '/issues', { title, body })) as { number: number });
      lines.say(person, `files #${number}, ${title}, and labels it echelon`);
      await call('POST', `/issues/${number}/labels`, { labels: ['echelon'] });
    },
    async comment(body) {
      lines.say(person, `comments: ${body}`);
      await call('POST', `/issues/${number}/comments`, { body });
    },
    settled: until => settle(plan, { stage, place, lines, number }, until),
  };
  await place.file(plan.title, plan.body);
  const issue = number;
  await place.settled();
  let problem: string | undefined;
  for (const act of plan.acts) {
    const view = await stage.view(number);
    problem = view ? await perform(act, view, place) : 'there is no run';
    if (problem !== undefined) break;
  }
  if (problem !== undefined) lines.say('story', `cannot go on: ${problem}`);
  return { view: await stage.view(issue), issue, asTold: problem === undefined };
}

interface Scene {
  stage: Stage;
  place: Pick<ActPlace, 'call' | 'comment'>;
  lines: Timeline;
  /** The directive. */
  number: number;
}

/** Decides what waits, and answers how the run stands when it goes no further, or as soon as it stands as in `until`. */
async function settle(
  plan: DemoPlan,
  { stage, place, lines, number }: Scene,
  until?: Part,
): Promise<RunView | undefined> {
  let decided: string | undefined;
  for (;;) {
    const next = stage.next();
    const idle = stage.idle().then(() => true);
    const isIdle = await (until ? Promise.race([idle, next.then(() => false)]) : idle);
    const view = await stage.view(number);
    if (until && standsSo(view, until)) return view;
    if (view?.status === 'waiting' && view.digest && view.digest !== decided) {
      decided = view.digest;
      await place.comment(plan.approve === 'ask' ? await lines.aside(() => ask(view, lines)) : '/approve');
      continue;
    }
    if (!isIdle) continue;
    if (!isWorking(view)) {
      if (!view) await explain(place.call, number, lines);
      else if (view.note && view.status !== 'completed') lines.say('run', view.note);
      else if (view.baseTests?.state === 'cannot_run')
        lines.say('tests', `cannot run: ${view.baseTests.why}`);
      return view;
    }
    await next;
  }
}

const isWorking = (view: RunView | undefined): boolean =>
  view !== undefined && (isTesting(view) || view.issues.some(issue => issue.state === 'running'));

/** Explains that no run began, by the bot's last comment. */
async function explain(
  call: (method: string, path: string) => Promise<unknown>,
  issue: number,
  lines: Timeline,
) {
  const comments = (await call('GET', `/issues/${issue}/comments`)) as { body: string }[];
  lines.say('run', comments.at(-1)?.body.replace(/<!--.*?-->/gs, '') ?? 'no run began; --debug shows more');
}

async function ask(view: RunView, lines: Timeline): Promise<string> {
  for (const action of view.pending) lines.say('approval', `${action.id}: ${action.title}`);
  const question = 'Approve? Enter or y approves, anything else rejects with that reason:';
  const answer = (await askOnTerminal(question, new AbortController().signal)).trim();
  return /^(y|yes)?$/i.test(answer) ? '/approve' : `/reject ${answer}`;
}

/** Every issue of the run ended with a draft pull request whose tests passed. */
const delivered = ({ run, issues, pulls }: DemoOutcome) =>
  run.status === 'completed' &&
  issues.length > 0 &&
  issues.every(issue => issue.pull !== null) &&
  pulls.every(pull => pull.tests?.exit_code === 0) &&
  // Drafts are for people to look at; in a story they have merged them.
  (issues.every(issue => issue.merged) || pulls.every(pull => pull.draft));
