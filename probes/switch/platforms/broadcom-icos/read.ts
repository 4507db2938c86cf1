import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import { lldpTable } from '../shared/lldp-table.ts';

export const broadcomIcos: Platform = {
  ...readOnlyPlatform(
    { id: 'broadcom_icos', title: 'Broadcom ICOS', pagerOff: 'terminal length 0' },
    { neighbors: ['show lldp remote-device all'] },
  ),
  readers: {
    neighbors: [
      lldpTable(/^Interface\s+RemID/i, {
        local: /^interface/,
        neighbor: /^system name/,
        port: /^port id/,
        chassisId: /^chassis id/,
      }),
    ],
  },
};
