import { age, clock } from '../src/text/ages.ts';
import { count } from '../src/text/units.ts';
import type { FailureKind } from '../src/model/reading.ts';
import type { PaneHead, SourceLine } from '../src/model/wire.ts';

/** How well a pane's figures are known: what its title says, and what stands in its body instead of "none". */
export interface PaneStatus {
  /** A whole probe that fails, in words: comes first in the title, in place of the age. */
  trouble?: string;
  /** `no answer from 4 of 11 hosts`, `asked less often: it is slow`: notes that leave the figures as they are. */
  notes: readonly string[];
  /** Of the readings that the table is made of. */
  age: string;
  /** Whole sentences, one per failing source, for the zoomed pane. */
  problems: readonly string[];
  /** Set when there is nothing to show yet or at all, and why. */
  instead?: string;
  /** Turns "no nodes out of service" into what may honestly be said. */
  drawEmpty(words: string): string;
}

const MOST_PROBLEMS = 3;

/** Empty, failed, stale and never asked are four different things (promise 1 of the design). */
export const paneStatus = (head: PaneHead, now: number): PaneStatus => {
  if (head.watchesAll) return { notes: [], age: '', problems: [], drawEmpty: (words) => words };
  const asked = head.sources.filter((source) => source.state !== 'notAsked');
  const failing = asked.filter(isFailing);
  const lost = lostSources(asked);
  const silent = asked.filter((source) => source.state === 'never');
  const known = asked.some((source) => source.goodAt !== undefined);
  const alike = [...Map.groupBy(failing, (source) => `${source.host} ${whatOf(source)}`).values()];
  const problems = alike.slice(0, MOST_PROBLEMS).map((sources) => problemOf(sources, now));
  const more = alike.slice(MOST_PROBLEMS).flat().length;
  if (more > 0) problems.push(`and ${count(more, 'more reading')}`);
  // One that was read before: the rows that are shown are its own.
  const first = lost.find(({ goodAt }) => goodAt !== undefined) ?? lost[0];
  const partly = unreadText(head, asked);
  const slow = head.sources.some(({ slowedToMs }) => slowedToMs !== undefined)
    ? 'asked less often: slow answers'
    : '';
  return {
    ...(first && { trouble: `${lost.length > 1 ? `${partly}: ` : ''}${problem(first, now)}` }),
    notes: [first ? '' : partly, slow].filter(Boolean),
    age: freshness(head, now),
    problems,
    ...(!known && { instead: nothingYet(head, failing, now) }),
    drawEmpty: (words) => {
      // What was never read has no "none" of before.
      if (first && first.goodAt === undefined) return `not known: ${problem(first, now)}`;
      if (first) return `not known: ${problem(first, now)}; when last read: ${words}`;
      if (partly !== '') return `${words} (${partly})`;
      return silent.length > 0 && !known ? `not known yet: waiting for ${hostsText(silent)}` : words;
    },
  };
};

/** What the host itself kept back: an answer that came and can't be used is another thing. */
const silences: ReadonlySet<FailureKind | undefined> = new Set([
  'connect',
  'timeout',
  'lost',
  'abandoned',
  'cancelled',
  undefined,
]);

/** `no answer from 4 of 11 hosts`, `2 of 30 readings failed`: hosts from which nothing comes, and what failed on the others. */
const unreadText = ({ hosts: known = 0 }: PaneHead, asked: readonly SourceLine[]): string => {
  const hosts = [...Map.groupBy(asked, ({ host }) => host).values()];
  const silent = hosts.filter((own) =>
    own.every((source) => isFailing(source) && silences.has(source.failure)),
  );
  const others = asked.filter(isFailing).length - silent.flat().length;
  return [
    ...(silent.length > 0
      ? [`no answer from ${silent.length} of ${count(Math.max(known, hosts.length), 'host')}`]
      : []),
    ...(others > 0 ? [`${others} of ${count(asked.length, 'reading')} failed`] : []),
  ].join(', ');
};

const isFailing = (source: SourceLine): boolean => source.state === 'failed' || source.state === 'stale';

/**
 * Sources of the probes that the table is made of (those asked most often) which no host answers. One host of many that
 * is gone, or a slow probe of hosts that are down anyway, does not make the table wrong: that is a note.
 */
