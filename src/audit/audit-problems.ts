export interface AuditProblem {
  /** Line number from 1; 0: the log as a whole, its head, or its place. */
  line: number;
  text: string;
  /** So many other lines it stands for. */
  others?: number;
}

/** `line 3 was changed after it was written`. */
export const problemText = ({ line, text }: AuditProblem): string =>
  line === 0 ? text : `line ${line} ${text}`;

/** In how many places a log is damaged. */
export const countProblems = (problems: readonly AuditProblem[]): number =>
  problems.reduce((sum, { others = 0 }) => sum + 1 + others, 0);

/** So many lines are told one by one. */
const MOST_TOLD = 100;

/** What is wrong with a log line by line. A disk that went bad leaves hundreds of thousands: beyond the first hundred they are one. */
export class LineProblems {
  readonly #told: AuditProblem[];
  #rest: { first: AuditProblem; last: number; count: number } | undefined;

  constructor(before: readonly AuditProblem[]) {
    this.#told = [...before];
  }

  /** Nobody will read what is wrong with one more. */
  get areMany(): boolean {
    return this.#told.length >= MOST_TOLD;
  }

  add(problem: AuditProblem): void {
    if (!this.areMany) this.#told.push(problem);
    else if (this.#rest) Object.assign(this.#rest, { last: problem.line, count: this.#rest.count + 1 });
    else this.#rest = { first: problem, last: problem.line, count: 1 };
  }

  all(): AuditProblem[] {
    if (this.#rest === undefined) return [...this.#told];
    const { first, last, count } = this.#rest;
    const text = `is the first of ${count} more that are wrong; the last is line ${last}`;
    return [...this.#told, count === 1 ? first : { line: first.line, text, others: count - 1 }];
  }
}
