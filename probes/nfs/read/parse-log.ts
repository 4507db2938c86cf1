import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { wholeNumber } from './words.ts';

export type NfsEventKind =
  | 'notResponding'
  | 'timedOut'
  | 'ok'
  | 'cannotMonitor'
  | 'cannotUnmonitor'
  | 'lostLocks'
  | 'fileidChanged'
  | 'grace'
  | 'trunked';

/** A line of the kernel about NFS; its text without the stamp. */
export interface NfsEvent {
  kind: NfsEventKind;
  text: string;
  /** Seconds since the boot. */
  upS?: number;
  /** ISO 8601, UTC. */
  at?: string;
  /** nfs, nfsacl, lockd or statd. */
  program?: string;
  server?: string;
  /** The peer that the local rpc.statd could not be asked to watch: that statd is the fault, not the peer. */
  host?: string;
  count?: number;
  seconds?: number;
  limit?: number;
  addr?: string;
}

export interface NfsLog {
  events: NfsEvent[];
}

type Fields = Partial<Omit<NfsEvent, 'kind' | 'text'>>;

const number = (text: string | undefined): number => wholeNumber(text) ?? 0;
const ofServer = (program = '', server = ''): Fields => ({ program, server });

/** Words of the kernel (net/sunrpc/clnt.c, fs/lockd/mon.c, fs/nfs/{nfs4state,inode}.c, fs/nfsd/nfs4state.c), and what they carry. */
const forms: readonly (readonly [
  NfsEventKind,
  RegExp,
  (found: readonly (string | undefined)[]) => Fields,
])[] = [
  [
    'notResponding',
    /^(\w+): server (\S+) not responding, still trying/,
    ([, program, server]) => ofServer(program, server),
  ],
  [
    'timedOut',
    /^(\w+): server (\S+) not responding, timed out/,
    ([, program, server]) => ofServer(program, server),
  ],
  ['ok', /^(\w+): server (\S+) OK\s*$/, ([, program, server]) => ofServer(program, server)],
  ['cannotMonitor', /^lockd: cannot monitor (\S+)/, ([, host = '']) => ({ host })],
  ['cannotUnmonitor', /^lockd: cannot unmonitor (\S+)/, ([, host = '']) => ({ host })],
  [
    'lostLocks',
    /^NFS: (\S+): lost (\d+) locks/,
    ([, server = '', count]) => ({ server, count: number(count) }),
  ],
  ['fileidChanged', /^NFS: server (\S+) error: fileid changed/, ([, server = '']) => ({ server })],
  ['grace', /^NFSD: starting (\d+)-second grace period/, ([, seconds]) => ({ seconds: number(seconds) })],
  [
    'trunked',
    /^SUNRPC: reached max allowed number \((\d+)\) did not add transport to server: (\S+)/,
    ([, limit, addr = '']) => ({ limit: number(limit), addr }),
  ],
];

const ring = /^(?:<\d+>)?(?:\w+ *:\w+ *: )?\[ *(\d+\.\d+)\](?:\[ *[TC]\d+\])? (.*)$/;
const journal = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)) \S+ kernel: (.*)$/;

/** An ISO stamp with its offset (`+0100` or `+01:00`) as UTC. */
const asUtc = (stamp: string): string | undefined => {
  const time = Date.parse(
    stamp
      .replace(' ', 'T')
      .replace(',', '.')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
  );
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace('.000Z', 'Z');
};

const stampOf = (line: string): { stamp: Fields; text: string } | undefined => {
  const [, upS, ringText] = ring.exec(line) ?? [];
  if (ringText !== undefined) return { stamp: { upS: Number(upS) }, text: ringText };
  const [, when = '', said] = journal.exec(line) ?? [];
  const at = asUtc(when);
  return said === undefined
    ? undefined
    : { stamp: at === undefined ? {} : { at }, text: said.replace(/^\[ *\d+\.\d+\] /, '') };
};

const eventOf = (stamp: Fields, text: string): NfsEvent[] => {
  for (const [kind, form, carried] of forms) {
    const found = form.exec(text);
    if (found) return [{ kind, text: text.trim(), ...stamp, ...carried(found) }];
  }
  return [];
};

/** Reads kernel lines (`dmesg`, `journalctl -k -o short-iso`): those about NFS are events, others are none. An empty log has none. */
export const parseLog = ({ stdout }: ParseInput): NfsLog => {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const stamped = lines.map(stampOf);
  // dmesg -t prints no stamps: then the words alone are the proof.
  const events = stamped.flatMap((found, at) => eventOf(found?.stamp ?? {}, found?.text ?? lines[at] ?? ''));
  if (
    lines.length > 0 &&
    events.length === 0 &&
    !stamped.some((found) => found !== undefined) &&
    !lines.some((line) => line.startsWith('-- '))
  )
    throw new NotThisFormat('no line has a stamp of the kernel log');
  return { events };
};
