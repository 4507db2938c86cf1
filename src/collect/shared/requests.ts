import type { Requests } from '../../model/wire.ts';
import { age } from '../../text/ages.ts';
import { durationMs } from '../../text/duration.ts';
import type { Collector } from '../collector.ts';
import { namesOf } from './book.ts';
import { partsOf } from './events.ts';
import type { Kept } from './shared.ts';
import { worstWith } from './on-findings.ts';

/** Longer than this nobody remembers what was acknowledged. */
const LONGEST = 7 * 86_400_000;

/** Characters of the reason: it stands on rows, on the wall and in the hand-over. */
const LONGEST_WHY = 300;

/** A note that takes more lines than this is a file; its text stays in the dialog. */
const MOST_PARTS = 20;

type Jotted = Requests['ack']['out'];

const refused = (reason: string): Jotted => ({ refused: reason });

const told = (kept: Kept): Jotted => {
  if (kept.where === 'nowhere') return refused(`not written: ${kept.problem}`);
  return kept.where === 'shared'
    ? { kept: 'shared' }
    : { kept: 'here', ...(kept.problem !== undefined && { problem: kept.problem }) };
};

/** Acknowledges a finding that is there now; refuses one that is not, and a time that is none. */
export const acknowledge = async (
  collector: Collector,
  { finding: id, text, lasts }: Requests['ack']['in'],
): Promise<Jotted> => {
  const { shared, clock } = collector;
  if (!shared) return refused('nothing can be acknowledged here');
  const all = collector.findings();
  const finding = all.find((one) => one.id === id);
  if (!finding) return refused('this finding is not there any more: nothing to acknowledge');
  const ms = durationMs(lasts);
  if (ms === undefined || ms < 60_000)
    return refused(`"${lasts}" is not a time of 1 min or more; write 30min, 4h or 2d`);
  if (ms > LONGEST)
    return refused(`at most ${age(LONGEST)}; for planned work there are windows in the site file`);
  if (text.trim() === '') return refused('say why, so that the next one knows');
  if (text.trim().length > LONGEST_WHY)
    return refused(`at most ${LONGEST_WHY} characters here: what is longer goes into a note (N)`);
  const now = clock.now();
  const names = namesOf(finding);
  const severity = worstWith(finding, all);
  return told(
    await shared.add({ kind: 'ack', finding: id, severity, names, until: now + ms, text: text.trim() }),
  );
};

/** Takes an acknowledgement back. */
export const takeBack = async (
  { shared }: Collector,
  { finding }: Requests['unack']['in'],
): Promise<Jotted> =>
  shared ? told(await shared.add({ kind: 'unack', finding })) : refused('nothing is acknowledged here');

/** A note on each subject; a repair when a part is named. */
export const jotNote = async (
  { shared }: Collector,
  { subjects, text, part }: Requests['note']['in'],
): Promise<Jotted> => {
  if (!shared) return refused('nothing can be noted here');
  if (text.trim() === '' && part === undefined) return refused('the note is empty');
  if (subjects.length === 0) return refused('there is nothing to note it on');
  const parts = partsOf(text.trim());
  if (parts.length > MOST_PARTS)
    return refused(
      `too long (${parts.length} lines, at most ${MOST_PARTS}): put it into a file, and the name of the file here`,
    );
  const what =
    part === undefined ? ({ kind: 'note' } as const) : ({ kind: 'repair', part: part.trim() } as const);
  let last: Jotted = refused('the note is empty');
  for (const [subject, piece] of subjects.flatMap((one) => parts.map((piece) => [one, piece] as const))) {
    last = told(await shared.add({ ...what, subject, text: piece }));
    if ('refused' in last) return last;
  }
  return last;
};
