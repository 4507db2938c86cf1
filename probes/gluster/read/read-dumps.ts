import type { Answer } from '../../../src/model/answer.ts';
import { type Section, sectionsOf } from '../../../src/kit/sections.ts';
import { clientOf, fileLocks } from './parse-file-locks.ts';
import { parseStatedump } from './parse-statedump.ts';
import type { ClientsReading, DumpFile, DumpsReading } from '../readings.ts';

/** Locks of one dump that are carried; those beyond are counted. */
const most = 500;

/** Reads the answer of the dumps script. */
export const readDumps = (answer: Answer): { value: DumpsReading; notUnderstood: number } => {
  const sections = sectionsOf(answer, 'reading the dumps');
  const named = sections.filter(({ word }) => word === 'file');
  const files = named.flatMap(fileOf);
  return {
    value: { files, unread: Number(sections.find(({ word }) => word === 'unread')?.rest ?? 0) },
    notUnderstood: named.length - files.length,
  };
};

/** `/var/run/gluster/srv-brick1-home0.109.dump.1700000000`: who wrote it and when stands in the name. */
const fileOf = ({ rest: file, body }: Section): DumpFile[] => {
  const [, name = '', pid, seconds] = /([^/]+)\.(\d+)\.dump\.(\d+)$/.exec(file) ?? [];
  if (pid === undefined || seconds === undefined) return [];
  const lines = body.split('\n');
  const locks = fileLocks(lines);
  const hosts = lines.flatMap((line) => {
    const id = /^conn\.\d+\.id=(\S+)/.exec(line)?.[1];
    return id === undefined ? [] : [clientOf(id)?.host ?? id];
  });
  return [
    {
      file,
      of: name === 'glusterdump' ? 'glusterd' : 'brick',
      pid: Number(pid),
      at: Number(seconds) * 1000,
      whole: lines.some((line) => line.startsWith('DUMP-END-TIME')),
      locks: locks
        .toSorted((a, b) => Number(b.state === 'BLOCKED') - Number(a.state === 'BLOCKED'))
        .slice(0, most)
        .map(({ pid: owner, ...lock }) => ({
          ...lock,
          ...(owner !== undefined && { pid: String(owner) }),
        })),
      more: Math.max(0, locks.length - most),
      clients: [...new Set(hosts)],
      held: name === 'glusterdump' ? parseStatedump({ stdout: `[global\n${body}` }).locks : [],
    },
  ];
};

/** Reads the answer of the clients script: `ss -Htnp` of the bricks, and `getent ahosts` of each name. */
export const readClients = (answer: Answer): { value: ClientsReading } => {
  const sections = sectionsOf(answer, 'listing the connections of the bricks');
  const lines = (sections.find(({ word }) => word === 'ends')?.body ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const ends = lines.flatMap((line) => {
    const [, far] = /^\s*\d+\s+\d+\s+\S+\s+(\S+)\s+users:/.exec(line) ?? [];
    const pid = /pid=(\d+)/.exec(line)?.[1];
    return far === undefined || pid === undefined ? [] : [{ pid: Number(pid), address: addressOf(far) }];
  });
  const odd = lines.find((line) => !/\susers:/.test(line));
  return {
    value: {
      ...(odd !== undefined && { failed: odd.trim().slice(0, 200) }),
      ends: [...new Map(ends.map((end) => [`${end.pid} ${end.address}`, end])).values()],
      names: sections
        .filter(({ word }) => word === 'name')
        .map(({ rest: name, body }) => ({
          name,
          addresses: [...new Set(body.split('\n').flatMap((line) => /^\S+/.exec(line) ?? []))],
        })),
    },
  };
};

/** `10.0.0.1:24007`, `[::ffff:10.0.0.1]:24007`, `[fe80::1]%eth0:24007`: the address alone. */
const addressOf = (far: string): string =>
  far
    .replace(/:\d+$/, '')
    .replace(/%[^\]]*/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '');
