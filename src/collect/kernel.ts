import type { RawAnswer } from '../model/answer.ts';
import type { Carried } from '../model/dependency.ts';
import type { Finding } from '../model/finding.ts';
import { decode } from '../text/bytes.ts';
import { moment } from '../text/ages.ts';
import { visible } from '../text/safe.ts';
import { cut } from '../text/width.ts';
import { SUMMARY } from './planned.ts';

/** A kernel line of a kind that operators look for. */
export interface KernelLine {
  kind: string;
  /** UTC ms; absent when the line has no time. */
  at?: number;
  text: string;
}

/** What a host's kernel says of itself, asked on demand. */
export interface Kernel {
  at: number;
  release?: string;
  uptimeMs?: number;
  /** The newest last. */
  lines: readonly KernelLine[];
  /** Lines that were read, and from where. */
  read: number;
  from?: 'the journal' | 'dmesg';
  /** Why the journal, which is asked first, gave none. */
  noJournal?: string;
  /** Not all came, or more than was kept: the newest lines are missing. */
  cut?: boolean;
  /** Why the lines could not be read. */
  problem?: string;
}

const MARK = '--faultline-kernel--';

const DAY_MS = 24 * 3_600_000;

/** Lines of a kind shown. */
const MOST = 50;

/** Release, uptime, then the kernel's messages since the boot from the journal. Reads only. */
export const journalScript = [
  'uname -r',
  'cat /proc/uptime',
  `printf '%s\\n' ${MARK}`,
  'journalctl -k -q --no-pager -o short-unix -n 4000',
].join('\n');

/**
 * The kernel's ring buffer, for where the journal gave nothing: journalctl ends with 0 and no line when no journal is kept or the
 * account may read none of the system's (it wants the group systemd-journal or adm). `dmesg` wants root where kernel.dmesg_restrict
 * is set. Sent on its own: a sudo that is refused is written down on the host, so it is not tried for nothing.
 */
export const ringScript = 'dmesg || sudo -n dmesg';

/** Kinds of lines, first match wins. Words as the kernel prints them (fs/nfs, fs/lockd, mm/oom_kill, drivers). */
const kinds: readonly { kind: string; pattern: RegExp }[] = [
  { kind: 'lockd', pattern: /\blockd: cannot (?:un)?monitor \S+|lockd: server \S+ not responding/i },
  { kind: 'nfs', pattern: /\bnfs: server \S+ (?:not responding|OK)|NFS: .*(?:timed out|stale)/i },
  { kind: 'lustre', pattern: /\bLustreError\b|Lustre: .*(?:evict|lost|was lost)/ },
  { kind: 'mce', pattern: /\bmce:|Machine check|\[Hardware Error\]|EDAC .*\b(?:CE|UE)\b/i },
  { kind: 'xid', pattern: /NVRM: Xid/ },
  { kind: 'oom', pattern: /Out of memory|oom-kill|invoked oom-killer|Killed process/i },
  { kind: 'link', pattern: /(?:NIC )?Link is Down|link (?:is )?down\b|link becomes not ready/i },
  { kind: 'hung', pattern: /blocked for more than \d+ seconds|soft lockup|rcu.*stall/i },
  { kind: 'disk', pattern: /I\/O error|EXT4-fs error|XFS .*(?:corrupt|shut ?down)|Buffer I\/O/i },
];

const readLine = (line: string, bootedAt: number | undefined): KernelLine | undefined => {
  const found = kinds.find(({ pattern }) => pattern.test(line));
  if (!found) return undefined;
  const journal = /^(\d{9,11}(?:\.\d+)?) \S+ kernel: (.*)$/.exec(line);
  if (journal) return { kind: found.kind, at: Math.round(Number(journal[1]) * 1000), text: text(journal[2]) };
  const ring = /^(?:<\d+>)?\[ *(\d+\.\d+)\] (.*)$/.exec(line);
  if (!ring || bootedAt === undefined) return { kind: found.kind, text: text(line) };
  return { kind: found.kind, at: Math.round(bootedAt + Number(ring[1]) * 1000), text: text(ring[2]) };
};

const text = (line: string | undefined): string => visible(line ?? '', 300);

/** Why an answer says nothing, in words without the host's name; undefined when it came whole. */
const unanswered = (answer: RawAnswer): string | undefined => {
  if (answer.notConnected) return answer.notConnected.message;
  if (answer.timedOut) return 'did not come in time';
  return answer.lost || answer.cancelled ? 'the connection was lost' : undefined;
};

/** What the host itself said against it, else the exit code. */
const complaint = ({ stderr, exitCode }: RawAnswer): string =>
  decode(stderr).trim().split('\n').join('; ') || `exit ${exitCode ?? 'not known'}`;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/**
 * Reads what the journal answered, and where that was nothing what the ring buffer did; every way in which both are nothing is a
 * problem with words. `now`: UTC ms of the answer.
 */
