import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { type BrickState, findWithoutSelfHeal, isSelfHealOff } from './bricks.ts';
import { splitCount } from './find-split.ts';
import { finding, healOf, healReadAt, hostOfName } from './pool.ts';
import type { GlusterVolume, HealReading } from '../readings.ts';
import { sum } from '../read/read-volumes.ts';

type Heal = HealReading['volumes'][number];

/**
 * Whether what waits may be no more than changes on their way (a large `rm -r`, a rebalance): every brick runs, was reached and
 * counted, and within each set of copies all list about as much. What some copies list and another does not is what that one has
 * missed: a client does not reach it.
 */
const isUnderWay = (
  { replica = 1, disperse }: GlusterVolume,
  bricks: readonly BrickState[],
  { bricks: counted }: Heal,
  judgement: Judgement,
): boolean => {
  const size = Math.max(1, disperse ?? replica);
  const pendings = bricks.map(
    ({ host, path, state }) =>
      (state === 'up' || undefined) &&
      counted.find(
        (one) => one.connected && one.path === path && (hostOfName(one.host, judgement) ?? one.host) === host,
      )?.pending,
  );
  const sets = Map.groupBy(pendings, (_pending, index) => Math.floor(index / size));
  return [...sets.values()].every((set) => {
    const pendingCounts = set.flatMap((pending) => pending ?? []);
    return (
      pendingCounts.length === set.length && Math.min(...pendingCounts) * 2 >= Math.max(...pendingCounts)
    );
  });
};

/** The self-heal daemon goes through what waits every cluster.heal-timeout, 600 s, and when a brick comes back; so many times in vain. */
const crawls = 6;
const crawlMs = ({ options }: GlusterVolume): number => {
  const seconds = Number(options['cluster.heal-timeout'] ?? '');
  return (seconds > 0 ? seconds : 600) * 1000;
};

/**
 * Whether the daemon tries and does not get on: all bricks run and were reached, every brick counts the same over several of its rounds,
 * and nothing is being healed at the moment (a large file takes hours). Beside a folder in split-brain the names in it wait, for a person.
 */
const isStuck = (volume: GlusterVolume, bricks: readonly BrickState[], heal: Heal): boolean =>
  heal.error === undefined &&
  heal.at - (heal.sameSince ?? heal.at) >= crawls * crawlMs(volume) &&
  bricks.every(({ state }) => state === 'up') &&
  heal.bricks.every(({ connected, healing, split }) => connected && healing === 0 && split === 0);

interface Course {
  /** Sums, the newest first. */
  row: readonly number[];
  state: 'grows' | 'passes' | 'stuck' | 'switched off' | 'without daemon' | 'heals';
}

const courseOf = (
  volume: GlusterVolume,
  bricks: readonly BrickState[],
  heal: Heal,
  judgement: Judgement,
): Course => {
  const row = [sum(heal.bricks), ...heal.before];
  const [now = 0, last = 0, first = 0] = row;
  const heals = findWithoutSelfHeal(volume, judgement).length === 0;
  const grows = row.length >= 3 && now > last && last > first;
  if (grows && !(heals && isUnderWay(volume, bricks, heal, judgement))) return { row, state: 'grows' };
  if (isSelfHealOff(volume)) return { row, state: 'switched off' };
  if (grows) return { row, state: 'passes' };
  if (!heals) return { row, state: 'without daemon' };
  return { row, state: isStuck(volume, bricks, heal) ? 'stuck' : 'heals' };
};

const adviceOf = ({ name }: GlusterVolume, state: Course['state']): string =>
  ({
    grows:
      'See that all bricks and self-heal daemons run, that all clients reach all bricks (the one that lists the least is the one that was missed), and that no lock stands in the way.',
    passes:
      'All bricks run and list about as much: changes on their way, as a large rm -r or a rebalance makes them. Look at the clients of the volume if it does not end.',
    stuck: `The self-heal daemons run and get no further: gluster volume heal ${name} info names what waits, glustershd.log on the hosts of the bricks says why (another gfid or type of a name, no copy that is whole, a disk without space).`,
    'switched off':
      'The self-heal daemon is switched off for this volume: entries are healed only when a client opens them, or when it is switched on.',
    'without daemon': 'No self-heal daemon runs on some host: entries that wait there stay unhealed.',
    heals: 'Healing goes on by itself.',
  })[state];

const textOf = ({ row, state }: Course, { sameSince, at }: Heal, now: number): string => {
  if (state === 'stuck') return `, as many since ${clockTime(sameSince ?? at, now)}: none gets healed`;
  return state === 'grows' || state === 'passes'
    ? `, growing: ${row.slice(0, 3).toReversed().map(groupThousands).join(', ')}`
    : '';
};

/** Pending heals: what grows over three readings, or stands, is a warning unless it is work that passes; what shrinks is progress. */
export const healFindings = (
  volume: GlusterVolume,
  bricks: readonly BrickState[],
  judgement: Judgement,
): FindingDraft[] => {
  const { name } = volume;
  const heal = healOf(judgement).get(name);
  if (!heal) return [];
  const course = courseOf(volume, bricks, heal, judgement);
  const waiting = (course.row[0] ?? 0) - splitCount(heal);
  // What is in split-brain waits for a person, and is told as that.
  if (waiting <= 0) return [];
  return [
    finding({
      kind: 'heal-pending',
      key: name,
      subject: { kind: 'volume', id: name },
      severity: course.state === 'grows' || course.state === 'stuck' ? 'warning' : 'notice',
      summary: `${name}: ${groupThousands(waiting)} ${waiting === 1 ? 'entry waits' : 'entries wait'} to be healed${textOf(course, heal, judgement.now)}`,
      advice: adviceOf(volume, course.state),
      evidence: heal.bricks.map(({ host = '?', path, pending, connected }) => ({
        text: `${host}:${path}: ${connected ? `${pending ?? '?'} pending` : 'not connected'}`,
        probe: 'gluster.heal',
        at: healReadAt(heal),
      })),
    }),
  ];
};
