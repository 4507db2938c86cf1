import { keyedLldp } from './lldp-keys.ts';
import { lldpTable } from './lldp-table.ts';
import { minLinksReader } from './port-channels.ts';

/** `show lldp neighbors` of FTOS and OS10. */
const table = lldpTable(/^\s*Loc PortID\s+Rem Host Name/i, {
  local: /^loc portid/,
  neighbor: /^rem host name/,
  port: /^rem port id/,
  chassisId: /^rem chassis id/,
});

/** `show lldp neighbors detail` of FTOS and OS10. */
const details = keyedLldp({
  port: /^\s*Local Interface (\S+ ?[\d/:]*) has (\d+) neighbou?rs?/i,
  begins: /^\s*Remote Chassis ID Subtype:/i,
  // OS10 has no line above the neighbours of a port.
  localPort: /^Local Port ID$/i,
  neighbor: /^Remote System Name$/i,
  portId: /^Remote Port ID$/i,
  portDesc: /^Remote Port Description$/i,
  chassisId: /^Remote Chassis ID$/i,
});

export const dellLldp = [details, table] as const;

/** `show interfaces port-channel`: the number stands with each LAG. */
export const dellMinLinks = minLinksReader(
  /^Port-channel (\d+) is /i,
  /^\s*Minimum number of links to bring Port-channel up is (\d+)/i,
);
