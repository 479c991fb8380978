// What people read where one issue's work went straight to the team lead (`layers: auto`).

/** Beside the plan that says so. */
export const goesOnStraight = 'the engineering lead is not asked';

/** Beside what the team lead listed, where it was more. */
export const tooManyForOne = 'withdrawn: it is more than one, so the engineering lead is asked first';

/** Above the actions of a listing. */
export const notAsked =
  "**The engineering lead was not asked** (`layers: auto`): the strategist finds one issue's work.";
