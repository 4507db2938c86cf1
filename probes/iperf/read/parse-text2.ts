import type { ParseInput } from '../../../src/model/system.ts';
import {
  readSum,
  bareError,
  readStderr,
  isWarning,
  refuseFormat,
  splitFinal,
  statusOf,
  type Connection,
  type Result,
  type ResultRow,
} from './result.ts';
import { lossOf, textRow } from './text-row.ts';

/** Reads iperf 2's text, 2.0.4 to 2.2, client and server, with and without `-e`. */
export const parseText2 = (input: ParseInput): Result => {
  const read = readLines(input.stdout);
  const stderr = readStderr(input.stderr);
  const error = read.errors[0] ?? stderr.errors[0];
  const warnings = [...read.warnings, ...stderr.warnings];
  if (!read.seen && error === undefined && warnings.length === 0) throw refuseFormat('no line of iperf 2');
  const { intervals, finals } = splitFinal(read.rows, read.full);
  const streams = finals.filter((row) => !isSum(row)).map((row) => withDirection(row, read));
  const sum = finals.find(isSum);
  const added = sumOfStreams(streams);
  return {
    tool: 'iperf2',
    status: statusOf({ intervals, streams, final: finals.length > 0, error, errorFirst: read.errorFirst }),
    ...(error !== undefined && { error }),
    ...(read.proto !== undefined && { proto: read.proto }),
    ...(Object.keys(read.connections).length > 0 && { connections: read.connections }),
    streams,
    intervals,
    ...(sum && { sum: readSum(sum) }),
    ...(added > 0 && { sumOfStreamsBps: added }),
    ...(read.reports.length > 0 && { serverReports: read.reports }),
    ...(warnings.length > 0 && { warnings }),
    ...(read.skipped > 0 && { notUnderstood: read.skipped }),
  };
};

interface Lines {
  seen: boolean;
  errorFirst: boolean;
  proto?: string;
  clientPorts: Set<number>;
  serverPorts: Set<number>;
  connections: Record<string, Connection>;
  reversed: Set<string>;
  rows: ResultRow[];
  /** Every row ended on a full second. */
  full: boolean;
  reports: ResultRow[];
  errors: string[];
  warnings: string[];
  skipped: number;
}

const connectionForm = /^\[\s*(\*?\d+)\] local (\S+) port (\d+) connected with (\S+) port (\d+)(.*)$/;
const openForm =
  /^(?:Client connecting to \S+|Server listening on), (TCP|UDP) port (\d+)|^Server listening on (TCP|UDP) port (\d+)/;
const failureForm =
  /^(?:iperf: |(?:[a-z]+ )*(?:connect|bind|read|write|accept|listen|socket|send|recv|open)\w* failed\b)|^\S+ failed: |^error: /i;
const knownForm =
  /^\s*$|^-{5,}|^(?:TCP|UDP) (?:window|buffer) size|^Sending \d+|^Receiving |^Write buffer|^Read buffer|^TOS |^Binding |^Joining |^IPG|^\[ ID\]|^\[\s*CT\]|^\[[\w*\s-]+\] (?:Sent|Server Report|local|\d.*datagrams received out-of-order|Clock)|^Waiting for server|^TCP congestion|^Setting |^Enabled |^Using |^Read length|^Device |^Connect|^Burst|^Bounce-back|^\[[\w*\s-]+\] .*-PDF: |^Usage: iperf |^Try `iperf|^Multicast|^Flow|^\[SUM/;

const readLines = (stdout: string): Lines => {
  const all: Lines = {
    seen: false,
    errorFirst: false,
    clientPorts: new Set(),
    serverPorts: new Set(),
    connections: {},
    reversed: new Set(),
    rows: [],
    full: true,
    reports: [],
    errors: [],
    warnings: [],
    skipped: 0,
  };
  const reporting = new Set<string>();
  for (const line of stdout.split('\n')) {
    const found = textRow(line);
    const connection = connectionForm.exec(line);
    const open = openForm.exec(line);
    const report = /^\[\s*(\*?\d+)\] Server Report:/.exec(line)?.[1];
    if (/\(?WARNING\b/.test(line)) all.warnings.push(line.trim());
    if (found) {
      const row = { ...found.row, ...extras(found.rest) };
      if (reporting.delete(row.id)) all.reports.push(row);
      else {
        all.rows.push(row);
        all.full &&= found.full;
      }
    } else if (open) {
      all.proto ??= open[1] ?? open[3] ?? '';
      (line.startsWith('Client') ? all.clientPorts : all.serverPorts).add(Number(open[2] ?? open[4]));
    } else if (connection) connect(all, connection);
    else if (report !== undefined) reporting.add(report);
    else if (failureForm.test(line)) {
      all.errorFirst ||= all.rows.length === 0;
      all.errors.push(bareError(line));
    } else if (!knownForm.test(line) && !isWarning(line)) all.skipped += 1;
    all.seen ||= Boolean(found ?? connection ?? open);
  }
  return all;
};

const connect = (all: Lines, match: RegExpExecArray): void => {
  const [, id = '', local = '', lport = '', remote = '', rport = '', rest = ''] = match;
  // `10.99.0.1%va`: the device behind the address is kept out, the address alone would be a guess.
  all.connections[id] = {
    ...(!local.includes('%') && { local }),
    lport: Number(lport),
    remote,
    rport: Number(rport),
  };
  if (rest.includes('(reverse)')) all.reversed.add(id);
};

/** `-e`: `55/0 0 244K/20678(1332) us 349`; loss of UDP servers. UDP's `13369/0 4454 pps` has no retransmits and is left out. */
const extras = (rest: string): Partial<ResultRow> => {
  const match = /^\s+(\d+)\/(\d+)\s+(\d+)(?!\s*pps)(?:\s+(\d+)K\/(\d+)(?:\(\d+\))? us)?(?=\s|$)/.exec(rest);
  if (!match || /\bpps\b/.test(rest)) return lossOf(rest);
  const [, writes, writeErr, retransmits, cwndK, rttUs] = match;
  return {
    writes: Number(writes),
    writeErr: Number(writeErr),
    retransmits: Number(retransmits),
    ...(cwndK !== undefined && { cwndK: Number(cwndK) }),
    ...(rttUs !== undefined && { rttUs: Number(rttUs) }),
  };
};

const isSum = (row: ResultRow): boolean => row.id.startsWith('SUM');

/** `*1` is the reverse direction; else whoever talks to the server's port sends. */
const withDirection = (row: ResultRow, read: Lines): ResultRow => {
  const connection = read.connections[row.id];
  if (row.id.startsWith('*') || read.reversed.has(row.id)) return { ...row, dir: 'rx' };
  if (!connection) return row;
  if (read.clientPorts.has(connection.rport)) return { ...row, dir: 'tx' };
  return read.serverPorts.has(connection.lport) ? { ...row, dir: 'rx' } : row;
};

const sumOfStreams = (streams: readonly ResultRow[]): number => {
  const sent = streams.filter((row) => row.dir === 'tx');
  const chosen = sent.length > 0 ? sent : streams.filter((row) => row.dir === 'rx');
  return chosen.reduce((total, row) => total + row.bps, 0);
};
