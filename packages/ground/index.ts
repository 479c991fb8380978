// Small tools and facts about the machine that other packages need at their start: what the environment says of the
// machine. It loads no library.
export { bodyReader, BodyRefused, type ReadBody } from './lib/body.ts';
export { type Clock, HOUR_MS, systemClock } from './lib/clock.ts';
export { type Deadline, deadline, race } from './lib/deadline.ts';
export { escapeMarkup } from './lib/escape-markup.ts';
export { type Effort, type Glob, readGlob } from './lib/glob-match.ts';
export { type Automaton, automatonOf, type Range } from './lib/glob.ts';
export { inPieces } from './lib/in-pieces.ts';
export {
  bracketEnd,
  colonsIn,
  keyAt,
  nestingOf,
  partsIn,
  type Repeated,
  repeatedKey,
} from './lib/json-scan.ts';
export { canonical, digest, isObject, type Json, type JsonObject, jsonOf } from './lib/json.ts';
export { type LineColumn, placesIn } from './lib/line-column.ts';
export { machine, type Transitions } from './lib/machine.ts';
export {
  closesFence,
  fenceAt,
  type FenceLine,
  inlineCode,
  type MarkdownLine,
  markdownLines,
  splitLines,
} from './lib/markdown.ts';
export { type Mask, masker, maskValue } from './lib/mask.ts';
export { codeOf, messageOf } from './lib/message.ts';
export { didYouMean, nearest, slipOf } from './lib/nearest.ts';
export { ownData } from './lib/own-data.ts';
export { present } from './lib/present.ts';
export { ofJobs, type SharedWait, sharedWait } from './lib/shared-wait.ts';
export { systemPath } from './lib/system-path.ts';
export { seen, shortened, visible, withoutColours } from './lib/visible-text.ts';
export { killRunningGroups } from './workspace/process-tree.ts';
export { type Reach, reachOf } from './workspace/reach.ts';
