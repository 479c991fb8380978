// The stories that are played with crashes, by name: a process that plays one is told which.
import { reviewPlot } from './review-plot.ts';
import { samplePlot } from './story.ts';

export const plots = { sample: samplePlot, review: reviewPlot };
export type PlotName = keyof typeof plots;
