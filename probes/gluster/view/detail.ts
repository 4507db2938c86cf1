import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell } from '../../../src/model/view.ts';
import { age, clock } from '../../../src/text/ages.ts';
import { bricksOf } from '../judge/bricks.ts';
import { bricksTable, healChart } from './bricks.ts';
import { dumpBlocks, isWrittenByBrick } from './detail-dumps.ts';
import { holder } from '../judge/held-lock.ts';
import { lockOfVolume } from '../judge/lock-state.ts';
import { eventsOf, findPeer, volumesOf } from '../judge/pool.ts';
import { poolsOfSubject } from '../judge/volume-ids.ts';

/** Everything known of a volume, a brick or a peer; empty for what gluster does not know. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] =>
  poolsOfSubject(subject, judgement).flatMap((one) => detailIn(one.subject, one.judgement, subject.id));

/** `id`: what the subject is called in the site, by which the history keeps it. */
const detailIn = (subject: Subject, judgement: Judgement, id: string): readonly Block[] => {
  if (subject.kind === 'volume') return volumeDetail(subject.id, judgement, id);
  if (subject.kind === 'host') return peerDetail(subject.id, judgement);
  if (subject.kind !== 'brick') return [];
  const volume = volumesOf(judgement)?.volumes.find((one) =>
    bricksOf(one, judgement).some(({ id }) => id === subject.id),
  );
  return volume ? volumeDetail(volume.name, judgement) : [];
};

type Facts = { name: string; cell: Cell; source?: string }[];

const volumeDetail = (name: string, judgement: Judgement, id = name): Block[] => {
  const volume = volumesOf(judgement)?.volumes.find((one) => one.name === name);
  if (!volume) return [];
  const found = lockOfVolume(name, judgement);
  const facts: Facts = [
    {
      name: 'type',
      cell: {
        text: `${volume.type ?? ''}${volume.replica === undefined ? '' : `, replica ${volume.replica}`}`,
      },
    },
    { name: 'status', cell: { text: volume.status ?? '' } },
    ...(found.state === 'free' ? [{ name: 'lock', cell: { text: 'free', age: found.at } }] : []),
    ...(found.state === 'unknown' ? [{ name: 'lock', cell: { text: `not known: ${found.why}` } }] : []),
    ...(found.state === 'held' ? lockFacts(found.lock, judgement) : []),
  ];
  return [
    { type: 'facts', id: 'volume', facts },
    bricksTable(volume, judgement),
    healChart(id, judgement),
    ...dumpBlocks(judgement, (dump) => isWrittenByBrick(dump, volume, judgement), name),
    ...logBlock(judgement, (event) => event.volume === undefined || event.volume === name),
  ];
};

const lockFacts = (
  lock: Extract<ReturnType<typeof lockOfVolume>, { state: 'held' }>['lock'],
  judgement: Judgement,
): Facts => [
  {
    name: 'lock',
    cell: {
      text: `held by ${holder(lock)}, ${lock.kind} since ${clock(lock.since)} at the latest`,
      sign: lock.kind === 'running' ? 'notice' : 'critical',
    },
  },
  { name: 'owner', cell: { text: `${lock.ownerName} (${lock.owner})` } },
  { name: 'free on', cell: { text: lock.free.join(', ') || 'none' } },
  ...lock.unseen.map(({ host, why }) => ({ name: `not seen on ${host}`, cell: { text: why } })),
  {
    name: 'timer',
    cell: {
      text:
        lock.endsAt === undefined
          ? 'none in this version'
          : lock.endsAt > judgement.now
            ? `frees it within ${age(lock.endsAt - judgement.now)}, by ${clock(lock.endsAt)}`
            : `was to free it by ${clock(lock.endsAt)}`,
    },
  },
  ...lock.reasons.map((text) => ({ name: 'because', cell: { text } })),
  ...lock.evidence.map(({ text, host, at }) => ({ name: 'evidence', cell: { text, age: at }, source: host })),
];

const peerDetail = (host: string, judgement: Judgement): Block[] => {
  const peer = findPeer(host, judgement);
  if (!peer) return [];
  const { reading, lock, state } = peer;
  const skipped = lock?.good?.value.skipped;
  const facts: Facts = [
    {
      name: 'glusterd',
      cell: {
        text: `${state}${reading?.daemon.ageS === undefined ? '' : `, started ${age(reading.daemon.ageS * 1000)} ago`}`,
      },
    },
    {
      name: 'version',
      cell: { text: `${reading?.version ?? '?'}, op-version ${reading?.opVersion ?? '?'}` },
    },
    { name: 'uuid', cell: { text: peer.uuid ?? '' } },
    {
      name: 'locks',
      cell: {
        text:
          skipped === undefined
            ? (peer.dump?.locks.map(({ name }) => name).join(', ') ?? 'not read') || 'none'
            : `no dump: ${skipped}`,
      },
    },
    ...(lock?.good?.value.left === undefined
      ? []
      : [{ name: 'dump files left', cell: { text: `${lock.good.value.left}: not ours alone` } }]),
    ...(reading?.pool ?? []).map((one) => ({
      name: `sees ${one.host}`,
      cell: {
        text: `${one.connected ? 'connected' : 'disconnected'}${one.state === undefined ? '' : `, ${one.state}`}`,
      },
    })),
  ];
  return [
    { type: 'facts', id: 'peer', title: 'Gluster', facts: facts.filter(({ cell }) => cell.text !== '') },
    ...dumpBlocks(judgement, (dump) => dump.host === host),
    ...logBlock(judgement, (event) => event.host === host),
  ];
};

const logBlock = (
  judgement: Judgement,
  keep: (event: ReturnType<typeof eventsOf>[number]) => boolean,
): Block[] => {
  const events = eventsOf(judgement).filter(keep).slice(-20);
  return [
    {
      type: 'text',
      id: 'log',
      title: "Locks in glusterd's logs, last hour",
      lines:
        events.length === 0
          ? [{ text: 'nothing' }]
          : events.map(({ host, text, ourAt }) => ({ text: `${clock(ourAt)} ${host}: ${text}` })),
    },
  ];
};
