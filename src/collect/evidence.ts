import type { RawAnswer } from '../model/answer.ts';
import type { Source } from '../model/reading.ts';
import type { Subject } from '../model/subject.ts';
import type { EvidenceSource, Excerpt, RawEvidence } from '../model/evidence.ts';
import { decode } from '../text/bytes.ts';
import { expand } from '../text/nodeset.ts';
import { readableLines } from '../text/readable.ts';
import { makeSafeLines } from '../text/safe.ts';
import type { Collector } from './collector.ts';
import { askedHosts } from './on-site.ts';
import { cutLines, excerptOf, type Wanted } from './excerpt.ts';
import type { RawRecord } from './raw-answers.ts';

/** Characters of a text that is shown whole: more than a person reads, little enough to send at once. */
const MOST = 256 * 1024;

/** Subjects of a group that are looked for: the first say what the others are like. */
const MOST_SUBJECTS = 64;

/**
 * The raw answers behind these sources and what they became, each opened at the lines about `about`; `whole`: all lines, and earlier
 * answers, too. Texts keep their line breaks and nothing else that could move a cursor: they are made safe here, line by line.
 */
export const evidenceOf = (
  collector: Pick<Collector, 'store' | 'raws' | 'systems' | 'site'>,
  sources: readonly EvidenceSource[],
  whole = false,
): readonly RawEvidence[] =>
  sources.flatMap((wanted) => {
    const { probe, host } = wanted;
    const source = collector.store.source(probe, host);
    const records = recordsOf(collector, wanted);
    const look: Look = { wanted: wantedIn(collector, wanted, source), whole };
    const others = records.slice(1).map(({ at }) => at);
    return records.slice(0, whole ? undefined : 1).map((record, index) => ({
      ...answerOf(record, look),
      reading: index > 0 ? plainText('an earlier answer') : textOf(becameText(source), look),
      ...(index === 0 && others.length > 0 && { others }),
    }));
  });

/** The answers to a probe; of one that is given its readings, those of its giver. */
const recordsOf = (
  { raws, systems, site }: Pick<Collector, 'raws' | 'systems' | 'site'>,
  { probe, host }: EvidenceSource,
): readonly RawRecord[] => {
  const probes = systems.flatMap((system) => system.probes);
  const giver = probes.find(({ id }) => id === probe)?.givenBy;
  const asked = probes.find(({ id }) => id === giver);
  return asked
    ? askedHosts(asked, site).flatMap(({ name }) => raws.findRecords(asked.id, name))
    : raws.findRecords(probe, host);
};

interface Look {
  wanted: Wanted;
  whole: boolean;
}

const answerOf = (
  { probe, host, command, at, answer }: RawRecord,
  look: Look,
): Omit<RawEvidence, 'reading'> => ({
  probe,
  host,
  command: safeLines(command),
  at,
  durationMs: answer.durationMs,
  ended: safeLines(howItEnded(answer)),
  endedWell: hasEndedWell(answer),
  stdout: textOf(decode(answer.stdout), look),
  stderr: textOf(decode(answer.stderr), { ...look, whole: true }),
});

/** How the answer spells what it is asked for, and the values that findings about that rest on. */
const wantedIn = (
  { systems, site }: Pick<Collector, 'systems' | 'site'>,
  { probe: id, host, about = [], words }: EvidenceSource,
  source: Source | undefined,
): Wanted => {
  const subjects = about.flatMap(subjectsIn).slice(0, MOST_SUBJECTS);
  const probe = systems.flatMap(({ probes }) => probes).find((one) => one.id === id);
  // The port of another host may be called like one of this.
  const isElsewhere = ({ kind, id: name }: Subject): boolean => {
    const owner = name.includes(':') && kind !== 'pair' ? name.slice(0, name.indexOf(':')) : undefined;
    return owner !== undefined && owner !== host && site.host(owner) !== undefined;
  };
  const located = subjects
    .filter((subject) => !isElsewhere(subject))
    .map((subject) => probe?.locate?.(subject, source?.good?.value) ?? {});
  const names = subjects.flatMap((subject) =>
    isElsewhere(subject) ? [subject.id] : ownNames(subject, host),
  );
  const dropAlike = (texts: readonly string[]): string[] =>
    [...new Set(texts)].filter((text) => text.trim() !== '');
  return {
    names: dropAlike([...names, ...located.flatMap((one) => one.names ?? [])]),
    words: dropAlike(words ?? located.flatMap((one) => one.words ?? [])),
  };
};

/** The subjects of a folded set, one by one. */
const subjectsIn = ({ kind, id }: Subject): readonly Subject[] => {
  if (!id.includes('[')) return [{ kind, id }];
  try {
    return expand(id).map((name) => ({ kind, id: name }));
  } catch {
    return [{ kind, id }];
  }
};

/** The id; its part behind a host's name, of a pair both; none for a host's own answer: all of that is about it. */
const ownNames = ({ kind, id }: Subject, host: string): readonly string[] => {
  if (kind === 'site' || id === host) return [];
  const [before = '', ...rest] = id.split(':');
  if (rest.length === 0) return [id];
  const behind = rest.join(':');
  return kind === 'pair' ? [id, before, behind] : [id, behind];
};

const textOf = (text: string, { wanted, whole }: Look): Excerpt => {
  if (text === '') return { lines: 0, parts: [], marked: 'all' };
  const lines = readableLines(text);
  const sent = whole ? cutLines(lines, MOST) : lines;
  const made = excerptOf(sent, wanted, whole);
  const cut = lines.length > sent.length ? { cut: lines.slice(sent.length).join('\n').length } : {};
  return { ...made, lines: lines.length, parts: made.parts.map(safePart), ...cut };
};

const plainText = (text: string): Excerpt => textOf(text, { wanted: { names: [], words: [] }, whole: true });

const safePart = (part: Excerpt['parts'][number]): Excerpt['parts'][number] =>
  'folded' in part
    ? part
    : { ...part, lines: part.lines.map((line) => ({ ...line, text: safeLines(line.text) })) };

const safeLines = (text: string): string => makeSafeLines(text).join('\n');

const hasEndedWell = ({
  notConnected,
  cancelled,
  exitCode,
  timedOut,
  lost,
  truncated,
  signal,
}: RawAnswer): boolean =>
  exitCode === 0 && !(notConnected ?? signal) && !cancelled && !timedOut && !lost && !truncated;

const howItEnded = (answer: RawAnswer): string => {
  if (answer.notConnected) return `not connected: ${answer.notConnected.message}`;
  if (answer.cancelled) return 'cancelled';
  const code = answer.exitCode === undefined ? '' : `exit ${answer.exitCode}`;
  const how = [
    answer.timedOut && 'timed out',
    answer.lost && 'connection lost',
    answer.truncated && `truncated, ${answer.stdoutBytes} bytes came`,
    answer.signal !== undefined && `signal ${answer.signal}`,
    code,
  ];
  return how.filter((one) => typeof one === 'string' && one !== '').join(', ');
};

const becameText = (source: Source | undefined): string => {
  if (source?.failure) return `${source.failure.kind}: ${source.failure.message}`;
  if (!source?.good) return 'no reading yet';
  const { value, notUnderstood, sample } = source.good;
  const text = JSON.stringify(
    value,
    (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one),
    2,
  );
  return [
    ...(sample ? [`sampled by ${sample.by} at ${new Date(sample.at).toISOString()} by its clock`] : []),
    ...(notUnderstood > 0 ? [`${notUnderstood} lines not understood`] : []),
    text,
  ].join('\n');
};
