import type { Action, Guard, Plan, PlanContext, Refusal, Reread } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, passUnless, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { type NoParameters, noParameters } from '../../../src/kit/offers.ts';
import { rereadOnce, commandHost, glusterSettles, glusterStep, lockGroup, planEach } from './parts.ts';
import { type BrickState, bricksOf } from '../judge/bricks.ts';
import { requireNotLocked } from './dump-parts.ts';
import { findPeer, hostOfUuid, volumesOf } from '../judge/pool.ts';
import type { DiskReading, GlusterVolume } from '../readings.ts';

const brickNow = (
  id: string,
  judgement: Judgement,
): { volume: GlusterVolume; brick: BrickState } | undefined => {
  for (const volume of volumesOf(judgement)?.volumes ?? []) {
    const brick = bricksOf(volume, judgement).find((one) => one.id === id);
    if (brick) return { volume, brick };
  }
  return undefined;
};

/** Why a brick's folder is not the brick; undefined when it is. An unmounted disk leaves an empty folder behind. */
const placeProblem = (
  { path, host }: BrickState,
  volume: GlusterVolume,
  live: Judgement,
): string | undefined => {
  const place = live.readings
    .source<DiskReading>('gluster.disk', host)
    ?.good?.value.bricks.find((one) => one.path === path);
  if (!place) return `${path} was not looked at`;
  if (place.state === 'hangs') return `the disk of ${path} does not answer on ${host}`;
  if (place.mount === undefined)
    return `${path} can't be found on ${host}: ${place.text ?? 'no reason given'}`;
  if (place.mount === '/') return `${path} lies on the root file system of ${host}: no disk is mounted there`;
  if (place.volumeId === undefined) return `${path} does not carry the volume's id: it is not the brick`;
  return place.volumeId === volume.id?.replaceAll('-', '')
    ? undefined
    : `${path} carries the id of another volume (${place.volumeId})`;
};

/** Guard 3: no process serves the brick. */
const notServed = ({ id, host }: BrickState, judgement: Judgement): Guard => ({
  id: '3 preconditions',
  text: `no process serves ${id}`,
  reads: [...rereads('gluster.peer', host), ...rereadOnce(judgement, 'gluster.volumes')],
  absolute: true,
  check: (live) => {
    const now = brickNow(id, live)?.brick;
    return now?.state === 'down'
      ? passGuard('down')
      : failGuard(`it is ${now?.state ?? 'gone'}${now?.why === undefined ? '' : `: ${now.why}`}`);
  },
});

/** Guard 3: its folder is the brick. */
const requireMounted = (brick: BrickState, volume: GlusterVolume): Guard => ({
  id: '3 brick',
  text: `${brick.path} on ${brick.host} is on a mount of its own and carries the volume's id`,
  reads: rereads('gluster.disk', brick.host),
  absolute: true,
  check: (live) => passUnless(placeProblem(brick, volume, live), 'mounted, id matches'),
});

/** Whether the glusterd that is sent the command sees that of a host: what it does not see starts nothing. */
const isReached = (host: string, judgement: Judgement): boolean => {
  const asked = commandHost(judgement);
  const pool = asked === undefined ? undefined : findPeer(asked, judgement)?.reading?.pool;
  return pool?.find(({ uuid }) => hostOfUuid(uuid, judgement) === host)?.connected ?? true;
};

/** Other bricks of the volume on hosts that the command reaches; undefined: the volume is not listed now. */
const othersOf = (
  { id }: BrickState,
  { name }: GlusterVolume,
  judgement: Judgement,
): BrickState[] | undefined => {
  const volume = volumesOf(judgement)?.volumes.find((one) => one.name === name);
  return (
    volume && bricksOf(volume, judgement).filter((one) => one.id !== id && isReached(one.host, judgement))
  );
};

/** What tells which of them run: of hosts that could be asked lately, and the list itself. */
const readsOthers = (brick: BrickState, volume: GlusterVolume, judgement: Judgement): Reread[] => [
  ...rereadOnce(judgement, 'gluster.volumes'),
  ...rereads(
    'gluster.peer',
    ...(othersOf(brick, volume, judgement) ?? []).flatMap(({ host }) =>
      (findPeer(host, judgement)?.state ?? 'unknown') === 'unknown' ? [] : [host],
    ),
  ),
];

