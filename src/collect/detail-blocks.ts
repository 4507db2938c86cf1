import type { Subject } from '../model/subject.ts';
import type { Block } from '../model/view.ts';
import type { MenuEntry } from '../model/wire.ts';
import { clockTime } from '../text/ages.ts';
import type { Collector } from './collector.ts';

/** What can be done now, those that can first; what can't stays with its reason. Nothing where there is nothing to do. */
export const menuBlock = (menu: readonly MenuEntry[]): readonly Block[] =>
  menu.length === 0
    ? []
    : [
        {
          type: 'text',
          id: 'actions',
          title: 'Actions now',
          lines: [
            ...menu.filter(({ available }) => available),
            ...menu.filter(({ available }) => !available),
          ].map(({ title, available, text }) => ({
            text: `${available ? '' : '- '}${title}${text === '' ? '' : `: ${text}`}`,
          })),
        },
      ];

/** Notes on these subjects for a detail, newest first; nothing where there are none. */
export const notesBlock = (
  { shared, clock }: Pick<Collector, 'shared' | 'clock'>,
  subjects: readonly Subject[],
): readonly Block[] => {
  const notes = subjects.flatMap((subject) => shared?.notes.notesOf(subject) ?? []);
  if (notes.length === 0) return [];
  return [
    {
      type: 'text',
      id: 'notes',
      title: 'Notes',
      lines: notes
        .toSorted((a, b) => b.at - a.at)
        .map(({ kind, part, text, who, at }) => ({
          text: `${clockTime(at, clock.now())} ${who}: ${kind === 'repair' ? `repair (${part ?? 'other'}): ` : ''}${text}`,
        })),
    },
  ];
};
