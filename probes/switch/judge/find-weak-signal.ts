import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { samplesOf, sourcesOf } from '../ask/sources.ts';
import { farSubject, farEnd, linkAt } from '../links/link.ts';
import { linksOf } from '../links/links.ts';
import { platformOf } from '../platforms/index.ts';
import type { CountersReading, Port } from '../readings.ts';
import { nameOf } from '../verdict/case-of.ts';
import { suspect } from '../verdict/suspects.ts';
import { isNodeAway } from './find-fabric.ts';
import { cachedRates, type PortRates } from './rates.ts';
import { isBad } from './severity.ts';

const finding = findingsOf('switch');

/** What a port of a fabric counted in all intervals at hand. */
const risesOf = (rates: readonly PortRates[]): { symbols: number; recoveries: number; seconds: number } => {
  const sum = (of: (one: PortRates) => number): number =>
    Math.round(rates.reduce((all, one) => all + of(one), 0));
  return {
    symbols: sum(({ symbolErrors = 0, seconds }) => symbolErrors * seconds),
    recoveries: sum(({ recoveries = 0, seconds }) => recoveries * seconds),
    seconds: sum(({ seconds }) => seconds),
  };
};

/** Symbol errors an hour at a bit error rate of 1e-12, which the InfiniBand Architecture allows, on a link of 100 Gb/s. */
const symbolsAllowed = 360;

/** A link trains anew without going down only when it lost its signal: more than one an hour is no accident. */
const recoveriesAllowed = 1;

/** More than three standard deviations (Poisson) above what an hour may have: after a night without a reading a few are nothing. */
const isAbove = (seen: number, seconds: number, perHour: number): boolean => {
  const expected = (perHour * seconds) / 3600;
  return seen > expected + 3 * Math.sqrt(expected);
};

const isWeak = ({ symbols, recoveries, seconds }: ReturnType<typeof risesOf>): boolean =>
  (symbols >= 3 && isAbove(symbols, seconds, symbolsAllowed)) ||
  (recoveries >= (symbols > 0 ? 1 : 2) && isAbove(recoveries, seconds, recoveriesAllowed));

/** Links whose signal fails though no packet is damaged: with damaged ones the verdict tells it, with losses of the link its flapping. */
const weakLinks = (source: Source<CountersReading>, judgement: Judgement): FindingDraft[] => {
  const all = cachedRates(samplesOf(source));
  const links = linksOf(judgement.readings, judgement.site);
  const found = [...all].flatMap(([port, rates]) => {
    const id = `${source.host}:${port}`;
    const rises = risesOf(rates);
    const link = linkAt(links, id);
    const far = link && farEnd(link, id);
    const ends = [rates, all.get(far?.port ?? '') ?? []];
    if (!isWeak(rises) || ends.some((one) => isBad(one, judgement))) return [];
    // Whatever a link counts while it comes up is no fault.
    if (ends.flat().some(({ linkChanges = 0 }) => linkChanges > 0)) return [];
    if ([port, far?.port].some((one) => isNodeAway(one, judgement))) return [];
    return [{ id, end: { id, host: source.host, port }, far, key: link?.id ?? id, rises }];
  });
  const worst = found.toSorted((one, two) => two.rises.symbols - one.rises.symbols);
  const once = [...Map.groupBy(worst, ({ key }) => key).values()].flatMap(([first]) => first ?? []);
  return once.map(({ id, end, far, rises: { symbols, recoveries, seconds } }) => {
    const seen = [
      ...(symbols > 0 ? [count(symbols, 'symbol error')] : []),
      ...(recoveries > 0 ? [`retrained ${count(recoveries, 'time')}`] : []),
    ].join(', ');
    const subject = { kind: 'port', id } as const;
    return finding({
      kind: 'weak-signal',
      key: id,
      severity: 'warning',
      subject,
      ...(far && farSubject(far)),
      summary: `${nameOf(end)}${far ? ` from ${nameOf(far)}` : ''}: ${seen} in ${seconds} s, no packet damaged so far`,
      advice: 'Reseat and clean the cable at both ends, then swap it; then the port at the far end.',
      suspects: [suspect(id, 'cable', { symbols, recoveries }), ...(far ? [suspect(far.id, 'optic')] : [])],
      evidence: [evidenceFrom(source, `${nameOf(end)}: ${seen} in ${seconds} s`)],
      remedies: ['switch.shut', 'switch.note'].map((action) => ({ action, subjects: [subject] })),
    });
  });
};

/** Counters that tell of the cable, and at what they stick tells nothing of now. */
const tellingCounters = [
  'symbolErrorCounter',
  'linkErrorRecoveryCounter',
  'linkDownedCounter',
  'portRcvErrors',
  'localLinkIntegrityErrors',
];

const stuckIn = ({ saturated = [], counts }: Port): readonly string[] =>
  tellingCounters
    .filter((name) => saturated.includes(name))
    .map((name) => `${name} at least ${groupThousands(counts[name] ?? 0n)}`);

/** Error counters at their maximum: whether these links still fail can't be seen. */
const stuckCounters = (source: Source<CountersReading>): FindingDraft[] => {
  const { host, good } = source;
  const stuck = (good?.value.ports ?? []).flatMap((port) => {
    const what = stuckIn(port);
    return what.length === 0 ? [] : [{ port: port.port, what: what.join(', ') }];
  });
  const [first] = stuck;
  if (!first) return [];
  const more = stuck.length > 1 ? ` and ${count(stuck.length - 1, 'more port')}` : '';
  return [
    finding({
      kind: 'counters-stuck',
      key: host,
      severity: 'notice',
      subject: { kind: 'host', id: host },
      members: stuck.map(({ port }): Subject => ({ kind: 'port', id: `${host}:${port}` })),
      summary: `${host} ${first.port}${more}: ${first.what}: whether they rise is not known`,
      advice:
        'These counters stick at their maximum. Clear the counters (ibqueryerrors -k) unless another tool relies on them, and read again.',
      evidence: stuck
        .slice(0, 20)
        .map(({ port, what }) => evidenceFrom(source, `${host} ${port}: ${what}, its maximum`)),
    }),
  ];
};

/** What the error counters of InfiniBand fabrics show of links on which no packet is damaged. */
export const weakSignals = (judgement: Judgement): readonly FindingDraft[] =>
  sourcesOf(judgement.readings, 'counters')
    .filter(({ host }) => platformOf(judgement.site.host(host)?.platform)?.fabric !== undefined)
    .flatMap((source) => [...weakLinks(source, judgement), ...stuckCounters(source)]);
