import type { Subject } from '../../model/subject.ts';
import type { Block } from '../../model/view.ts';
import { moment } from '../../text/ages.ts';
import type { Collector } from '../collector.ts';

/** Notes on these subjects for a detail, newest first; nothing where there are none. */
export const notesBlock = (
  { shared, clock }: Pick<Collector, 'shared' | 'clock'>,
  subjects: readonly Subject[],
): readonly Block[] => {
  const notes = subjects.flatMap((subject) => shared?.notes.of(subject) ?? []);
  if (notes.length === 0) return [];
  return [
    {
      type: 'text',
      id: 'notes',
      title: 'Notes',
      lines: notes
        .toSorted((a, b) => b.at - a.at)
        .map(({ kind, part, text, who, at }) => ({
          text: `${moment(at, clock.now())} ${who}: ${kind === 'repair' ? `repair (${part ?? 'other'}): ` : ''}${text}`,
        })),
    },
  ];
};
