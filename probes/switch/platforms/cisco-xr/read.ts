import type { Platform } from '../contracts.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import { upDown } from '../../read/link-words.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { ciscoInterfaces } from '../shared/interfaces-text.ts';
import { blocks, firstMatch } from '../../read/parse-lines.ts';
import { dropAbsent, type LagRow } from '../../read/rows.ts';
import { ciscoLldpDetail, ciscoLldpTable } from '../shared/cisco-lldp.ts';
import { statusLines } from '../shared/status-table.ts';

/** `Te0/1/0/0   Local   Active   0x8000, 0x0001   10000000`: the device tells on which chassis the port is. */
const member = /^\s*([A-Za-z]\S*)\s+(\S+)\s+(\S+(?: \S+)*)\s+0x[0-9a-f]+,\s?0x[0-9a-f]+\s+\d+$/i;

/** `show bundle`: members of another chassis (its address in place of `Local`) are no local members. */
const bundles: Reader<LagRow> = (capture) => {
  const found = blocks(capture.lines, /^((?:Bundle-(?:Ether|POS)|BE|BP)\d+)$/i).filter(({ lines }) =>
    lines.some((line) => /^\s*Local links <active/i.test(line)),
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(({ head, lines }) => {
      const operational = lines.some((line) => /^\s*LACP: +Operational$/i.test(line));
      const lag = dropAbsent<LagRow>({
        lag: head[1],
        protocol: operational ? 'LACP' : undefined,
        lagState: firstMatch(lines, /^\s*Status: +(\S.*)$/i),
      });
      const members = lines.flatMap((line): LagRow[] => {
        const [, name, device, memberState] = member.exec(line) ?? [];
        return name && /^local$/i.test(device ?? '')
          ? [dropAbsent<LagRow>({ ...lag, member: name, memberState })]
          : [];
      });
      return members.length > 0 ? members : [lag];
    }),
  };
};

export const ciscoXr: Platform = {
  ...readOnlyPlatform(
    {
      id: 'cisco_xr',
      title: 'Cisco IOS XR',
      pagerOff: 'terminal length 0',
      prompt: '(?:RP/\\S+:)?[A-Za-z0-9][A-Za-z0-9._-]*[>#]\\s*$',
    },
    { counters: ['show interfaces'], neighbors: ['show lldp neighbors detail'] },
  ),
  // 1514 of a default port (IOS XR interface configuration guide).
  mtuHead: 14,
  readers: {
    counters: [
      ciscoInterfaces,
      // `show interfaces brief`: names stand right in their column.
      statusLines(
        /^\s*Intf\s+Intf\s+LineP\s+Encap\s+MTU/i,
        /^\s*(?<port>[A-Za-z][\w-]*\d[\w/.]*)\s+(?<link>[a-z][a-z-]*)\s+(?<protocol>[a-z][a-z-]*)\s+\S+(?:\s+\d+){1,2}$/i,
      ),
    ],
    lags: [bundles],
    neighbors: [ciscoLldpDetail, ciscoLldpTable],
  },
  linkWords: {
    link: { ...upDown, 'administratively down': 'shut', 'admin-down': 'shut', 'error disabled': 'down' },
  },
  // The states of `show bundle` (Cisco IOS XR command reference, link bundling).
  memberWords: { Active: 'working', Standby: 'standby', Negotiating: 'negotiating', Configured: 'down' },
};
