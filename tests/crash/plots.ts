// The stories that are played with crashes, by name: a process that plays one is told which.
import { directive, type Many, scriptOf } from '../bench/many.ts';
import { reviewPlot } from './review-plot.ts';
import { samplePlot } from './story.ts';

/** Two issues that a person approves and that are worked one after the other. */
export const smallMany: Many = { fates: ['once', 'once'], maxParallel: 1 };

export const plots = {
  sample: samplePlot,
  small: { directive, script: scriptOf(smallMany) },
  review: reviewPlot,
};
export type PlotName = keyof typeof plots;
