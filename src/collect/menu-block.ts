import type { Block } from '../model/view.ts';
import type { MenuEntry } from '../model/wire.ts';

/** What can be done now, those that can first; what can't stays with its reason. Nothing where there is nothing to do. */
export const menuBlock = (menu: readonly MenuEntry[]): readonly Block[] =>
  menu.length === 0
    ? []
    : [
        {
          type: 'text',
          id: 'actions',
          title: 'Actions now (a on its row)',
          lines: [
            ...menu.filter(({ available }) => available),
            ...menu.filter(({ available }) => !available),
          ].map(({ title, available, text }) => ({
            text: `${available ? '' : '- '}${title}${text === '' ? '' : `: ${text}`}`,
          })),
        },
      ];
