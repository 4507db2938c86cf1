import type { Judgement } from '../../src/model/system.ts';
import type { Note } from '../../src/model/note.ts';
import type { JournalReading, Repair } from './readings.ts';

/** What consoles wrote to the site's switch journal; undefined: not read, or there is none. */
export const journal = ({ readings }: Judgement): JournalReading | undefined =>
  readings.sources<JournalReading>('switch.journal').find((one) => one.good)?.good?.value;

/** Words for a part in a note, by what they mean here. */
const parts: readonly (readonly [RegExp, Repair['part']])[] = [
  [/clean/i, 'cleaned'],
  [/reseat/i, 'reseated'],
  [/optic|sfp|transceiver|module/i, 'optic'],
  [/fib(?:re|er)|cable|dac|aoc/i, 'fibre'],
  [/line ?card|blade|switch/i, 'linecard'],
];

const partOf = (word: string | undefined): Repair['part'] =>
  parts.find(([form]) => form.test(word ?? ''))?.[1] ?? 'other';

/** A cable has no end of its own: a note on the link is about what both ends share. */
const ofBothEnds = new Set<Repair['part']>(['cleaned', 'fibre']);

const repairOf = (note: Note, port: string): Repair[] => {
  const part = partOf(note.part);
  const link = note.subject.kind === 'link';
  if (note.kind !== 'repair' || (link && !ofBothEnds.has(part))) return [];
  return [{ at: note.at, port, part, text: note.text === '' ? part : note.text, by: note.who }];
};

/** Told twice, by the action and by a note, within this time: one repair. */
const sameMs = 120_000;

/** Repairs noted on a port, by the action that writes the journal or as a note on the port or its link; oldest first. */
export const repairsAt = (judgement: Judgement, portId: string, linkId?: string): readonly Repair[] => {
  const { notes } = judgement;
  const noted = [
    ...(notes?.of({ kind: 'port', id: portId }) ?? []),
    ...(linkId === undefined ? [] : (notes?.of({ kind: 'link', id: linkId }) ?? [])),
  ].flatMap((note) => repairOf(note, portId));
  const written = journal(judgement)?.repairs.filter(({ port }) => port === portId) ?? [];
  const more = noted.filter(
    (note) => !written.some(({ part, at }) => part === note.part && Math.abs(at - note.at) < sameMs),
  );
  return [...written, ...more].toSorted((a, b) => a.at - b.at);
};
