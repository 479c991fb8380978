// Models that a caller of the library opens, and what a recorded one is played from.
export { anthropicModel } from './models/anthropic.ts';
export { openaiModel } from './models/openai.ts';
export { recording } from './models/record.ts';
export { scriptedModel } from './models/scripted.ts';
