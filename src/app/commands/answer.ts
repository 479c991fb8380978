// /answer Q1 text
import { z } from 'zod';
import { whyNoAnswer } from '../comments/question.ts';
import { runWaitsFirst } from '../comments/replies.ts';
import { changing, wordsOf } from './command.ts';

export const answer = changing({
  name: 'answer',
  usage: '/answer Q1 text',
  what: 'answers a question',
  who: 'write',
  example: '/answer Q1 yes, drop support for version 2',
  carries: {
    /** `Q1`, `Q2` ... */
    question: z.string(),
    text: z.string(),
  },
  anywhere: true,
  parse(rest) {
    const [first] = wordsOf(rest);
    if (!first) return { wrong: 'say which question, such as Q1, and the answer', at: 0 };
    const number = /^Q([1-9]\d{0,5}):?$/i.exec(first.word)?.[1];
    if (!number) return { wrong: 'not the number of a question, such as Q1', at: 0 };
    const text = rest.slice(first.word.length).trim();
    if (text === '') return { wrong: `the answer to Q${number} is missing`, at: rest.length };
    return { question: `Q${number}`, text };
  },
  notNow: (view, given, waitingFor) => whyNoAnswer(view, given()) ?? runWaitsFirst(waitingFor),
});
