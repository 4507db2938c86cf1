import type { PlatformReaders } from '../parse-capture.ts';
import { lldpTable } from './shared-lldp-table.ts';

export const broadcomIcos: PlatformReaders = {
  neighbors: [
    lldpTable(/^Interface\s+RemID/i, {
      local: /^interface/,
      neighbor: /^system name/,
      port: /^port id/,
      chassisId: /^chassis id/,
    }),
  ],
};
