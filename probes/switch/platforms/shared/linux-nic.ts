import type { Capture, Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { valueAt, isRecord, toList, textOf, type Json } from '../../read/parse-json.ts';
import { limitIn, readMeasures, opticRows, placeValues, type Reading } from '../../read/parse-optics.ts';
import { keyValue } from '../../read/parse-lines.ts';
import { count, text } from '../../read/parse-values.ts';
import { recordLines, type PortLine } from '../../read/port-lines.ts';
import { dropAbsent, type OpticRow, type PortRow } from '../../read/rows.ts';

/** Keys of `stats64` of `ip -s -s -j link` and titles of its text. */
const names: Readonly<Record<'rx' | 'tx', Readonly<Record<string, string>>>> = {
  rx: {
    bytes: 'rxBytes',
    packets: 'rxPackets',
    errors: 'rxErrors',
    dropped: 'rxDiscards',
    crc_errors: 'rxCrc',
    crc: 'rxCrc',
    frame_errors: 'rxFrame',
    frame: 'rxFrame',
    fifo_errors: 'rxFifo',
    fifo: 'rxFifo',
    over_errors: 'rxOverrun',
    overrun: 'rxOverrun',
  },
  tx: {
    bytes: 'txBytes',
    packets: 'txPackets',
    errors: 'txErrors',
    dropped: 'txDiscards',
    collisions: 'txCollisions',
    collsns: 'txCollisions',
    carrier_errors: 'lostCarrier',
    carrier: 'lostCarrier',
    carrier_changes: 'linkTransitions',
    transns: 'linkTransitions',
  },
};

/** What `ip -j link` says of each port, in one line or several; undefined: it is no document. */
export const ipLinkPortLines = (capture: Capture): Iterable<PortLine> | undefined =>
  capture.json() === undefined
    ? undefined
    : recordLines(
        toList(capture.json()).flatMap((one): [string, Json][] => {
          const name = textOf(valueAt(one, 'ifname'));
          return name === undefined ? [] : [[name, one]];
        }),
      );

/** Whether a port is switched on: `UP` among the flags of `ip -j link` (IFF_UP of netdevice(7)); `LOWER_UP` is the light. */
export const ipLinkAdmin = (capture: Capture): ReadonlyMap<string, string> =>
  new Map(
    toList(capture.json()).flatMap((one): (readonly [string, string])[] => {
      const [name, flags] = [textOf(valueAt(one, 'ifname')), valueAt(one, 'flags')];
      return name === undefined || !Array.isArray(flags) || flags.length === 0
        ? []
        : [[name, flags.includes('UP') ? 'up' : 'down']];
    }),
  );

/** `ip -s -s -j link show`. */
export const ipLinkJson: Reader<PortRow> = (capture) => {
  const found = toList(capture.json()).filter((one) => textOf(valueAt(one, 'ifname')) !== undefined);
  if (found.length === 0) return undefined;
  return {
    rows: found.filter(isRecord).map((one) => {
      const counts: Record<string, bigint> = {};
      for (const way of ['rx', 'tx'] as const)
        for (const [key, name] of Object.entries(names[way]))
          put(
            counts,
            name,
            count(textOf(valueAt(one, 'stats64', way, key) ?? valueAt(one, 'stats', way, key))),
          );
      return dropAbsent<PortRow>({
        port: textOf(valueAt(one, 'ifname')) ?? '',
        link: text(textOf(valueAt(one, 'operstate'))),
        memberOf: text(textOf(valueAt(one, 'master'))),
        ...counts,
      });
    }),
  };
};

/** `ip -s -s link show`: titles above figures, `RX errors:` below `RX:`. */
export const ipLinkText: Reader<PortRow> = (capture) => {
  const rows: { head: Record<string, string | undefined>; counts: Record<string, bigint> }[] = [];
  for (const [index, line] of capture.lines.entries()) {
    const head = /^\d+: ([^:@\s]+)(?:@\S+)?: <.*?\bstate (\S+)/.exec(line);
    const master = / master (\S+)/.exec(line)?.[1];
    if (head) rows.push({ head: { port: head[1], link: head[2], memberOf: master }, counts: {} });
    const titles = /^\s*(RX|TX)(?: errors)?: +(\S.*)$/.exec(line);
    const last = rows.at(-1);
    const figures = (capture.lines[index + 1] ?? '').trim().split(/\s+/);
    const words = titles?.[2]?.split(/\s+/) ?? [];
    if (!titles || !last || words.length !== figures.length) continue;
    const way = titles[1] === 'RX' ? 'rx' : 'tx';
    for (const [column, word] of words.entries())
      if (Object.hasOwn(names[way], word)) put(last.counts, names[way][word] ?? '', count(figures[column]));
  }
  if (rows.length === 0) return undefined;
  return { rows: rows.map(({ head, counts }) => dropAbsent<PortRow>({ port: '', ...head, ...counts })) };
};

const kernelTitles: Readonly<Record<string, string>> = {
  'rx-ok': 'rxPackets',
  'rx-err': 'rxErrors',
  'rx-drp': 'rxDiscards',
  'rx-ovr': 'rxOverrun',
  'tx-ok': 'txPackets',
  'tx-err': 'txErrors',
  'tx-drp': 'txDiscards',
};

/** `netstat -i` and Cumulus' `cl-netstat`: cells without blanks, in the order of the titles. */
export const kernelTable: Reader<PortRow> = (capture) => {
  const head = capture.lines.findIndex((line) => /^Iface\s+MTU\s.*RX[-_]OK/.test(line));
  if (head < 0) return undefined;
  const titles = (capture.lines[head] ?? '').toLowerCase().replaceAll('_', '-').split(/\s+/);
  return {
    rows: capture.lines.slice(head + 1).flatMap((line): PortRow[] => {
      const cells = line.trim().split(/\s+/);
      if (cells.length !== titles.length || !/^\d+$/.test(cells[1] ?? '')) return [];
      const counts: Record<string, bigint> = {};
      for (const [column, title] of titles.entries())
        if (Object.hasOwn(kernelTitles, title)) put(counts, kernelTitles[title] ?? '', count(cells[column]));
      return [{ port: cells[0] ?? '', ...counts }];
    }),
  };
};

/** Cumulus' `cl-netstat -j` and `net show counters json`: the same titles by port, beside its MTU (SONiC prints none). */
export const kernelJson: Reader<PortRow> = (capture) => {
  const json = capture.json();
  const found = isRecord(json)
    ? Object.entries(json).filter(
        ([, one]) => valueAt(one, 'MTU') !== undefined && valueAt(one, 'RX_OK') !== undefined,
      )
    : [];
  if (found.length === 0) return undefined;
  return {
    rows: found.map(([port, one]) => {
      const counts: Record<string, bigint> = {};
      for (const [title, name] of Object.entries(kernelTitles))
        put(counts, name, count(textOf(valueAt(one, title.toUpperCase().replace('-', '_')))));
      return { port, ...counts };
    }),
  };
};

/** An echoed command names the port that ethtool's own output does not: `# ethtool -S eth0`. */
const echoed = /^\S*[#$] ?(?:sudo )?(?:\S*\/)?ethtool -\w+ (\S+)$/;

/** The lines below every echoed command; without one, all lines and no port. */
const perPort = (lines: readonly string[]): { port: string | undefined; lines: string[] }[] => {
  const found: { port: string | undefined; lines: string[] }[] = [{ port: undefined, lines: [] }];
  for (const line of lines) {
    const port = echoed.exec(line)?.[1];
    if (port) found.push({ port, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.filter((one) => one.lines.some((line) => line !== ''));
};

/** `ethtool -S`: the driver's counters under their own names. */
export const ethtoolStatistics: Reader<PortRow> = (capture) => {
  const found = perPort(capture.lines).filter(({ lines }) =>
    lines.some((line) => /^NIC statistics:$/.test(line)),
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.map(({ port, lines }) => {
      const counters: Record<string, bigint> = {};
      for (const line of lines) {
        const colon = line.lastIndexOf(':');
        if (colon > 0) put(counters, line.slice(0, colon).trim(), count(line.slice(colon + 1)));
      }
      return dropAbsent<PortRow>({ ...(port ? { port } : {}), counters } as PortRow);
    }),
  };
};

/** `ethtool -m`: `Laser tx bias current (Channel 1) : 6.75 mA`. */
export const ethtoolModule: Reader<OpticRow> = (capture) => {
  const known = /^\s*Identifier\s+: 0x/;
  const found = perPort(capture.lines).filter(({ lines }) => lines.some((line) => known.test(line)));
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(({ port, lines }) => {
      const readings = lines.flatMap((line): Reading[] => {
        const pair = keyValue(line);
        if (!pair) return [];
        const lane = /\(Channel (\d+)\)/.exec(pair.key)?.[1];
        const limit = limitIn(pair.key);
        const words = pair.key.replace(/^Rcvr/i, 'Receiver');
        return placeValues(readMeasures(words, pair.value), limit, lane);
      });
      return opticRows(port, readings);
    }),
  };
};
