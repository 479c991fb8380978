// Parts that layers and jobs put together themselves: tools on a checkout, programs in the place of a model, cases.
export { type Cut, cutAnswer, CUTS, cutText, shortened } from './reasoning/shorten.ts';
export { Case, type CaseProblem } from './runtime/cases/case.ts';
export { type Around, boundTools, playCase, type PlayedCase, UNBOUNDED } from './runtime/cases/play-case.ts';
export { programEngine } from './runtime/engines/program-engine.ts';
export { changeTools, readTools } from './runtime/tools/change-tools.ts';
export { editTools, fileText, shellTool } from './runtime/tools/checkout-tools.ts';
export { isOfEvaluator } from './tasks/director-evaluator-round.ts';
export { mapBesideAid, mapLine } from './tasks/memory/map.ts';
export { withoutContext } from './tasks/prompt.ts';
export { pickBest, type Ranked } from './tasks/rank-candidates.ts';
export { together } from './tasks/together.ts';
