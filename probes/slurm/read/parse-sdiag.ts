import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError, jsonError, type SlurmError } from './errors.ts';
import { isObject, type Json, isJson, readJson, rowsIn, text } from './json.ts';
import type { SdiagReading } from '../readings.ts';
import { jsonNumber, jsonTime } from './times.ts';

export interface SdiagDocument extends SdiagReading {
  notUnderstood: number;
  error?: SlurmError;
}

type Figure = Exclude<
  keyof SdiagReading,
  'rpcs' | 'users' | 'pending' | 'clockAt' | 'dataSince' | 'backfillAt' | 'backfillRuns'
>;
type Rpc = SdiagReading['rpcs'][number];

/** Where each figure stands in the text (section and label) and in the JSON. Times are microseconds. */
const figures: readonly { key: Figure; section?: RegExp; label: string; json: string }[] = [
  { key: 'serverThreadCount', label: 'Server thread count', json: 'server_thread_count' },
  { key: 'agentQueueSize', label: 'Agent queue size', json: 'agent_queue_size' },
  { key: 'agentCount', label: 'Agent count', json: 'agent_count' },
  { key: 'agentThreadCount', label: 'Agent thread count', json: 'agent_thread_count' },
  { key: 'dbdAgentQueueSize', label: 'DBD Agent queue size', json: 'dbd_agent_queue_size' },
  { key: 'jobsPending', label: 'Jobs pending', json: 'jobs_pending' },
  { key: 'jobsRunning', label: 'Jobs running', json: 'jobs_running' },
  { key: 'lastCycleUs', section: /^Main schedule/, label: 'Last cycle', json: 'schedule_cycle_last' },
  { key: 'maxCycleUs', section: /^Main schedule/, label: 'Max cycle', json: 'schedule_cycle_max' },
  { key: 'meanCycleUs', section: /^Main schedule/, label: 'Mean cycle', json: 'schedule_cycle_mean' },
  { key: 'cycles', section: /^Main schedule/, label: 'Total cycles', json: 'schedule_cycle_total' },
  {
    key: 'queueLength',
    section: /^Main schedule/,
    label: 'Last queue length',
    json: 'schedule_queue_length',
  },
  { key: 'backfillCycles', section: /^Backfilling/, label: 'Total cycles', json: 'bf_cycle_counter' },
  { key: 'jobsStarted', label: 'Jobs started', json: 'jobs_started' },
];

const rpcLine = /^\s+(\S+)\s+\(\s*\d+\)\s+count:(\d+)\s+ave_time:(\d+)\s+total_time:(\d+)/;
const pendingLine =
  /^\s+(\S+)\s+\(\s*\d+\)\s+count:(\d+)(?!.*time:)(?:\s+(?:nodes?|hosts?|hostlist)[:=]?\s*(\S+))?/;

/** `sdiag`, text (all versions) and JSON (23.02 on). Throws NotThisFormat, ParseError. */
export const parseSdiag = ({ stdout, stderr = '', exitCode }: ParseInput): SdiagDocument => {
  if (isJson(stdout)) return fromJson(readJson(stdout));
  const document = /^sdiag output at/m.test(stdout) ? fromText(stdout) : undefined;
  const error =
    document && !exitCode ? undefined : (findError(stderr) ?? (document ? undefined : findError(stdout)));
  if (error) return { ...(document ?? { rpcs: [], users: [], pending: [], notUnderstood: 0 }), error };
  if (!document) throw new NotThisFormat('no "sdiag output at" line');
  return document;
};

