import { arrayParts, type ArrayPart, type Fact } from '../../../src/model/fact.ts';
import type { EvidenceDraft } from '../../../src/model/finding.ts';
import type { Note } from '../../../src/model/note.ts';
import type { Severity, Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { settingsOf } from '../settings.ts';

/** What a check of the site, or a person, says of a part of an array that nothing here can read. */
export interface Told {
  array: string;
  part: ArrayPart;
  /** `unknown`: it was not read just now, or was noted as fine too long ago. */
  state: 'ok' | 'warning' | 'critical' | 'unknown';
  severity: Severity;
  /** `by check ddn-cache on mgmt1`, `noted by anna at 02:41` */
  by: string;
  text: string;
  /** What it is called in ids. */
  key: string;
  evidence: EvidenceDraft;
  /** The check whose words they are. */
  check?: Subject;
}

type PartFact = Extract<Fact, { name: 'array.part' }>;

const order: readonly Severity[] = ['notice', 'warning', 'critical'];
const atMost = (severity: Severity, most: Severity): Severity =>
  order[Math.min(order.indexOf(severity), order.indexOf(most))] ?? 'warning';

const byCheck = ({ subject, value }: PartFact): Told => {
  const { array, part, state, most, by, text, probe, host, at } = value;
  return {
    array,
    part,
    state: at === undefined ? 'unknown' : state,
    severity: atMost(state === 'critical' ? 'critical' : 'warning', most),
    by: `by ${by}`,
    text,
    key: `${array}:${part}:${subject.id}`,
    evidence: { text: `${part}, by ${by}: ${text}`, probe, host, ...(at !== undefined && { at }) },
    check: subject,
  };
};

/** How a reading is noted on an array: `cache off`, `battery near its end`, `pool degraded`, and what else one wants to say behind. */
const forms: readonly (readonly [form: RegExp, part: ArrayPart, state: 'ok' | 'warning' | 'critical'])[] = [
  [/^cache:? (?:is )?(?:off|write[- ]?through)\b/i, 'cache', 'warning'],
  [/^cache:? (?:is )?(?:on|ok|write[- ]?back)\b/i, 'cache', 'ok'],
  [/^battery:? (?:is )?(?:bad|failed|missing)\b/i, 'battery', 'critical'],
  [/^battery:? (?:is )?(?:near its end|old)\b/i, 'battery', 'warning'],
  [/^battery:? (?:is )?(?:good|ok|replaced)\b/i, 'battery', 'ok'],
  [/^pools?:? (?:is |are )?(?:lost|failed)\b/i, 'pool', 'critical'],
  [/^pools?:? (?:is |are )?degraded\b/i, 'pool', 'warning'],
  [/^pools?:? (?:is |are )?(?:whole|ok|optimal)\b/i, 'pool', 'ok'],
];

/** So long what was noted as fine is; what was noted as bad stands until something else is noted. */
const FINE_MS = 86_400_000;

const byNote = (note: Note, { now }: Judgement): Told[] => {
  const [, part, state] = forms.find(([form]) => form.test(note.text)) ?? [];
  if (note.kind !== 'note' || part === undefined || state === undefined) return [];
  const by = `noted by ${note.who} at ${clockTime(note.at, now)}`;
  const { id: array } = note.subject;
  return [
    {
      array,
      part,
      state: state === 'ok' && now - note.at > FINE_MS ? 'unknown' : state,
      severity: state === 'critical' ? 'critical' : 'warning',
      by,
      text: note.text,
      key: `${array}:${part}:note`,
      evidence: { text: `${by}: ${note.text}`, at: note.at },
    },
  ];
};

/** The last note on each part of an array, unless a check has looked at it since. */
const noted = (array: string, judgement: Judgement, checks: readonly Told[]): Told[] => {
  const all = (judgement.notes?.notesOf({ kind: 'host', id: array }) ?? []).flatMap((note) =>
    byNote(note, judgement),
  );
  return arrayParts.flatMap((part) => {
    const last = all.findLast((one) => one.part === part);
    const isOlder = checks.some(
      (one) =>
        one.array === array &&
        one.part === part &&
        one.state !== 'unknown' &&
        (one.evidence.at ?? 0) >= (last?.evidence.at ?? 0),
    );
    return last && !isOlder ? [last] : [];
  });
};

/** Arrays that nobody logs in to: those of the site file, and others that a check names. */
export const toldArrays = (judgement: Judgement): { array: string; told: readonly Told[] }[] => {
  const checks = judgement.facts.list('array.part').map(byCheck);
  const names = new Set([...settingsOf(judgement.site).arrays, ...checks.map(({ array }) => array)]);
  return [...names].map((array) => {
    const own = checks.filter((one) => one.array === array);
    const notes = noted(array, judgement, checks);
    // What was just noted stands in for a check that could not be read.
    const isStoodIn = ({ part, state }: Told): boolean =>
      state === 'unknown' && notes.some((note) => note.part === part && note.state !== 'unknown');
    return { array, told: [...own.filter((one) => !isStoodIn(one)), ...notes] };
  });
};

export const isBad = ({ state }: Told): boolean => state === 'warning' || state === 'critical';

/** What checks say of the write cache of an array; notes are no reading that an action may go by. */
export const cacheChecks = (array: string, judgement: Judgement): readonly Told[] =>
  toldArrays(judgement)
    .filter((one) => one.array === array)
    .flatMap(({ told }) => told.filter(({ part, check }) => part === 'cache' && check !== undefined));
