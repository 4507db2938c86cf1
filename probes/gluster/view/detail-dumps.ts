import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Row } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import { bricksOf } from '../judge/bricks.ts';
import { nameOfUuid } from '../judge/pool.ts';
import type { GlusterVolume } from '../readings.ts';
import { findDumps, type SeenDump, type SeenLock, seenLocks } from '../judge/seen-locks.ts';

/** Whether a brick of the volume wrote this dump. */
export const isWrittenByBrick = (dump: SeenDump, volume: GlusterVolume, judgement: Judgement): boolean =>
  dump.of === 'brick' &&
  (dump.locks.some((lock) => lock.volume === volume.name) ||
    bricksOf(volume, judgement).some(({ host, pid }) => host === dump.host && pid === dump.pid));

/** Where dumps lie and what they show: by client and path, those that wait first. Nothing before a dump was asked for. */
export const dumpBlocks = (
  judgement: Judgement,
  wanted: (dump: SeenDump) => boolean,
  volume?: string,
): Block[] => {
  const dumps = findDumps(judgement).filter(wanted);
  if (dumps.length === 0) return [];
  const files = new Set(dumps.map(({ host, file }) => `${host} ${file}`));
  const locks = seenLocks(judgement).filter(
    (lock) =>
      files.has(`${lock.dump.host} ${lock.dump.file}`) && (volume === undefined || lock.volume === volume),
  );
  return [
    {
      type: 'text',
      id: 'dumps',
      title: 'Newest dumps on the peers',
      lines: dumps.map((dump) => ({ text: `${dump.host}:${dump.file}: ${summaryOf(dump, judgement)}` })),
    },
    {
      type: 'table',
      id: 'file-locks',
      title: 'Locks on files, by dumps of the last 10 min',
      columns: [
        { id: 'state', title: 'STATE', min: 8 },
        { id: 'client', title: 'CLIENT', min: 16, grow: 1 },
        { id: 'path', title: 'PATH', min: 16, grow: 2 },
        { id: 'type', title: 'TYPE', min: 7, drop: 2 },
        { id: 'on', title: 'ON', min: 6 },
        { id: 'holders', title: 'HELD BY', min: 12, grow: 1, drop: 1 },
      ],
      rows: rowsOf(locks),
      empty: 'none',
    },
  ];
};

const summaryOf = (dump: SeenDump, judgement: Judgement): string => {
  const taken = `${age(judgement.now - dump.takenAt)} old`;
  if (!dump.whole) return `${taken}, cut off: it proves nothing`;
  if (dump.of === 'glusterd') {
    const held = dump.held.map(({ name, owner }) => `${name} locked for ${nameOfUuid(owner, judgement)}`);
    return `${taken}, ${held.join(', ') || 'no volume is locked'}`;
  }
  const waiting = dump.locks.filter(({ state }) => state === 'BLOCKED').length;
  const more = dump.more === 0 ? '' : `, ${dump.more} of them not shown`;
  return `${taken}, ${dump.locks.length + dump.more - waiting} locks active, ${waiting} waiting${more}`;
};

/** One row for a client, path and kind, with all bricks that show it. */
const rowsOf = (locks: readonly SeenLock[]): Row[] =>
  [...Map.groupBy(locks, ({ state, client, path, type }) => `${state} ${client} ${path} ${type}`)].map(
    ([key, all]): Row => {
      const [first] = all;
      const waits = first?.state === 'BLOCKED';
      return {
        key,
        sign: waits ? 'warning' : 'fine',
        cells: {
          state: { text: waits ? 'waiting' : 'active' },
          client: { text: first?.client ?? '' },
          path: { text: first?.path ?? '' },
          type: { text: first?.type ?? '' },
          on: { text: [...new Set(all.map(({ host }) => host))].join(', ') },
          holders: { text: waits ? first?.holders.join(', ') || 'nobody seen' : '' },
        },
      };
    },
  );
