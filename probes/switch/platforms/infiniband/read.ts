import type { Platform } from '../contracts.ts';
import { upDown } from '../../read/link-words.ts';
import { fabricPortsWithErrors } from './errors.ts';
import { fabricScript, readFabricLinks, readFabricPeers } from './fabric.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { blocks, takeUntilRepeated } from '../../read/parse-lines.ts';
import { count } from '../../read/parse-values.ts';
import { dropAbsent, type PortRow } from '../../read/rows.ts';

/** The counters' own names with their leading capitals lowered: `PortXmitWait`, `VL15Dropped`, `QP1Dropped`. */
const lowerName = (name: string): string =>
  name.replace(/^[A-Z]+/, (capitals) => {
    const next = name[capitals.length] ?? '';
    return capitals.length > 1 && /[a-z]/.test(next)
      ? capitals.slice(0, -1).toLowerCase() + capitals.slice(-1)
      : capitals.toLowerCase();
  });

/** Widths of the classic counters in bits (IBA, PortCounters); they stick at their maximum. */
const widths: Readonly<Record<string, number>> = {
  symbolErrorCounter: 16,
  symbolErrors: 16,
  linkErrorRecoveryCounter: 8,
  linkRecovers: 8,
  linkDownedCounter: 8,
  linkDowned: 8,
  portRcvErrors: 16,
  rcvErrors: 16,
  portRcvRemotePhysicalErrors: 16,
  rcvRemotePhysErrors: 16,
  portRcvSwitchRelayErrors: 16,
  rcvSwRelayErrors: 16,
  portXmitDiscards: 16,
  xmtDiscards: 16,
  portXmitConstraintErrors: 8,
  xmtConstraintErrors: 8,
  portRcvConstraintErrors: 8,
  rcvConstraintErrors: 8,
  localLinkIntegrityErrors: 4,
  linkIntegrityErrors: 4,
  excessiveBufferOverrunErrors: 4,
  excBufOverrunErrors: 4,
  vl15Dropped: 16,
  portXmitData: 32,
  xmtData: 32,
  portRcvData: 32,
  rcvData: 32,
  portXmitPkts: 32,
  xmtPkts: 32,
  portRcvPkts: 32,
  rcvPkts: 32,
  portXmitWait: 32,
  xmtWait: 32,
};

const listSaturated = (
  counts: Readonly<Record<string, bigint>>,
  bits: (name: string) => number | undefined,
): string[] =>
  Object.entries(counts).flatMap(([name, value]) => {
    const width = bits(name);
    return width !== undefined && value === (1n << BigInt(width)) - 1n ? [name] : [];
  });

const withSaturated = (names: readonly string[]): { saturated?: readonly string[] } =>
  names.length > 0 ? { saturated: names } : {};

/** `PortXmitWait:....................22730501`; selectors are no counters. */
const parseDotted = (line: string): (readonly [string, bigint])[] => {
  const match = /^([A-Za-z]\w+):\.+(\d+)$/.exec(line);
  const value = count(match?.[2]);
  const name = match?.[1] ?? '';
  return value === undefined || /Select\d?$/.test(name) ? [] : [[lowerName(name), value]];
};

/** `perfquery`, with `-x` (64 bit), `-E` (error details) and the like. */
const perfquery: Reader<PortRow> = (capture) => {
  // `Lid 3 port 1`, or `DR path slid 65535; dlid 65535; 0,1 port 1` where it was asked by a path.
  const found = blocks(capture.lines, /^# (.*)counters: (?:Lid (\d+)|.*?) port (\w+)/i);
  if (found.length === 0) return undefined;
  return {
    rows: found.map(({ head, lines }): PortRow => {
      // Another port speaks from the first counter on that was there before: its heading is missing.
      const counts = Object.fromEntries(takeUntilRepeated(lines, /^\w+:/).flatMap(parseDotted));
      const kind = head[1]?.trim() ?? '';
      const bits = (name: string): number | undefined =>
        /extended/i.test(kind) ? 64 : /details/i.test(kind) ? 16 : widths[name];
      return {
        port: head[3] ?? '',
        ...(head[2] === undefined ? {} : { lid: Number(head[2]) }),
        ...counts,
        ...withSaturated(listSaturated(counts, bits)),
      };
    }),
  };
};

/** The local port, then the peer's GUID, LID, port and name. */
const peer = /^\s*Link info:\s+\d+\s+(\d+)\[.*?\)==>\s+(0x[0-9a-f]+)\s+(\d+)\s+(\d+)\[[^\]]*\]\s+"(.*)" \(/i;

/** `ibqueryerrors`: a line per bad port and, with `--details` or `-r`, the peer of its link. */
const queryErrors: Reader<PortRow> = (capture) => {
  const rows: PortRow[] = [];
  let node: string | undefined;
  let guid: string | undefined;
  let fresh = false;
  for (const line of capture.lines) {
    const named = /^Errors for (?:0x[0-9a-f]+ )?"(.*)"$/i.exec(line)?.[1];
    if (named !== undefined) [node, fresh] = [named.trim(), true];
    const head = /^\s*GUID (0x[0-9a-f]+) port (\w+):/i.exec(line);
    // All ports of a node say its GUID: another one is of a node whose line is missing.
    if (head && fresh) guid = head[1];
    fresh &&= !head;
    if (head) {
      const pairs = [...line.matchAll(/\[(\w+) == (\d+)(?: \([^)]{1,40}\))?\]/g)];
      const counts = Object.fromEntries(
        pairs.map((pair) => [lowerName(pair[1] ?? ''), BigInt(pair[2] ?? 0)] as const),
      );
      const stuck = withSaturated(listSaturated(counts, (name) => widths[name]));
      rows.push(
        dropAbsent<PortRow>({
          port: head[2] ?? '',
          guid: head[1],
          node: head[1] === guid ? node : undefined,
          ...counts,
          ...stuck,
        }),
      );
    }
    const other = peer.exec(line);
    const last = rows.at(-1);
    if (other && last && last.port === other[1])
      rows[rows.length - 1] = {
        ...last,
        peerGuid: other[2] ?? '',
        peerLid: Number(other[3]),
        peerPort: other[4] ?? '',
        peerNode: (other[5] ?? '').trim(),
      };
  }
  const closed = capture.lines.some((line) => /^## Summary: \d+ nodes checked/.test(line));
  return rows.length > 0 || closed ? { rows } : undefined;
};

/**
 * An InfiniBand fabric, asked from one of its hosts. `ibqueryerrors` names every bad port, `ibnetdiscover -p` every link. Port
 * counters saturate, they do not wrap (IBA).
 */
export const infiniband: Platform = {
  id: 'infiniband',
  title: 'InfiniBand',
  via: 'sh',
  machineReadable: true,
  ask: {
    counters: ['sudo -n ibqueryerrors --details'],
    neighbors: ['sudo -n ibnetdiscover -p'],
  },
  nameOf: () => undefined,
  // Its ports are no ports of the host that is asked: actions on them are those of the fabric.
  readingOnly: 'it is no port of a switch in this fabric',
  readers: {
    counters: [perfquery, queryErrors],
  },
  // What the fabric's links are written down as in the history.
  linkWords: { link: upDown },
  fabric: {
    script: fabricScript,
    ports: fabricPortsWithErrors,
    peers: readFabricPeers,
    links: readFabricLinks,
  },
};
