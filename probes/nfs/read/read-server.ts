import type { Answer } from '../../../src/model/answer.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findSection, sectionsOf } from '../../../src/kit/sections.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import type { CallsReading, DryRunReading, ServerReading } from '../readings.ts';
import { parseClients } from './parse-clients.ts';
import { parsePool } from './parse-counters.ts';
import { parseExports } from './parse-exports.ts';
import { Parts } from './read-parts.ts';

/** Threads of nfsd: idle ones are `I`, on older kernels `S`; `D` waits in a disk, `R` works. */
const readWorkers = ({ stdout }: ParseInput): NonNullable<ServerReading['workers']> => {
  if (!/^STAT\s/.test(stdout)) throw new Error('no list of processes');
  const rows = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , comm]) => comm === 'nfsd');
  const waiting = rows.filter(([stat = '']) => stat.startsWith('D'));
  return {
    all: rows.length,
    waiting: waiting.length,
    wchans: [...new Set(waiting.map(([, wchan = '']) => wchan))].slice(0, 5),
  };
};

const readSockets = ({ stdout }: ParseInput): NonNullable<ServerReading['sockets']> => {
  if (!/^(?:State\s+)?Recv-Q\s/.test(stdout)) throw new Error('no table of sockets');
  const queues = stdout.split('\n').flatMap((line) => {
    const [, recvQ] = /^(?:ESTAB\s+)?(\d{1,10})\s+\d{1,10}\s+\S+:2049\s/.exec(line) ?? [];
    return recvQ === undefined ? [] : [Number(recvQ)];
  });
  return { all: queues.length, queued: queues.filter((bytes) => bytes > 0).length };
};

/** A table that is not whole (exportfs was ended, or says why it failed) is none: what it lacks would pass for withdrawn. */
const readExports = (input: ParseInput): NonNullable<ServerReading['exports']> => {
  const { exports, notUnderstood } = parseExports(input);
  if (notUnderstood !== undefined) throw new Error('exportfs did not give its whole table');
  return exports.map(({ path, client, options }) => ({ path, client, ...dropUndefined({ options }) }));
};

/**
 * `nfsd 10.9.0.21 10.9.0.0/24,@nodes`, a row without an entry in force behind `#`; of an address that no export is for, `-no-domain-`
 * (Linux net/sunrpc/svcauth_unix.c, ip_map_show). mountd joins by comma what matches the address (nfs-utils support/export/client.c).
 */
const readKnown = ({ stdout }: ParseInput): NonNullable<ServerReading['known']> => {
  if (!stdout.startsWith('#class IP domain')) throw new Error('no table of addresses');
  return stdout.split('\n').flatMap((line) => {
    const [, address, domain = ''] = /^nfsd (\S{2,45}) (\S{1,4000})$/.exec(line) ?? [];
    return address === undefined
      ? []
      : [{ address, clients: domain === '-no-domain-' ? [] : domain.split(',') }];
  });
};

const countOf = (value: number | bigint | undefined): bigint | undefined =>
  value === undefined ? undefined : BigInt(value);

/** Reads the answer of the server script. `now`: UTC ms. */
export const readServer = (answer: Answer, now: number): { value: ServerReading } => {
  const sections = sectionsOf(answer, 'reading nfsd');
  const parts = new Parts(sections);
  const [pool] = parts.read('pools', parsePool)?.pools ?? [];
  const clients = findSection(sections, 'clients') && parts.read('clients', parseClients)?.clients;
  return {
    value: {
      ...dropUndefined({
        threads: parts.number('threads'),
        packets: countOf(pool?.['packetsArrived']),
        woken: countOf(pool?.['threadsWoken']),
        leaseS: parts.number('lease'),
        graceS: parts.number('grace'),
        workers: parts.read('workers', readWorkers),
        sockets: parts.read('sockets', readSockets),
        clients: clients?.map(({ address, name, status, renewS }) =>
          dropUndefined({ address, name, status, renewS }),
        ),
        exports: parts.read('exports', readExports),
        known: findSection(sections, 'known') && parts.read('known', readKnown),
        lines: parts.lines(now),
      }),
      calls: parts.calls(),
      unread: parts.unread,
    },
  };
};

/** Reads what RPC services answered. */
export const readCalls = (answer: Answer): { value: CallsReading } => ({
  value: { calls: new Parts(sectionsOf(answer, 'calling RPC services')).calls() },
});

const exportsIn = (text: string): DryRunReading['live'] =>
  text.trim() === '' ? [] : readExports({ stdout: text });

/** Reads the try of /etc/exports in a namespace of its own; a table that can't be read makes it a failed one. */
export const readDryRun = (answer: Answer): { value: DryRunReading } => {
  const sections = sectionsOf(answer, 'trying /etc/exports');
  const bodyOf = (word: string): string => findSection(sections, word)?.body ?? '';
  const said = bodyOf('dry')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const tried = findSection(sections, 'tried');
  const live = exportsIn(bodyOf('live'));
  if (!tried) return { value: { failed: said[0] ?? 'it did not come to its end', said, exports: [], live } };
  return { value: { code: Number(tried.rest), said, exports: exportsIn(tried.body), live } };
};