const lostSources = (asked: readonly SourceLine[]): readonly SourceLine[] => {
  const probes = [...Map.groupBy(pickMostFrequent(asked), (source) => source.probe).values()];
  return probes.filter((sources) => sources.every(isFailing)).flat();
};

/** Sources with the shortest interval. */
export const pickMostFrequent = (sources: readonly SourceLine[]): readonly SourceLine[] => {
  const regular = sources.filter((source) => source.everyMs > 0);
  const least = Math.min(...regular.map((source) => source.everyMs));
  return regular.filter((source) => source.everyMs === least);
};

/** `ctl1: no answer to scontrol ping for 12 s, shown rows are from 02:38:51`. */
const problem = (source: SourceLine, now: number): string => problemOf([source], now);

/** The line has room for what failed, and must not lose from when the rows are: no detail, no next step. */
const whatOf = ({ message, said, host, probe, state }: SourceLine): string =>
  said ? `${host}: ${said.what}` : (message ?? `${host}: ${probe} is ${state}`);

/** Sources of a host that fail in the same words are one line, with the longest failure and the oldest rows. */
const problemOf = (sources: readonly SourceLine[], now: number): string => {
  const since = sources.flatMap(({ failingSince }) => failingSince ?? []);
  const good = sources.flatMap(({ goodAt }) => goodAt ?? []);
  const what = sources[0] ? whatOf(sources[0]) : '';
  const many = sources.length > 1 ? ` (${sources.length} readings)` : '';
  const lasting = since.length === 0 ? '' : ` for ${age(now - Math.min(...since))}`;
  const rows = good.length === 0 ? ', never read' : `, shown rows are from ${clock(Math.min(...good))}`;
  return `${what}${many}${lasting}${rows}`;
};

const nothingYet = ({ absent, sources }: PaneHead, failing: readonly SourceLine[], now: number): string => {
  if (absent) return 'no host of the site file has a role for it';
  const first = failing[0];
  if (first) {
    const lasting = first.failingSince === undefined ? '' : ` (for ${age(now - first.failingSince)})`;
    return `not known: ${first.message ?? `${first.host} does not answer`}${lasting}`;
  }
  const never = sources.filter((source) => source.state === 'never');
  if (never.length > 0) return `waiting for the first answer from ${hostsText(never)}`;
  const off = sources.find((source) => source.state === 'notAsked');
  if (off) return `not asked: ${off.message ?? 'read-only'}`;
  return 'waiting for the first answer';
};

const hostsText = (sources: readonly SourceLine[]): string => {
  const hosts = [...new Set(sources.map((source) => source.host))];
  return hosts.length > 2 ? `${hosts.slice(0, 2).join(', ')} and ${hosts.length - 2} more` : hosts.join(', ');
};

/** Age of the readings that are asked most often: those the table is made of. */
const primary = (head: PaneHead): readonly SourceLine[] =>
  pickMostFrequent(head.sources.filter((source) => source.goodAt !== undefined));

const freshness = (head: PaneHead, now: number): string => {
  if (head.absent) return '';
  const ages = primary(head).flatMap((source) => (source.goodAt === undefined ? [] : [now - source.goodAt]));
  return ages.length === 0 ? 'waiting' : age(Math.max(...ages));
};

/** `asked ctl1 4 s ago, next in 6 s`: the zoomed pane's form of the age. */
export const askedLine = (head: PaneHead, now: number): string => {
  const sources = primary(head);
  const first = sources.toSorted((a, b) => (a.goodAt ?? 0) - (b.goodAt ?? 0))[0];
  if (!first?.goodAt) return '';
  const names = new Set(sources.map((source) => source.host));
  const hosts = names.size > 1 ? count(names.size, 'host') : first.host;
  const next = first.nextAt === undefined ? '' : `, next in ${age(first.nextAt - now)}`;
  return `asked ${hosts} ${age(now - first.goodAt)} ago${next}`;
};

export const notUnderstoodText = (head: PaneHead): string =>
  head.notUnderstood > 0 ? `${count(head.notUnderstood, 'line')} not understood` : '';
