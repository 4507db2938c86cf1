import type { Judgement } from '../../../src/model/system.ts';
import { repairPart, type Note } from '../../../src/model/note.ts';
import { journal } from '../read/journal.ts';
import { farEnd, type Link } from '../links/link.ts';
import type { Repair } from '../readings.ts';

/** A cable has no end of its own: a note on the link is about what both ends share. */
const ofBothEnds = new Set<Repair['part']>(['cleaned', 'fibre']);

const repairOf = (note: Note, port: string): Repair[] => {
  const part = repairPart(note.part ?? '') ?? 'other';
  const link = note.subject.kind === 'link';
  if (note.kind !== 'repair' || (link && !ofBothEnds.has(part))) return [];
  return [{ at: note.at, port, part, text: note.text === '' ? part : note.text, by: note.who }];
};

/** Told twice, by the action and by a note, within this time: one repair. */
const sameMs = 120_000;

/** `far optic`: a link has one row, so a repair at its other end is noted there too. */
const isFar = ({ part }: Note): boolean => /^far\b/i.test(part?.trim() ?? '');

/**
 * Repairs at a port, oldest first: by the action that writes the journal, as a note on the port or its link, or as a note on the other
 * end about the far side.
 */
export const repairsAt = (judgement: Judgement, portId: string, link?: Link): readonly Repair[] => {
  const { notes } = judgement;
  const notesOf = (kind: Note['subject']['kind'], id: string): readonly Note[] =>
    notes?.notesOf({ kind, id }) ?? [];
  const noted = [
    ...notesOf('port', portId).filter((note) => !isFar(note)),
    ...(link ? notesOf('port', farEnd(link, portId).id).filter(isFar) : []),
    ...(link ? notesOf('link', link.id) : []),
  ].flatMap((note) => repairOf(note, portId));
  const written = journal(judgement)?.repairs.filter(({ port }) => port === portId) ?? [];
  const more = noted.filter(
    (note) => !written.some(({ part, at }) => part === note.part && Math.abs(at - note.at) < sameMs),
  );
  return [...written, ...more].toSorted((a, b) => a.at - b.at);
};
