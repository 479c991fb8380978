// Names that the language itself binds: settings of the run, and what the rounds of a director-evaluator bind.

/** Settings of the run: bound everywhere, and the only names that may stand in a `<command>`. */
export const settingNames = ['test_command', 'rounds'] as const;

export const isSetting = (name: string): boolean => settingNames.some(each => each === name);

/** Bound for a director: the last evaluation; empty in the first round. Its fields: success, feedback. */
export const lastEvaluation = 'last_evaluator_output';

/**
 * Bound for script and evaluator of a director-evaluator: what the director said, and the change it made in the
 * checkout (empty where there is no checkout).
 */
export const roundNames = ['target_content', 'diff'] as const;

/** The text that an evaluator judges: the director's content, or what its `<input_source>` names. */
export const judgedName = 'target_content';

/** Bound for an evaluator whose director-evaluator has a script; empty when the script's command was empty. */
export const scriptNames = ['stdout', 'stderr', 'exit_code'] as const;

/** The same with what whoever ran the script tells of it besides; empty where that is nothing. */
export const ranNames = [...scriptNames, 'script_evidence'] as const;

const ofRounds: ReadonlySet<string> = new Set([lastEvaluation, ...roundNames, ...ranNames]);

/** True if the placeholder has another value in each round of a director-evaluator. */
export const changesByRound = (placeholder: string): boolean =>
  ofRounds.has(placeholder.split(/[.[]/, 1)[0] ?? '');

/** Bound for the inner task of a map: the element. */
export const elementName = 'item';

/** Bound for the inner task of a map: the place of the element, from 0. */
export const indexName = 'index';

/** Bound while a reduce folds: `data` for its inner task, the others for its reduction task. */
export const reduceNames = {
  data: 'current_data',
  result: 'current_result',
  accumulator: 'accumulator',
  original: 'original_input',
} as const;

/** Members that any error may have besides `code`, `message` and `violations`; empty if it has none. */
export const errorMembers = 'reason step resource used limit peak task path line column'.split(' ');

/** Bound for a task in `<on_failure>`: the error, and what had been finished before it. */
export const failureNames = { error: 'error', partial: 'partial_results' } as const;

/** Bound for what tells candidates apart: for the script each by itself, for the evaluator all. */
export const candidateNames = { one: 'candidate', all: 'candidates' } as const;

/** In a test: the result of the step before, with its outputs. */
export const previousOutput = 'output';

const own: ReadonlySet<string> = new Set([
  ...ofRounds,
  ...[elementName, indexName, previousOutput],
  ...Object.values(reduceNames),
  ...Object.values(candidateNames),
  failureNames.partial,
]);

/** True if the language binds the name somewhere. Nobody else should bind such a name. */
export const isOfLanguage = (name: string): boolean => own.has(name);