const fromText = (output: string): SdiagDocument => {
  const document: SdiagDocument = { rpcs: [], users: [], pending: [], notUnderstood: 0 };
  const clock = /^sdiag output at .*\((\d+)\)/m.exec(output)?.[1];
  if (clock !== undefined) document.clockAt = Number(clock) * 1000;
  const since = /^Data since .*\((\d+)\)/m.exec(output)?.[1];
  if (since !== undefined) document.dataSince = Number(since) * 1000;
  const backfill = /^\s+Last cycle when:.*\((\d+)\)/m.exec(output)?.[1];
  if (backfill !== undefined && backfill !== '0') document.backfillAt = Number(backfill) * 1000;
  const heading = /^Backfilling stats(.*)$/m.exec(output)?.[1];
  if (heading !== undefined) document.backfillRuns = heading.includes('in the middle');
  let section = '';
  for (const line of output.split('\n')) {
    if (/^\S/.test(line)) section = line;
    readFigure(line, section, document);
    const rpc = rpcLine.exec(line);
    const pending = pendingLine.exec(line);
    if (rpc) rowsOf(section, document).push(rpcOf(rpc));
    else if (pending && section.startsWith('Pending RPC')) {
      const [, name = '', count = '0', hosts] = pending;
      document.pending.push({ name, count: Number(count), ...(hosts !== undefined && { hosts }) });
    } else if (/^\s+\S+\s+\(\s*\d+\)/.test(line)) document.notUnderstood += 1;
  }
  return document;
};

const rowsOf = (section: string, document: SdiagDocument): Rpc[] =>
  section.includes('by user') ? document.users : document.rpcs;

const rpcOf = ([, name = '', count, ave, total]: RegExpExecArray): Rpc => ({
  name,
  count: Number(count),
  aveTimeUs: Number(ave),
  totalTimeUs: Number(total),
});

const readFigure = (line: string, section: string, document: SdiagDocument): void => {
  const match = /^\s*([^:]+):\s+(\d+)\s*$/.exec(line);
  if (!match) return;
  const figure = figures.find(
    (one) => one.label === match[1] && (one.section?.test(section) ?? /^\S/.test(line)),
  );
  if (figure) document[figure.key] = Number(match[2]);
};

const fromJson = (root: Json): SdiagDocument => {
  const error = jsonError(root['errors']);
  const document: SdiagDocument = {
    rpcs: [],
    users: [],
    pending: [],
    notUnderstood: 0,
    ...(error && { error }),
  };
  const from = root['statistics'];
  if (!isObject(from)) {
    if (error) return document;
    throw new NotThisFormat('a JSON document without "statistics"');
  }
  for (const { key, json } of figures) {
    const value = jsonNumber(from[json]);
    if (value !== undefined) document[key] = value;
  }
  const clock = jsonTime(from['req_time']);
  if (clock !== undefined) document.clockAt = clock;
  const since = jsonTime(from['req_time_start']);
  if (since !== undefined) document.dataSince = since;
  const backfill = jsonTime(from['bf_when_last_cycle']);
  if (backfill !== undefined) document.backfillAt = backfill;
  if (typeof from['bf_active'] === 'boolean') document.backfillRuns = from['bf_active'];
  for (const [rows, list, name] of [
    [document.rpcs, 'rpcs_by_message_type', 'message_type'],
    [document.users, 'rpcs_by_user', 'user'],
  ] as const) {
    if (!Array.isArray(from[list])) continue;
    const found = rowsIn(from, list, (row) => jsonRpc(row, name));
    rows.push(...found.rows);
    document.notUnderstood += found.notUnderstood;
  }
  document.pending = pendingOf(from['pending_rpcs']);
  return document;
};

const jsonRpc = (one: Json, nameKey: string): Rpc | undefined => {
  const name = text(one[nameKey]);
  const count = jsonNumber(one['count']);
  const totalTimeUs = jsonNumber(one['total_time']);
  if (name === undefined || count === undefined || totalTimeUs === undefined) return undefined;
  return {
    name,
    count,
    totalTimeUs,
    aveTimeUs: jsonNumber(one['average_time']) ?? (count > 0 ? totalTimeUs / count : 0),
  };
};

const pendingOf = (list: unknown): SdiagDocument['pending'] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const name = isObject(one) ? text(one['message_type']) : undefined;
    const count = isObject(one) ? jsonNumber(one['count']) : undefined;
    return name === undefined || count === undefined ? [] : [{ name, count }];
  });
