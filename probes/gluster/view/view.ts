import { blank, figure, worstSign } from '../../../src/kit/rows.ts';
import { trendCell } from '../../../src/kit/trends.ts';
import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, PaneView, Row, TableBlock } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import { compareByName } from '../../../src/text/nodeset.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { role } from '../settings.ts';
import { bricksOf } from '../judge/bricks.ts';
import { lockFindings } from '../judge/find-locks.ts';
import { lockCourse } from '../judge/track-locks.ts';
import type { HeldLock } from '../judge/held-lock.ts';
import { lockOfVolume, locksOf } from '../judge/lock-state.ts';
import { eachPool } from '../pools.ts';
import { volumeId } from '../judge/volume-ids.ts';
import { healOf, type Peer, peersOf, volumesOf } from '../judge/pool.ts';
import type { GlusterVolume } from '../readings.ts';
import { sum } from '../read/read-volumes.ts';

/** The pane: volumes with their lock, bricks and heals; the peers below. */
export const view = (judgement: Judgement): PaneView => {
  const pools = eachPool(judgement);
  const known = pools.flatMap((one) => volumesOf(one.judgement) ?? []);
  const isKnown = known.length > 0;
  const peers = peersOf(judgement);
  const empty = isKnown ? 'no volumes' : `not known: ${whyUnknown(judgement)}`;
  const volumes = volumesTable(judgement, empty);
  const blocks = [volumes, peersTable(judgement)];
  if (!isKnown)
    return {
      summary: `${count(peers.length, 'peer')}, volumes not known`,
      sign: 'unknown',
      wall: 'not known',
      blocks,
    };
  const bad = volumes.rows.filter(({ sign }) => sign === 'critical' || sign === 'warning').length;
  const total = known.flatMap((one) => one.volumes).length;
  const unknown = peers.filter(({ state }) => state === 'unknown').length;
  const down = peers.filter(({ state }) => state !== 'up').length - unknown;
  return {
    summary: [
      count(peers.length, 'peer'),
      ...(pools.length > 1 ? [`${pools.length} pools`] : []),
      ...(down > 0 ? [`${down} not answering`] : []),
      ...(unknown > 0 ? [`${unknown} not known`] : []),
      count(total, 'volume'),
    ].join(', '),
    sign: worstSign([...volumes.rows.map(({ sign }) => sign), ...peers.map(peerSign)]),
    // One in trouble may well serve.
    wall: bad === 0 ? `${total}/${total} vol` : `${bad} of ${total} vol in trouble`,
    blocks,
  };
};

const whyUnknown = ({ readings }: Judgement): string => {
  const sources = readings.sources('gluster.volumes');
  return sources.find(({ failure }) => failure !== undefined)?.failure?.message ?? 'not read yet';
};

const volumesTable = (judgement: Judgement, empty: string): TableBlock => ({
  type: 'table',
  id: 'volumes',
  columns: [
    { id: 'volume', title: 'VOLUME', min: 10, grow: 1 },
    { id: 'lock', title: 'LOCK', min: 26, grow: 2 },
    { id: 'course', title: 'LOCKED 1 H', min: 12, drop: 2 },
    { id: 'bricks', title: 'BRICKS', align: 'right', min: 6 },
    { id: 'heal', title: 'HEAL', align: 'right', min: 6 },
    { id: 'type', title: 'TYPE', min: 12, drop: 1 },
  ],
  rows: eachPool(judgement).flatMap(({ pool, judgement: own }) =>
    (volumesOf(own)?.volumes ?? []).map((volume) =>
      volumeRow(volume, volumeId(volume.name, pool, judgement), own),
    ),
  ),
  empty,
});

const volumeRow = (volume: GlusterVolume, id: string, judgement: Judgement): Row => {
  const lock = lockCell(volume.name, judgement);
  const bricks = bricksCell(volume, judgement);
  const heal = healCell(volume.name, judgement);
  const started = volume.status === 'Started';
  const sign = worstSign([
    lock.sign === 'unknown' ? undefined : lock.sign,
    started ? bricks.sign : undefined,
    heal.sign,
  ]);
  const stale = judgement.readings
    .sources('gluster.volumes')
    .every(({ state }) => state === 'failed' || state === 'stale');
  return {
    key: id,
    subject: { kind: 'volume', id },
    sign,
    ...(stale && { stale: true }),
    cells: {
      volume: { text: id },
      lock,
      course: trendCell(judgement, lockCourse(id)),
      bricks,
      heal,
      type: {
        text: [volume.type ?? '', started ? '' : (volume.status ?? '')]
          .filter((word) => word !== '')
          .join(', '),
      },
    },
    sources: [
      ...judgement.site.hostsWithRole(role).flatMap(({ name: host }) => [
        { probe: 'gluster.lock', host },
        { probe: 'gluster.peer', host },
        { probe: 'gluster.log', host },
      ]),
      ...judgement.readings
        .sources('gluster.volumes')
        .filter(({ good }) => good !== undefined)
        .map(({ probe, host }) => ({ probe, host })),
    ],
  };
};

