// The time line of a run: a lane for each who plans and each issue, with bars of what it did and what it waited for.
import { html } from 'hono/html';
import type { Html } from '../layout.ts';
import type { Bar, Doing, IssueRun, Lane, Try } from './issue-run.ts';
import { scaleOf, type Scale, WIDTH } from './scale.ts';

/** Height of a lane, and of the bars of a kind: where they stand in it, and what they mean. */
const HEIGHT = 24;
const rows: Record<Doing, { place: [top: number, height: number]; words: string }> = {
  waits: { place: [15, 3], words: 'waits' },
  works: { place: [5, 15], words: 'at work' },
  tests: { place: [13, 7], words: 'tests' },
  judges: { place: [13, 7], words: 'evaluation' },
  delivers: { place: [5, 15], words: 'delivery' },
};
/** Minimum width of a bar, so that short ones stay visible. */
const THIN = 2;
/** Above this number of bars, those of a lane that lie within others are merged and lose their labels. */
const MANY = 1000;
const inner: ReadonlySet<Doing> = new Set(['tests', 'judges', 'delivers']);

export function timeLine(repository: string, { lanes, until }: IssueRun): Html {
  const bars = lanes.flatMap(each => each.bars);
  const scale = scaleOf(bars, until);
  return html`<section><h2>Time line</h2>
<p class="legend">${Object.entries(rows).map(([doing, { place, words }]) => html`<span><svg class="swatch" viewBox="0 0 ${HEIGHT} ${HEIGHT}" width="16" height="16" aria-hidden="true"><path class="${doing}" d="${box(0, HEIGHT, place)}"/></svg> ${words}</span> `)}</p>
<div class="scroll" role="region" tabindex="0" aria-label="Time line"><table class="time-line">
<thead><tr><th scope="col">Who</th><th scope="col"><span class="unseen">When, in UTC</span>${axis(scale)}</th><th scope="col">State</th></tr></thead>
<tbody>${lanes.map(
    lane =>
      html`<tr${lane.issue === undefined ? '' : html` id="lane-${lane.issue}"`}><th scope="row">${nameOf(repository, lane)}<span class="quiet">${lane.title}</span></th><td>${strip(lane, scale, bars.length > MANY)}</td><td>${standing(lane)}${lane.pull === undefined ? '' : html` <a href="/${repository}/pull/${lane.pull}">#${lane.pull}</a>`}${lane.reason === '' ? '' : html`<span class="quiet">${lane.reason}</span>`}</td></tr>`,
  )}</tbody></table></div></section>`;
}

const nameOf = (repository: string, { name, issue }: Pick<Lane, 'name' | 'issue'>): Html =>
  issue === undefined ? html`${name} ` : html`<a href="/${repository}/issues/${issue}">${name}</a> `;

/** A state in words, in its colour. */
export const standing = ({ state, tone }: Pick<Lane, 'state' | 'tone'>): Html =>
  state === '' ? html`` : html`<span class="outcome tone-${tone}">${state}</span>`;

function strip({ name, state, bars }: Lane, scale: Scale, brief: boolean): Html {
  const paths = brief
    ? [...Map.groupBy(bars, ({ doing, says }) => (inner.has(doing) ? doing : `${doing} ${says}`)).values()]
    : bars.map(bar => [bar]);
  const words = `${name}${state === '' ? '' : `: ${state}`}`;
  // Bars are stretched to the width, words are not.
  return html`<svg class="lane" height="${HEIGHT}" role="img"><title>${words}</title><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${scale.cuts.map(
    ({ from, to }) => html`<path class="cut" d="${box(from, to - from, [0, HEIGHT])}"/>`,
  )}${paths.map(each => path(each, scale))}</svg></svg>`;
}

/** Bars of one kind, with their words for who points at them. */
function path(bars: readonly Bar[], { at }: Scale): Html {
  const [first] = bars;
  if (!first) return html``;
  const { doing, says } = first;
  const d = bars.map(({ from, to }) => {
    const left = Math.min(at(from), WIDTH - THIN);
    return box(left, Math.max(THIN, at(to) - left), rows[doing].place);
  });
  const words = bars.length === 1 || !inner.has(doing) ? html`<title>${says}</title>` : '';
  return html`<path class="${doing}" d="${d.join('')}">${words}</path>`;
}

const box = (left: number, width: number, [top, height]: readonly [number, number]): string =>
  `M${short(left)} ${top}h${short(width)}v${height}h-${short(width)}z`;

const part = (place: number) => `${short((place / WIDTH) * 100)}%`;

const short = (value: number) => String(Number(value.toFixed(1)));

/** Its words are not stretched: they stand in parts of the width. */
function axis({ ticks, cuts }: Scale): Html {
  return html`<svg class="axis" width="100%" height="${HEIGHT}" role="img"><title>Times in UTC</title>${ticks.map(
    ({ at, text }) =>
      html`<g class="tick"><line x1="${part(at)}" x2="${part(at)}" y1="14" y2="20"/><text x="${part(at)}" y="11">${text}</text></g>`,
  )}${cuts.map(({ from, to, ms }) => html`<g><title>${long(ms)} in which nothing was at work, cut short</title><text class="gap" x="${part((from + to) / 2)}" y="19">⋯ ${long(ms)}</text></g>`)}</svg>`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `3 days 2 h`. */
function long(ms: number): string {
  const s = ms / 1000;
  if (s < 10) return `${s.toFixed(1)} s`;
  if (s < 60) return `${Math.round(s)} s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(s % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The same as words: every try, with what it waited for, what its rounds came to, and where more of it is to be read. */
export function tryTable(repository: string, path: string, { lanes }: IssueRun): Html {
  if (lanes.every(({ tries }) => tries.length === 0)) return html``;
  return html`<section><h2>Turns and attempts</h2>
<div class="scroll" role="region" tabindex="0" aria-label="Turns and attempts"><table class="table">
<thead><tr><th scope="col">Who</th><th scope="col">What</th><th scope="col">Began</th><th scope="col">Waited before</th><th scope="col">Took</th><th scope="col">Rounds</th><th scope="col">Came to</th><th scope="col">Cost</th></tr></thead>
<tbody>${lanes.map(lane =>
    lane.tries.map(
      (each, index) =>
        html`<tr>${index > 0 ? '' : html`<th scope="rowgroup" rowspan="${lane.tries.length}">${nameOf(repository, lane)}</th>`}<td>${each.job === undefined ? each.what : html`<a href="${path}/${each.job}">${each.what}</a>`}</td><td>${timeOf(each.from)}</td><td>${waited(each)}</td><td>${each.to === undefined ? 'goes on' : long(each.to - each.from)}</td><td>${each.rounds.join('; ')}</td><td>${each.came}</td><td>${each.cost_usd === undefined ? '' : dollars(each.cost_usd)}</td></tr>`,
    ),
  )}</tbody></table></div></section>`;
}

const waited = ({ waited: ms, waitedFor }: Try) => (ms <= 0 ? '' : `${long(ms)}: ${waitedFor}`);

/** The time of its day, in UTC. */
export const timeOf = (ms: number) => new Date(ms).toISOString().slice(11, 19);

/** `$0.03`; amounts under a cent keep four places. */
const dollars = (usd: number) => `$${usd !== 0 && usd < 0.00995 ? usd.toFixed(4) : usd.toFixed(2)}`;
