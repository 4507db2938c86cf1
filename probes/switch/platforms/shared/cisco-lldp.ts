import type { Reader } from '../../read/parse-capture.ts';
import { isRuler } from '../../read/parse-lines.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import type { NeighborRow } from '../../read/rows.ts';
import { lldpTable } from './lldp-table.ts';

const keys: Readonly<Record<string, string>> = {
  'local intf': 'localPort',
  'local interface': 'localPort',
  'local port id': 'localPort',
  'chassis id': 'chassisId',
  'port id': 'portId',
  'port description': 'portDesc',
  'system name': 'neighbor',
};

const line =
  /^(Local Intf|Local Interface|Local Port id|Chassis id|Port id|Port Description|System Name)(?::(.*)| - .*)$/;

/**
 * `show lldp neighbors detail` of IOS, XR and NX-OS. Neighbours are parted by rulers, or begin with their chassis id;
 * the local port stands before it (IOS, XR), behind it (NX-OS) or nowhere (old IOS).
 */
export const ciscoLldpDetail: Reader<NeighborRow> = (capture) => {
  const found: Record<string, string>[] = [];
  let current: Record<string, string> | undefined;
  let describing = false;
  for (const one of capture.lines) {
    // Nothing that names a neighbour stands behind the time; a description, of several lines and any words, ends with it.
    if (isRuler(one) || one.startsWith('Time remaining')) {
      current = undefined;
      describing = false;
    }
    const match: RegExpExecArray | null = describing ? null : line.exec(one);
    if (one.startsWith('System Description:')) describing = true;
    if (!match) continue;
    const key = keys[(match[1] ?? '').toLowerCase()] ?? '';
    const begins = key === 'chassisId' || (key === 'localPort' && !/port id/i.test(match[1] ?? ''));
    if (!current || (begins && (current[key] !== undefined || current['chassisId'] !== undefined))) {
      current = {};
      found.push(current);
    }
    if (match[2] !== undefined) current[key] ??= match[2];
  }
  const neighbors = found.filter((one) => one['chassisId'] !== undefined || one['portId'] !== undefined);
  if (neighbors.length === 0 && !capture.lines.some((one) => /^Total entries displayed: 0$/.test(one)))
    return undefined;
  return { rows: neighbors.map(neighborRow) };
};

/** `show lldp neighbors` of IOS, XR and NX-OS. */
export const ciscoLldpTable = lldpTable(/^Device ID\s+Local Intf/i, {
  local: /^local intf/,
  neighbor: /^device id/,
  port: /^port id/,
});
