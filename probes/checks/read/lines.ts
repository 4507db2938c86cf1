import { firstLine } from '../../../src/kit/answers.ts';
import { MOST, states, worstState, type CheckReading, type State, type Value } from '../readings.ts';

/** What one line of an answer says. */
export interface SaidLine {
  state: State;
  text: string;
  /** As it stands among further lines. */
  more: string;
  values: readonly Value[];
}

export const isState = (value: unknown): value is State => states.some((state) => state === value);

const exitText = (exitCode: number | undefined, stderr: string): string => {
  const error = firstLine(stderr);
  return `exit ${exitCode ?? 'not known'}${error === '' ? '' : `: ${error}`}`;
};

/**
 * What all lines say together: the worst counts. A command that failed leaves it unknown, and so does `doubt`: why what was read is
 * not all that was said.
 */
export const readingOf = (
  said: readonly SaidLine[],
  { stderr, exitCode }: { stderr: string; exitCode?: number | undefined },
  doubt?: string,
): CheckReading => {
  const why = [
    ...(exitCode === 0 ? [] : [exitText(exitCode, stderr)]),
    ...(doubt === undefined ? [] : [doubt]),
  ];
  const state = worstState([
    ...said.map((line) => line.state),
    ...(why.length > 0 ? (['unknown'] as const) : []),
  ]);
  const worst =
    said.find((line) => line.state === state && line.text !== '') ?? said.find(({ text }) => text !== '');
  return {
    state,
    text: [...why, ...(worst ? [worst.text] : [])].join('; ').slice(0, MOST.text),
    more: said
      .filter((line) => line !== worst && line.text !== '')
      .slice(0, MOST.more)
      .map(({ more }) => more.slice(0, MOST.text)),
    values: said.flatMap(({ values }) => values).slice(0, MOST.values),
  };
};
