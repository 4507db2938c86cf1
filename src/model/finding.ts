import { makeAscii, type Safe } from '../text/safe.ts';
import type { Break, Lack } from './dependency.ts';
import type { Acked, Note } from './note.ts';
import { canBeTarget, type Severity, type Subject } from './subject.ts';
import type { Trend } from './view.ts';
import { wordsOf, type Words } from './words.ts';

/** A figure or word that somebody else than the reader of the screen goes by. */
export type EvidenceValue = string | number | boolean;

/** One line of proof: what was read, where and when. The text is for people: nothing decides by it. */
export interface Evidence<Text = Words> {
  /** `DRAIN since 02:14, reason "NHC: HDFS mount lost"`. */
  text: Text;
  /** What the line is about, where that is not just the finding's own subject: the members that are out, the emptiest OST. */
  about?: readonly Subject[];
  /** What it says, typed: `{timedOut: true}`. */
  values?: Readonly<Record<string, EvidenceValue>>;
  /** Names of what it was read from, as the answer has them: `pool.granted`. Only where the evidence opens hangs on them. */
  words?: readonly string[];
  probe?: string;
  host?: string;
  /** UTC ms of the reading. */
  at?: number;
}

/**
 * Where to look, and what is wrong there. `cause`: one word or two of the field, listed in docs/formats.md and in the systems' chapters:
 * `light-lost`, `mtu`, `not-read`.
 */
export interface Suspect {
  subject: Subject;
  cause: string;
  confidence: 'high' | 'medium' | 'low';
  /** `{lane: 3}`, `{here: 9216, there: 1500}`. */
  values?: Readonly<Record<string, EvidenceValue>>;
}

/** The kind of what is found where a part of a system could not be read. */
export const NOT_READ = 'not-read';

/** Who is hurt: nodes out of service, running jobs that wait or die, their users, clients that hang. Absent: not known. */
export interface Hurt {
  nodes?: number;
  jobs?: number;
  users?: readonly string[];
  clients?: number;
  /** The largest share, 0..1, of something that people ask for by name: a partition. */
  share?: { of: string; part: number };
}

export interface Remedy {
  action: string;
  subjects: readonly Subject[];
  /** Parameters already known (an OST, a port). */
  set?: Readonly<Record<string, string>>;
}

/** What a system says is wrong. `id` = `system:kind:key`, stable while the fault lasts. */
export interface Finding<Text = Words> {
  id: string;
  system: string;
  kind: string;
  severity: Severity;
  subject: Subject;
  /** The single subjects of a group. */
  members?: readonly Subject[];
  /** What it is about besides, as the other end of a link: can be acted on from here, too. */
  beside?: readonly Subject[];
  /** At most 100 columns: what and where first, cause second. */
  summary: Text;
  /** What to do, one sentence; shown in the detail. */
  advice?: Text;
  /** Where to look, the first first: of every finding whose fault may lie elsewhere than in its subject. The same as its texts say. */
  suspects?: readonly Suspect[];
  /** How much of what its subject carries is lost, 0..1: of findings that are else alike the greater loss goes first. */
  loss?: number;
  evidence: readonly Evidence<Text>[];
  /** What it takes from whatever depends on its subjects. */
  breaks?: readonly Break[];
  /** What it is the mark of the loss of: by this it is found below its cause. */
  lacks?: readonly Lack[];
  hurt: Hurt;
  /** Hosts whose work it hurts, where it is about something else (a link, an OST): the jobs that run on them are told. */
  hurtOn?: readonly string[];
  /** The course of what it goes by over the last hour. */
  trend?: Trend;
  remedies: readonly Remedy[];
  /** The site's own page on it, where what was asked brings one; the site file's runbooks go before it. */
  runbook?: string;
  /** UTC ms; when not known from the evidence, the moment this console first saw it. */
  since?: number;
  /** `since` is when it was first seen (by a test, a failed question, another program's look): it may have begun before. */
  sinceIs?: 'seen';
  /** A person did it, with a name or a reason: of findings that are as bad it goes behind those of what failed. */
  deliberate?: true;
  /** UTC ms; the system itself knows of planned work (a maintenance reservation): the finding becomes a notice. */
  plannedUntil?: number;
}

/** A finding and a line of proof as a system writes them, in texts: whoever reads them gets words. */
export type FindingDraft = Finding<string>;
export type EvidenceDraft = Evidence<string>;

/** After correlation, windows and the site file's runbooks. */
export interface RankedFinding<Text = Words> extends Omit<Finding<Text>, 'breaks' | 'lacks' | 'hurtOn'> {
  since: number;
  /** The id of the finding that is its cause, and why that is its cause, in words: `node78 hangs on breaker b7`. */
  explainedBy?: string;
  explainedWhy?: Text;
  /** How many findings this one is the cause of. */
  explains: number;
  /** The worst of what it explains, where that is worse than itself: folded away, it must not look milder than it is. */
  worst?: Severity;
  /** UTC ms of the reading it rests on, where that could not be read again since. */
  lastRead?: number;
  /** Somebody knows of it; it counts apart until it gets worse or the time is up. */
  acked?: Acked;
  /** Notes on its subject and, of a group, on its members; newest first. */
  notes?: readonly Note[];
  contact?: string;
}

/**
 * A finding as a system wrote it, made safe once, for all who read it: here its texts become words, and what it is about is named in
 * letters that look like no others.
 */
export const readDraft = ({
  summary,
  advice,
  evidence,
  subject,
  members,
  beside,
  remedies,
  ...data
}: Safe<FindingDraft>): Finding => ({
  ...data,
  subject: asciiSubject(subject),
  ...(members && { members: asciiSubjects(members) }),
  ...(beside && { beside: asciiSubjects(beside) }),
  summary: wordsOf(summary),
  ...(advice !== undefined && { advice: wordsOf(advice) }),
  evidence: evidence.map((line) => ({ ...line, text: wordsOf(line.text) })),
  remedies: remedies.every(({ subjects }) => subjects.every(({ id }) => canBeTarget(id)))
    ? remedies
    : remedies.flatMap(withoutOddTargets),
});

const isAscii = ({ id }: Subject): boolean => !/[^ -~]/.test(id);

const asciiSubject = (subject: Subject): Subject =>
  isAscii(subject) ? subject : { ...subject, id: makeAscii(subject.id) };

/** The same list where nothing had to be changed. */
const asciiSubjects = (subjects: readonly Subject[]): readonly Subject[] =>
  subjects.every(isAscii) ? subjects : subjects.map(asciiSubject);

/** A name that no action takes is not offered to one. */
const withoutOddTargets = (remedy: Remedy): Remedy[] => {
  const subjects = remedy.subjects.filter(({ id }) => canBeTarget(id));
  return subjects.length === 0 ? [] : [{ ...remedy, subjects }];
};
