import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { cut, width } from '../../../src/text/width.ts';
import { findingsOf } from '../../../src/kit/findings.ts';
import { dropUndefined } from '../../../src/kit/known.ts';

export const finding = findingsOf('lustre');

const parts = /^(.+)-((?:OST|MDT)([0-9a-f]{4,}))$/i;

/** `scratch` of `scratch-OST001e`; what is no target's name is given back. */
export const fsOf = (target: string): string => parts.exec(target)?.[1] ?? target;

/** `1e`: the hexadecimal index without the padding. */
export const shortIndex = (target: string): string =>
  (parts.exec(target)?.[3] ?? target).replace(/^0+(?=[0-9a-f]{2})/i, '');

export const isMdt = (target: string): boolean => parts.exec(target)?.[2]?.startsWith('M') ?? false;

/** 30 of `scratch-OST001e`. */
export const indexOf = (target: string): number => Number.parseInt(parts.exec(target)?.[3] ?? '', 16);

/** Columns of a summary. */
const limit = 100;

/** A summary of at most 100 columns: the set of targets is cut first, then the whole. */
export const summary = (set: string, rest: string): string =>
  cut(`${cut(set, Math.max(20, limit - width(rest)))}${rest}`, limit);

/** The set of these and the rest of a summary, with their number where the set would be cut. */
export const cutWithCount = (names: readonly string[], rest: string): [set: string, rest: string] => {
  const set = foldTargets(names);
  return width(set) + width(rest) <= limit ? [set, rest] : [set, ` (${names.length} in all)${rest}`];
};

/** Runs of hexadecimal indexes: `[0x1b, 0x1c, 0x23]` to `001b-001c,0023`, padded to four digits. */
export const foldHex = (indexes: readonly number[], digits = 4): string => {
  const hex = (value: number): string => value.toString(16).padStart(digits, '0');
  const runs: [number, number][] = [];
  for (const value of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === value - 1) last[1] = value;
    else runs.push([value, value]);
  }
  return runs.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join(',');
};

/** `scratch-OST[001b-0023]`; one target is itself. Several file systems follow one another. */
export const foldTargets = (names: readonly string[]): string => {
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const groups = new Map<string, number[]>();
  for (const name of names) {
    const [, head = name, hex = ''] = /^(.+-(?:OST|MDT))([0-9a-f]{4,})$/i.exec(name) ?? [];
    groups.set(head, [...(groups.get(head) ?? []), Number.parseInt(hex, 16)]);
  }
  return [...groups].map(([head, indexes]) => `${head}[${foldHex(indexes)}]`).join(' ');
};

export const ostSubject = (name: string): Subject => ({ kind: 'ost', id: name });

export const mdtSubject = (name: string): Subject => ({ kind: 'mdt', id: name });

export const targetSubject = (name: string): Subject => (isMdt(name) ? mdtSubject(name) : ostSubject(name));

/** A file system is acted on under its name. */
export const fsSubject = (name: string): Subject => ({ kind: 'volume', id: name });

/** The same as what its targets stand in: planned work may name it. No volume: another system may have one of that name. */
export const fsPlace = (name: string): Subject => ({ kind: 'place', id: name });

/** Subject and members of a group of OSTs. */
export const subjectsOf = (names: readonly string[]): Pick<FindingDraft, 'subject' | 'members'> => ({
  subject: ostSubject(foldTargets(names)),
  members: names.map(ostSubject),
});

/** Where to look first, with certainty: the fault is at these subjects. */
export const suspectsOf = (
  cause: string,
  subjects: readonly Subject[],
  confidence: 'high' | 'medium' = 'high',
): Pick<FindingDraft, 'suspects'> =>
  subjects.length === 0 ? {} : { suspects: subjects.map((subject) => ({ subject, cause, confidence })) };

export const hostSubject = (id: string): Subject => ({ kind: 'host', id });

/** `MDT0000`: without the file system. */
export const shortTarget = (target: string): string => target.slice(fsOf(target).length + 1);

/** A line of proof with where and when it was read. */
export const proof = (
  text: string,
  { readings }: Judgement,
  probe: string,
  host: string | undefined,
): EvidenceDraft => ({
  text,
  probe,
  ...dropUndefined({ host, at: host === undefined ? undefined : readings.source(probe, host)?.good?.at }),
});