const shortKind: Readonly<Record<HeldLock['kind'], string>> = {
  orphaned: 'orphan',
  blocked: 'waits',
  running: 'running',
  held: 'held',
};

/** `gl1 on gl3, 6 min, orphan`. */
const lockCell = (name: string, judgement: Judgement): Cell => {
  const found = lockOfVolume(name, judgement);
  if (found.state === 'free') return { text: 'free', sort: 'z' };
  if (found.state === 'unknown') return { text: `not known: ${found.why}`, sign: 'unknown' };
  const { lock } = found;
  const where = lock.on.length === 1 && lock.on[0] === lock.ownerHost ? '' : ` on ${lock.on.join(', ')}`;
  const finding = lockFindings(judgement).find(
    ({ subject }) => subject.id === (lock.volume ?? judgement.site.name),
  );
  return {
    text: `${lock.ownerName}${where}, ${age(judgement.now - lock.since)}, ${shortKind[lock.kind]}`,
    ...(finding && { sign: finding.severity }),
  };
};

const bricksCell = (volume: GlusterVolume, judgement: Judgement): Cell => {
  const bricks = bricksOf(volume, judgement);
  const up = bricks.filter(({ state }) => state === 'up').length;
  const unknown = bricks.filter(({ state }) => state === 'unknown').length;
  const down = bricks.length - up - unknown;
  const text = unknown > 0 ? `${up}+${unknown}?/${bricks.length}` : `${up}/${bricks.length}`;
  return {
    text,
    ...(down > 0
      ? { sign: 'warning' as const }
      : unknown > 0
        ? { sign: 'unknown' as const, showsSign: true as const }
        : {}),
  };
};

const healCell = (name: string, judgement: Judgement): Cell => {
  const heal = healOf(judgement).get(name);
  if (!heal) return blank;
  if (heal.error !== undefined) return { text: '?', sign: 'unknown', showsSign: true };
  const pending = sum(heal.bricks);
  return { ...figure(pending, groupThousands(pending)), ...(pending > 0 && { sign: 'notice' as const }) };
};

const signs: Readonly<Record<Peer['state'], Sign>> = {
  up: 'fine',
  starting: 'notice',
  unknown: 'unknown',
  down: 'warning',
  stopped: 'critical',
  silent: 'critical',
};

const peerSign = ({ state }: Peer): Sign => signs[state];

/** The peers: what runs, who sees whom, which locks each shows. */
const peersTable = (judgement: Judgement): TableBlock => ({
  type: 'table',
  id: 'peers',
  title: 'Peers',
  columns: [
    { id: 'peer', title: 'PEER', min: 8, grow: 1 },
    { id: 'glusterd', title: 'GLUSTERD', min: 9 },
    { id: 'sees', title: 'SEES', align: 'right', min: 5 },
    { id: 'locks', title: 'LOCKS', min: 14, grow: 1 },
    { id: 'version', title: 'VERSION', min: 7, drop: 1 },
  ],
  rows: eachPool(judgement).flatMap(({ judgement: own }) =>
    peersOf(own)
      .toSorted((a, b) => compareByName(a.host, b.host))
      .map((peer) => peerRow(peer, own)),
  ),
  empty: 'no host has the role gluster',
});

const peerRow = (peer: Peer, judgement: Judgement): Row => {
  const { host, reading, state, dump, lock } = peer;
  const pool = reading?.pool;
  const locks = locksOf(judgement).filter((one) => one.on.includes(host));
  const skipped = lock?.good?.value.skipped;
  const unread = lock?.failure?.kind === 'readOnly' ? 'not asked: read-only' : (skipped ?? 'not read');
  return {
    key: host,
    subject: { kind: 'host' as const, id: host },
    sign: peerSign(peer),
    cells: {
      peer: { text: host },
      glusterd: { text: state },
      sees: { text: pool ? `${pool.filter(({ connected }) => connected).length}/${pool.length}` : '' },
      locks: {
        text: dump
          ? locks.map((one) => `${one.volume ?? 'all'} for ${one.ownerName}`).join(', ') || 'none'
          : unread,
      },
      version: { text: reading?.version ?? '' },
    },
    sources: ['gluster.peer', 'gluster.lock', 'gluster.log'].map((probe) => ({ probe, host })),
  };
};
