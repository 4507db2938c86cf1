import type { Collector } from '../../collect/collector.ts';
import { notesOn } from '../../collect/rank.ts';
import { lockText } from '../../collect/shared/lock-seen.ts';
import type { Subject } from '../../model/subject.ts';
import { textOf } from '../../model/words.ts';
import { clockTime } from '../../text/ages.ts';

/** Notes shown of each target: the plan is what must be read. */
const MOST = 3;

const row = (name: string, text: string): string => `${name.padEnd(11)} ${text}`;

/** What colleagues say of the targets, before the plan: their notes, what they acknowledged, what they are at work on. */
export const colleagueLines = (
  { shared, clock, findings }: Pick<Collector, 'shared' | 'clock' | 'findings'>,
  subjects: readonly Subject[],
): readonly string[] => {
  if (!shared) return [];
  const now = clock.now();
  const notes = subjects.flatMap((subject) => notesOn({ subject }, shared.notes).slice(0, MOST));
  const ids = new Set(subjects.map(({ id }) => id));
  const acked = findings().filter(({ acked, subject, members = [] }) =>
    acked ? [subject, ...members].some(({ id }) => ids.has(id)) : false,
  );
  return [
    ...notes.map(({ at, who, text, subject, part }) =>
      row(
        'noted',
        `${clockTime(at, now)} ${who} on ${subject.id}: ${part === undefined ? '' : `repair (${part}): `}${text}`,
      ),
    ),
    ...acked.map(({ acked: known, summary }) =>
      row(
        'acked',
        `by ${known?.who ?? ''} until ${clockTime(known?.until ?? 0, now)}: ${known?.text ?? ''} (${textOf(summary)})`,
      ),
    ),
    ...shared.locks().map((one) => row('at work', lockText(one, now))),
    ...shared.problems().map((problem) => row('colleagues', problem)),
  ];
};
