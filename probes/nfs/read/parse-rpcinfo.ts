import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { errorOfMessage, messagesOf, wholeNumber, type ReportedError } from './words.ts';

export interface RpcInfo {
  /** What is registered; a daemon that was killed stays listed. */
  programs?: { program: number; version: number; proto: string; port: number; service?: string }[];
  services?: { program: number; versions: number[]; netids: string[]; service?: string; owner?: string }[];
  /** What answered a call. */
  calls?: { program: number; version?: number; ready: boolean }[];
  error?: ReportedError;
  notUnderstood?: number;
}

const programLine = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\d+)(?:\s+(\S+))?\s*$/;
const serviceLine = /^\s*(\d+)\s+(\d[\d,]*)\s+(\S+)\s+(\S+)(?:\s+(\S+))?\s*$/;
const callLine = /^program (\d+)(?: version (\d+))? (ready and waiting|is not available)\s*$/;

const header = (line: string): 'programs' | 'services' | undefined => {
  if (!/^\s*program\s+ver/.test(line)) return undefined;
  return /netid\(s\)/.test(line) ? 'services' : /proto/.test(line) ? 'programs' : undefined;
};

const nameOrNone = (text: string | undefined): string | undefined => (text === '-' ? undefined : text);

const takeProgram = (info: RpcInfo, line: string): boolean => {
  const [all, program, version, proto = '', port, service] = programLine.exec(line) ?? [];
  if (all === undefined) return false;
  const name = nameOrNone(service);
  info.programs?.push({
    program: Number(program),
    version: Number(version),
    proto,
    port: Number(port),
    ...(name !== undefined && { service: name }),
  });
  return true;
};

const takeService = (info: RpcInfo, line: string): boolean => {
  const [all, program, versions = '', netids = '', service, owner] = serviceLine.exec(line) ?? [];
  if (all === undefined) return false;
  const [name, by] = [nameOrNone(service), nameOrNone(owner)];
  info.services?.push({
    program: Number(program),
    versions: versions.split(',').flatMap((version) => wholeNumber(version) ?? []),
    netids: netids.split(','),
    ...(name !== undefined && { service: name }),
    ...(by !== undefined && { owner: by }),
  });
  return true;
};

const takeCall = (info: RpcInfo, line: string): boolean => {
  const [all, program, version, words] = callLine.exec(line) ?? [];
  if (all === undefined) return false;
  info.calls = [
    ...(info.calls ?? []),
    {
      program: Number(program),
      ...(version !== undefined && { version: Number(version) }),
      ready: words === 'ready and waiting',
    },
  ];
  return true;
};

/** A call that is ended from outside says nothing at all: `timeout` ends with 124, or 137 by KILL, the only signal that rpcinfo heeds. */
const endedByDeadline = ({ exitCode }: ParseInput): ReportedError | undefined =>
  exitCode === 124 || exitCode === 137
    ? { kind: 'timedOut', message: 'no answer before the deadline' }
    : undefined;

/** Reads `rpcinfo -p`, `-s`, and the calls of `-T`, `-t`, `-u`, with what they say on standard error. */
export const parseRpcinfo = (input: ParseInput): RpcInfo => {
  const info: RpcInfo = {};
  const failures = messagesOf(/^rpcinfo: /, input.stderr);
  let table: 'programs' | 'services' | undefined;
  let skipped = 0;
  for (const line of input.stdout.split('\n').filter((text) => text.trim() !== '')) {
    const begins = header(line);
    if (begins === 'programs') info.programs = [];
    else if (begins === 'services') info.services = [];
    else if (line.startsWith('rpcinfo: ')) failures.push(line.slice('rpcinfo: '.length).trim());
    else if (
      !takeCall(info, line) &&
      !(table === 'services' ? takeService(info, line) : table === 'programs' && takeProgram(info, line))
    )
      skipped += 1;
    table = begins ?? table;
  }
  const said = failures[0];
  const error = said === undefined ? (info.calls ? undefined : endedByDeadline(input)) : errorOfMessage(said);
  const carries = info.programs ?? info.services ?? info.calls ?? error;
  if (carries === undefined) throw new NotThisFormat('neither a table, a call nor a failure of rpcinfo');
  return { ...info, ...(error && { error }), ...(skipped > 0 && { notUnderstood: skipped }) };
};
