import type { Judgement } from '../model/system.ts';

/** Makes it once for each object, and keeps it as long as that object lives: of a reading, a site, a list of links. */
export const memoPer = <K extends object, V>(make: (of: K) => V): ((of: K) => V) => {
  const made = new WeakMap<K, { value: V }>();
  return (of) => {
    const known = made.get(of) ?? { value: make(of) };
    made.set(of, known);
    return known.value;
  };
};

/** A value and what it was made from; it is valid while each of these is the same. */
interface Made<V> {
  restsOn: readonly unknown[];
  value: V;
}

const isSame = (restsOn: readonly unknown[], known: Made<unknown>): boolean =>
  restsOn.length === known.restsOn.length &&
  restsOn.every((one, index) => Object.is(one, known.restsOn[index]));

/**
 * What is made of one subject (a link, an OST, a host) by a judgement: made again only when something that it rests on is another
 * than last time. `restsOn` names all of it: sources or readings, facts, settings, and of the time no more than a change of state.
 */
export const memoPerSubject = <S, V>(
  restsOn: (subject: S, judgement: Judgement) => readonly unknown[],
  make: (subject: S, judgement: Judgement) => V,
): ((subject: S, judgement: Judgement) => V) => {
  const ofSite = memoPer((_site: object) => new Map<S, Made<V>>());
  return (subject, judgement) => {
    const ofSubject = ofSite(judgement.site);
    const now = restsOn(subject, judgement);
    const known = ofSubject.get(subject);
    if (known && isSame(now, known)) return known.value;
    const value = make(subject, judgement);
    ofSubject.set(subject, { restsOn: now, value });
    return value;
  };
};

/** The same for a value of the whole site. Without `restsOn` it is made once for each judgement. */
export const memoPerJudgement = <V>(
  make: (judgement: Judgement) => V,
  restsOn?: (judgement: Judgement) => readonly unknown[],
): ((judgement: Judgement) => V) => {
  if (!restsOn) return memoPer(make);
  const ofSite = memoPerSubject(
    (_one: undefined, judgement) => restsOn(judgement),
    (_one: undefined, judgement) => make(judgement),
  );
  return (judgement) => ofSite(undefined, judgement);
};
