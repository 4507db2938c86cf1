import { memoPerJudgement } from '../../../src/kit/memo.ts';
import { worstSign } from '../../../src/kit/rows.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Severity, Sign, Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { reasonOf } from '../../../src/text/said.ts';
import { checkId, checksOf, kindOfCheck, type Check } from '../definitions.ts';
import type { CheckReading, State } from '../readings.ts';
import type { Where } from '../where.ts';

/** One check on one host, as it is known now. */
export interface Standing {
  check: Check;
  host: string;
  subject: Subject;
  source: Source<CheckReading> | undefined;
  /** `unknown` also where nothing is known of now: never read, failed since, or an OK of long ago. */
  state: State;
  /** What it said, or why nothing is known of it. */
  text: string;
  /** The reading, where it tells of now. */
  said?: CheckReading;
}

/** Why nothing is known of now; undefined where the reading tells of now. An alarm stands until the check is read again, an old OK does not. */
const whyUnknown = ({ good, failure, state }: Source<CheckReading>): string | undefined => {
  if (failure) return reasonOf(failure);
  if (!good) return 'not asked yet';
  return state === 'stale' && good.value.state === 'ok' ? 'OK, but read too long ago' : undefined;
};

const standingOf = (check: Check, host: string, source: Source<CheckReading> | undefined): Standing => {
  const subject = { kind: kindOfCheck, id: checkId(check.name, host) };
  const why = source ? whyUnknown(source) : 'not asked yet';
  const said = why === undefined ? source?.good?.value : undefined;
  return {
    check,
    host,
    subject,
    source,
    ...(said
      ? { state: said.state, text: said.text, said }
      : { state: 'unknown', text: why ?? 'not asked yet' }),
  };
};

/** Where a check is asked now. */
const whereOf = ({ places }: Check, { facts }: Pick<Judgement, 'facts'>): Where =>
  places.now?.(facts) ?? places;

/** Every check on every host, in the order of the site file. */
export const standings: (judgement: Judgement) => readonly Standing[] = memoPerJudgement((judgement) =>
  [...checksOf(judgement.site).values()].flatMap((check) => {
    const where = whereOf(check, judgement);
    if (!('hosts' in where)) return [];
    const { readings } = judgement;
    return [...where.hosts].map((host) => standingOf(check, host, readings.source(check.probe, host)));
  }),
);

/** Checks that are asked by groups which other systems tell of, on hosts on which they were asked. */
export const askedByGroup = ({ site, readings }: Judgement): readonly Standing[] =>
  [...checksOf(site).values()].flatMap((check) => {
    if (!check.places.now) return [];
    return [...check.places.hosts].flatMap((host) => {
      const source = readings.source<CheckReading>(check.probe, host);
      return source?.good || source?.failure ? [standingOf(check, host, source)] : [];
    });
  });

/** A check of which nobody knows where it is to be asked, or that is asked on no host. */
export interface Nowhere {
  check: Check;
  why: string;
  /** What may tell of it has neither answered nor failed yet. */
  isWaiting: boolean;
}

export const nowhere = (judgement: Judgement): readonly Nowhere[] =>
  [...checksOf(judgement.site).values()].flatMap((check): readonly Nowhere[] => {
    const where = whereOf(check, judgement);
    if ('hosts' in where)
      return where.hosts.size > 0
        ? []
        : [{ check, why: 'what "on" says stands for no host of the site file', isWaiting: false }];
    return [{ check, why: where.why, isWaiting: mayBeTold(judgement) }];
  });

/** Whether groups may still be told of: somebody who is asked for them has neither answered nor failed. */
const mayBeTold = ({ facts, readings }: Judgement): boolean =>
  (facts.askedBy?.('group') ?? []).some(({ probe, host }) => {
    const source = readings.source(probe, host);
    return !source?.good && !source?.failure && source?.state !== 'notAsked';
  });

/** One check on one host; undefined where it is not asked. */
export const standingOn = (judgement: Judgement, name: string, host: string): Standing | undefined => {
  const check = checksOf(judgement.site).get(name);
  return check && isAskedOn(check, host, judgement)
    ? standingOf(check, host, judgement.readings.source(check.probe, host))
    : undefined;
};

/** Whether it is known that a check is asked there. */
export const isAskedOn = (check: Check, host: string, judgement: Pick<Judgement, 'facts'>): boolean => {
  const where = whereOf(check, judgement);
  return 'hosts' in where && where.hosts.has(host);
};

const signs: Readonly<Record<State, Sign>> = {
  ok: 'fine',
  warning: 'warning',
  critical: 'critical',
  unknown: 'unknown',
};

export const signOf = (state: State): Sign => signs[state];

const order: readonly Severity[] = ['notice', 'warning', 'critical'];

/** How bad a state is at most by the site file; what is not known is a warning. */
export const severityOf = (state: State, most: Severity): Severity => {
  const wanted: Severity = state === 'critical' ? 'critical' : 'warning';
  return order[Math.min(order.indexOf(wanted), order.indexOf(most))] ?? 'warning';
};

/** The sign of several, as bad as the worst finding of theirs would be. */
export const signOfAll = (all: readonly Standing[]): Sign =>
  worstSign(
    all.map(({ state, check }) =>
      state === 'ok' || state === 'unknown' ? signOf(state) : severityOf(state, check.severity),
    ),
  );