/** Why the command must not start a brick that is down. */
const whyNotBeside = (one: BrickState, volume: GlusterVolume, live: Judgement): string | undefined => {
  const { state } = findPeer(one.host, live) ?? {};
  if (state !== 'up')
    return `whether it starts ${one.id} too is not known: glusterd of ${one.host} is ${state}`;
  const problem = placeProblem(one, volume, live);
  return problem === undefined ? undefined : `it would be started too: ${problem}`;
};

/** Guard 3: the command takes no brick; what else it starts lies on its disk, for glusterd starts it on a bare folder, too. */
const requireOthersMounted = (brick: BrickState, volume: GlusterVolume, judgement: Judgement): Guard => {
  const downNow = (live: Judgement): BrickState[] | undefined =>
    othersOf(brick, volume, live)?.filter(({ state }) => state === 'down');
  const down = downNow(judgement) ?? [];
  return {
    id: '3 other bricks',
    text: `every other brick of ${volume.name} that is down (the command starts it too) is on its own disk`,
    reads: [
      ...readsOthers(brick, volume, judgement),
      ...rereads('gluster.disk', ...down.map(({ host }) => host)),
    ],
    absolute: true,
    check: (live) => {
      const others = downNow(live);
      if (!others) return failGuard(`${volume.name} is not listed now`);
      return passUnless(
        others.flatMap((one) => whyNotBeside(one, volume, live) ?? [])[0],
        others.length === 0 ? 'no other brick is down' : `${others.map(({ id }) => id).join(', ')} too`,
      );
    },
  };
};

/** Guard 3: of every brick that the command reaches it is known whether it runs. */
const requireOthersKnown = (brick: BrickState, volume: GlusterVolume, judgement: Judgement): Guard => ({
  id: '3 other hosts',
  text: `the state of every other brick of ${volume.name} is known`,
  reads: readsOthers(brick, volume, judgement),
  absolute: false,
  check: (live) => {
    const others = othersOf(brick, volume, live);
    if (!others) return failGuard(`${volume.name} is not listed now`);
    const unknown = others.find(({ state }) => state === 'unknown');
    return passUnless(
      unknown &&
        `whether ${unknown.id} runs, or would be started on a bare folder too, is not known: ${unknown.why ?? ''}`,
      'known',
    );
  },
});

/** `volume start force` starts what does not run and touches nothing that does. */
const planStart = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    startBrickAction,
    {
      title: 'Start',
      afterwards: 'each brick must have a process within 30 s; heals then go on by themselves',
      undoText: 'none: a running brick is not stopped again',
    },
    (subject) => {
      const found = brickNow(subject.id, judgement);
      if (!found) return refusal('5 targets', `${subject.id} is no brick of a volume of this pool`);
      const { volume, brick } = found;
      const host = commandHost(judgement);
      if (host === undefined) return refusal('3 peers', 'no glusterd answers');
      if (volume.status !== 'Started')
        return refusal('3 preconditions', `${volume.name} is ${volume.status ?? 'not started'}`);
      return {
        target: {
          subject,
          steps: [glusterStep(judgement, host, '--mode=script', 'volume', 'start', volume.name, 'force')],
          guards: [
            notServed(brick, judgement),
            requireMounted(brick, volume),
            requireOthersMounted(brick, volume, judgement),
            requireOthersKnown(brick, volume, judgement),
            requireNotLocked(volume.name, judgement),
          ],
          whyAlreadyDone: (live) =>
            brickNow(brick.id, live)?.brick.state === 'up' ? `${brick.id} runs already` : undefined,
          verify: {
            text: `a process serves ${brick.id}`,
            reads: [{ probe: 'gluster.peer', host: brick.host }],
            deadlineMs: 30_000,
            settles: glusterSettles(judgement),
            check: (live) => {
              const now = brickNow(brick.id, live)?.brick;
              return waitUnless(
                now?.state === 'up',
                `${brick.id} is ${now?.state ?? 'gone'}${now?.pid === undefined ? '' : `, pid ${now.pid}`}`,
              );
            },
          },
          undo: null,
          lockGroups: [lockGroup(volume.name)],
        },
        because: [`no process serves ${brick.id} of ${volume.name}; bricks that run are not touched`],
      };
    },
  );
};

export const startBrickAction: Action<NoParameters> = {
  id: 'gluster.start-brick',
  verb: 'start',
  title: 'start the brick',
  subject: 'brick',
  danger: 'service',
  users: 'more load until the files on it are healed',
  parameters: noParameters,
  prompts: [],
  menu: { note: 'volume start force' },
  plan: (subjects, _given, context) => planStart(subjects, context),
};
