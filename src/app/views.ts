// Views of runs, and the words and figures that they are shown by.
export { candidates, candidateTaken } from './comments/candidates.ts';
export { dollars, plural, seconds } from './comments/figures.ts';
export { type IssueView, isTesting, type LayerView, type RunView } from './comments/view.ts';
export { layerName } from './layers.ts';