export const readKernel = (journal: RawAnswer, host: string, now: number, ring?: RawAnswer): Kernel => {
  const [head = '', body] = decode(journal.stdout).split(`${MARK}\n`);
  const [release = '', uptime = ''] = head.split('\n');
  const seconds = Number(uptime.split(' ')[0]);
  const uptimeMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
  const known = {
    at: now,
    ...(/^\d/.test(release) && { release: visible(release, 100) }),
    ...(uptimeMs !== undefined && { uptimeMs }),
  };
  const none = (problem: string): Kernel => ({
    ...known,
    lines: [],
    read: 0,
    problem: visible(problem.startsWith(host) ? problem : `${host}: ${problem}`, 300),
  });
  const given = (lines: readonly string[], answer: RawAnswer) => {
    const cut = answer.truncated || unanswered(answer) !== undefined;
    const bootedAt = uptimeMs === undefined ? undefined : now - uptimeMs;
    const found = lines.flatMap((line) => readLine(line, bootedAt) ?? []);
    return { ...known, lines: found.slice(-MOST), read: lines.length, ...(cut && { cut }) };
  };
  const lines = linesOf(body ?? '');
  if (lines.length > 0) return { ...given(lines, journal), from: 'the journal' };
  const reason = unanswered(journal);
  if (reason !== undefined && !ring) return none(reason);
  const noJournal = visible(
    reason ??
      (journal.exitCode === 0 && journal.stderr.byteLength === 0
        ? 'it is empty or not readable for this account'
        : complaint(journal)),
    200,
  );
  if (!ring) return none(`the kernel's messages cannot be read: the journal: ${noJournal}`);
  const buffer = linesOf(decode(ring.stdout));
  if (buffer.length > 0) return { ...given(buffer, ring), from: 'dmesg', noJournal };
  const silent = unanswered(ring) ?? (ring.exitCode === 0 ? 'empty' : complaint(ring));
  return none(`the kernel's messages cannot be read: the journal: ${noJournal}; dmesg: ${silent}`);
};

const serverOf = (line: string): string | undefined =>
  /(?:server|monitor) (\S+?)[,:]?(?: |$)/.exec(line)?.[1];

/** What the lines prove: file locks that are refused (incident 13), NFS servers that do not answer. Others are evidence only. */
export const kernelFindings = (host: string, kernel: Kernel): readonly Finding[] => {
  const servers = new Map<string, KernelLine>();
  for (const line of kernel.lines.filter(({ kind }) => kind === 'nfs')) {
    const server = serverOf(line.text);
    if (server === undefined) continue;
    if (line.text.trim().endsWith(' OK')) servers.delete(server);
    else servers.set(server, line);
  }
  // A lock that was refused last week says nothing about tonight; a line without a time may be of now.
  const locks = kernel.lines.filter(
    ({ kind, text, at = kernel.at }) => kind === 'lockd' && /monitor/.test(text) && kernel.at - at < DAY_MS,
  );
  const lastLock = locks.findLast(({ at }) => at !== undefined)?.at;
  const last = lastLock === undefined ? '' : `, last at ${moment(lastLock, kernel.at)}`;
  const proof = (line: KernelLine) => ({
    text: line.text,
    probe: 'host.kernel',
    host,
    ...(line.at !== undefined && { at: line.at }),
  });
  const make = (
    kind: string,
    summary: string,
    advice: string,
    lines: readonly KernelLine[],
    what: Carried,
  ): Finding => {
    const from = [...new Set(lines.flatMap((line) => serverOf(line.text) ?? []))];
    const first = lines.find(({ at }) => at !== undefined)?.at;
    return {
      id: `site:${kind}:${host}`,
      system: 'site',
      kind,
      severity: 'warning',
      subject: { kind: 'host', id: host },
      summary: cut(summary, SUMMARY),
      advice,
      evidence: lines.slice(-10).map(proof),
      lacks: [{ what, of: [{ kind: 'host', id: host }], from: from.map((id) => ({ kind: 'host', id })) }],
      hurt: {},
      remedies: [],
      ...(first !== undefined && { since: first }),
    };
  };
  return [
    ...(locks.length === 0
      ? []
      : [
          make(
            'lockd',
            `${host}: NFS file locks are refused${last}: rpc.statd there does not answer lockd`,
            'NFSv3 only: see whether rpc.statd runs ("rpcinfo -p", program 100024); restart rpc-statd, then try a lock again.',
            locks,
            'reach',
          ),
        ]),
    ...(servers.size === 0
      ? []
      : [
          make(
            'nfs',
            `${host}: NFS server ${[...servers.keys()].join(', ')} does not answer, says its kernel`,
            'Ping the server with large packets too; look at the link errors on the way.',
            [...servers.values()],
            'data',
          ),
        ]),
  ];
};
