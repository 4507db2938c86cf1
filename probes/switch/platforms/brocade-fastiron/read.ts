import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import { upDown } from '../../read/link-words.ts';
import { ciscoInterfaces } from '../shared/interfaces-text.ts';
import { statusLines } from '../shared/status-table.ts';

export const brocadeFastiron: Platform = {
  ...readOnlyPlatform(
    { id: 'brocade_fastiron', title: 'Brocade FastIron', pagerOff: 'skip-page-display' },
    { counters: ['show interfaces'] },
  ),
  // The whole frame: 1518 of a default port (FastIron configuration guide, `jumbo`).
  mtuHead: 18,
  readers: {
    counters: [
      ciscoInterfaces,
      statusLines(
        /^Port\s+Link\s+State\s/i,
        /^(?<port>\S+)\s+(?<link>Up|Down|Disable\w*|None|ERR-DIS\S*)\s+\S/i,
      ),
    ],
  },
  linkWords: {
    link: { ...upDown, Up: 'up', Down: 'down', disabled: 'shut', Disable: 'shut', 'ERR-DISABLED': 'down' },
  },
};
