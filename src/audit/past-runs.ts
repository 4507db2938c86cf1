import type { PastRun } from '../model/run.ts';
import { subjectKey, subjectKinds, type Subject } from '../model/subject.ts';
import { mayHaveTakenEffect, type LoggedAction } from './logged-actions.ts';

/** Something that was done to a subject, here or by a colleague. */
export interface Past {
  run: string;
  verb: string;
  /** `node n1`. */
  subject: string;
  /** What of it, where that is finer; absent, also in lines of older consoles: all of it. */
  object?: string;
  /** UTC ms. */
  at: number;
  by: string;
  /** What speaks against the line, or for its being taken back, without a proof. */
  doubt?: string;
}

/** What took effect or may have, here and at colleagues': a run that both tell of is told with the outcome known here. */
export const pastRuns = (told: readonly LoggedAction[], shared: readonly Past[]): readonly PastRun[] => {
  const own = told.filter(mayHaveTakenEffect).map(({ run, detail, subject, intent, outcome }): PastRun => ({
    run,
    verb: detail.verb,
    subject,
    operator: intent.operator,
    at: Date.parse(intent.at),
    ...(outcome !== undefined && { outcome }),
  }));
  // A run of ours that came to nothing may still stand in the folder: here it is known better.
  const known = new Set(told.map((one) => `${one.run} ${subjectKey(one.subject)}`));
  const others = shared
    .filter(({ run, subject }) => !known.has(`${run} ${subject}`))
    .flatMap(({ run, verb, subject, by, at }): PastRun[] => {
      const about = subjectOf(subject);
      return about ? [{ run, verb, subject: about, operator: by, at }] : [];
    });
  return [...own, ...others];
};

/** `ost scratch-OST0007`, as `subjectKey` writes it. */
const subjectOf = (key: string): Subject | undefined => {
  const [, word, id] = /^(\S+) (.+)$/.exec(key) ?? [];
  const kind = subjectKinds.find((one) => one === word);
  return kind === undefined || id === undefined ? undefined : { kind, id };
};
