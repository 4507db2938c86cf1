import { memoPerJudgement } from '../../../src/kit/memo.ts';
import { worstSign } from '../../../src/kit/rows.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Severity, Sign, Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { reasonOf } from '../../../src/text/said.ts';
import { checkId, checksOf, kindOfCheck, type Check } from '../definitions.ts';
import type { CheckReading, State } from '../readings.ts';

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

/** Every check on every host, in the order of the site file. */
export const standings: (judgement: Judgement) => readonly Standing[] = memoPerJudgement(
  ({ site, readings }) =>
    [...checksOf(site).values()].flatMap((check) =>
      [...check.hosts].map((host) => standingOf(check, host, readings.source(check.probe, host))),
    ),
);

/** One check on one host; undefined where it is not asked. */
export const standingOn = (
  { site, readings }: Judgement,
  name: string,
  host: string,
): Standing | undefined => {
  const check = checksOf(site).get(name);
  return check?.hosts.has(host) ? standingOf(check, host, readings.source(check.probe, host)) : undefined;
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
