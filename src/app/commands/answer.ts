// /answer Q1 text
import { type Misfit, type Row, wordsOf } from './command.ts';

export interface Answer {
  name: 'answer';
  /** `Q1`, `Q2` ... */
  question: string;
  text: string;
}

export const answer: Row<'answer', Answer> = {
  name: 'answer',
  usage: '/answer Q1 text',
  what: 'answers a question',
  who: 'write',
  example: '/answer Q1 yes, drop support for version 2',
  parse(rest): Answer | Misfit {
    const [first] = wordsOf(rest);
    if (!first) return { wrong: 'say which question, such as Q1, and the answer', at: 0 };
    const number = /^Q([1-9]\d{0,5}):?$/i.exec(first.word)?.[1];
    if (!number) return { wrong: 'not the number of a question, such as Q1', at: 0 };
    const text = rest.slice(first.word.length).trim();
    if (text === '') return { wrong: `the answer to Q${number} is missing`, at: rest.length };
    return { name: 'answer', question: `Q${number}`, text };
  },
};
