import type { Requests } from '../../model/wire.ts';
import { age, durationMs } from '../../text/ages.ts';
import { fold } from '../../text/nodeset.ts';
import { repairPart, repairParts } from '../../model/note.ts';
import { isPlain } from '../../text/safe.ts';
import type { Collector } from '../collector.ts';
import { LONGEST } from './bounds.ts';
import { namesOf } from './book.ts';
import { NAMES, partsOf } from './events.ts';
import type { Kept } from './shared.ts';
import { worstSeverity } from '../rank.ts';

/** Characters of the reason: it stands on rows, on the wall and in the hand-over. */
const LONGEST_WHY = 300;

/** A note that takes more lines than this is a file; its text stays in the dialog. */
const MOST_PARTS = 20;

type Jotted = Requests['ack']['out'];

const refusedNote = (reason: string): Jotted => ({ refused: reason });

const toldNote = (kept: Kept): Jotted => {
  if (kept.where === 'nowhere') return refusedNote(`not written: ${kept.problem}`);
  return kept.where === 'shared'
    ? { kept: 'shared' }
    : { kept: 'here', ...(kept.problem !== undefined && { problem: kept.problem }) };
};

/** The time and the reason that a person gave; or why they will not do. */
const asTyped = (text: string, lasts: string): { ms: number; why: string } | { refused: string } => {
  const ms = durationMs(lasts);
  if (ms === undefined || ms < 60_000)
    return { refused: `"${lasts}" is not a time of 1 min or more; write 30min, 4h or 2d` };
  if (ms > LONGEST)
    return { refused: `at most ${age(LONGEST)}; for longer work there are windows in the site file` };
  const why = text.trim();
  if (why === '') return { refused: 'say why, so that the next one knows' };
  if (why.length > LONGEST_WHY)
    return { refused: `at most ${LONGEST_WHY} characters here: put what is longer into a note` };
  return { ms, why };
};

/** Acknowledges a finding that is there now; refuses one that is not, and a time that is none. */
export const acknowledge = async (
  collector: Collector,
  { finding: id, text, lasts }: Requests['ack']['in'],
): Promise<Jotted> => {
  const { shared, clock } = collector;
  if (!shared) return refusedNote('nothing can be acknowledged here');
  const all = collector.findings();
  const finding = all.find((one) => one.id === id);
  if (!finding) return refusedNote('this finding is not there any more: nothing to acknowledge');
  const typed = asTyped(text, lasts);
  if ('refused' in typed) return typed;
  const now = clock.now();
  const names = namesOf(finding);
  const severity = worstSeverity(finding, all);
  return toldNote(
    await shared.add({ kind: 'ack', finding: id, severity, names, until: now + typed.ms, text: typed.why }),
  );
};

/** Takes an acknowledgement back. */
export const takeBack = async (
  { shared }: Collector,
  { finding }: Requests['unack']['in'],
): Promise<Jotted> =>
  shared
    ? toldNote(await shared.add({ kind: 'unack', finding }))
    : refusedNote('nothing is acknowledged here');

/** Announces planned work: until it ends, what is found on these subjects is a notice. */
export const announce = async (
  { shared, clock }: Collector,
  { subjects, text, lasts }: Requests['window']['in'],
): Promise<Jotted> => {
  if (!shared) return refusedNote('nothing can be planned here');
  const typed = asTyped(text, lasts);
  if ('refused' in typed) return typed;
  const names = fold(subjects.map(({ id }) => id));
  if (names === '' || !isPlain(names)) return refusedNote('these names cannot be recorded');
  if (names.length > NAMES)
    return refusedNote('too many names for one line: give them a label in the site file, and a window there');
  return toldNote(
    await shared.add({ kind: 'window', names, until: clock.now() + typed.ms, text: typed.why }),
  );
};

/** Ends planned work that was announced from a console on any of these subjects. */
export const endAnnouncement = async (
  { shared, clock }: Collector,
  { subjects }: Requests['windowEnd']['in'],
): Promise<Jotted> => {
  if (!shared) return refusedNote('nothing is planned here');
  const open = shared.windows(clock.now()).filter((one) => subjects.some(({ id }) => one.isOn(id)));
  let last: Jotted = refusedNote('this is planned by the site file or by the system itself: end it there');
  for (const { id } of open) {
    last = toldNote(await shared.add({ kind: 'windowEnd', window: id }));
    if ('refused' in last) return last;
  }
  return last;
};

/** A note on each subject; a repair when a part is named. */
export const jotNote = async (
  { shared }: Collector,
  { subjects, text, part }: Requests['note']['in'],
): Promise<Jotted> => {
  if (!shared) return refusedNote('nothing can be noted here');
  if (text.trim() === '' && part === undefined) return refusedNote('the note is empty');
  if (subjects.length === 0) return refusedNote('there is nothing to note it on');
  // At a port the verdict goes on from what was changed: a word that it does not know would change nothing, and nobody would be told.
  const ofLink = subjects.some(({ kind }) => kind === 'port' || kind === 'link');
  if (ofLink && part !== undefined && repairPart(part) === undefined)
    return refusedNote(
      `"${part.trim()}" is no part of a link: ${repairParts.join(', ')}; "far optic" at its other end`,
    );
  const parts = partsOf(text.trim());
  if (parts.length > MOST_PARTS)
    return refusedNote(
      `too long (${parts.length} lines, at most ${MOST_PARTS}): put it into a file, and the name of the file here`,
    );
  const what =
    part === undefined ? ({ kind: 'note' } as const) : ({ kind: 'repair', part: part.trim() } as const);
  let last: Jotted = refusedNote('the note is empty');
  for (const [subject, piece] of subjects.flatMap((one) => parts.map((piece) => [one, piece] as const))) {
    last = toldNote(await shared.add({ ...what, subject, text: piece }));
    if ('refused' in last) return last;
  }
  return last;
};
