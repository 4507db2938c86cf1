import type { Action, Guard, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { failGuard, passGuard, refusal } from '../../../src/kit/guards.ts';
import { type NoParameters, noParameters } from '../../../src/kit/offers.ts';
import type { GlusterVolume } from '../readings.ts';
import { commandHost, glusterStep, lockGroup, planEach, volumeOf } from './parts.ts';
import { dumpHosts, requireNotLocked, placesOf, verifyDumps } from './dump-parts.ts';

/** Guard 3: the bricks that are to write run. What lies there now is read too: only a dump that is newer is ours. */
const bricksRun = (volume: GlusterVolume, hosts: readonly string[]): Guard => ({
  id: '3 preconditions',
  text: `bricks of ${volume.name} run on ${hosts.join(', ')}`,
  reads: hosts.flatMap((host) => ['gluster.peer', 'gluster.dumps'].map((probe) => ({ probe, host }))),
  absolute: true,
  check: (live) => {
    const now = dumpHosts(volume, live);
    const gone = hosts.find((one) => !now.includes(one));
    return gone === undefined ? passGuard('they run') : failGuard(`none runs on ${gone} now`);
  },
});

/** `volume statedump`: each running brick writes what it knows, file locks among it. */
const planDump = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    dumpAction,
    {
      title: 'Dump the bricks of',
      afterwards:
        'each running brick must have a new dump within 30 s; the detail of the volume then shows locks by client and path',
      undoText: 'none needed: files in /var/run/gluster, which stay',
    },
    (subject) => {
      const volume = volumeOf(subject, judgement);
      const host = commandHost(judgement);
      if (!volume) return refusal('5 targets', `${subject.id} is no volume of this pool`);
      if (host === undefined) return refusal('3 peers', 'no glusterd answers');
      const hosts = dumpHosts(volume, judgement);
      if (hosts.length === 0) return refusal('3 preconditions', `no brick of ${subject.id} is known to run`);
      return {
        target: {
          subject,
          steps: [glusterStep(judgement, host, 'volume', 'statedump', subject.id)],
          guards: [requireNotLocked(subject.id, judgement), bricksRun(volume, hosts)],
          whyAlreadyDone: () => undefined,
          ...verifyDumps(
            volume,
            judgement,
            `a new dump of ${volume.name} lies on ${hosts.join(', ')}`,
            (dumps) => {
              const locks = dumps.flatMap((dump) => dump.locks);
              const more = dumps.reduce((sum, dump) => sum + dump.more, 0);
              const blocked = locks.filter(({ state }) => state === 'BLOCKED').length;
              return {
                state: 'yes',
                text: `${locks.length + more - blocked} locks active, ${blocked} waiting; kept: ${placesOf(dumps)}`,
              };
            },
            context.looksBack,
          ),
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: [`asked for; the dumps land in /var/run/gluster of ${hosts.join(', ')}`],
      };
    },
  );
};

export const dumpAction: Action<NoParameters> = {
  id: 'gluster.statedump',
  verb: 'dump',
  title: 'dump the bricks',
  subject: 'volume',
  danger: 'service',
  users: 'I/O may stall for a moment while the bricks write their dumps',
  repeatable: true,
  parameters: noParameters,
  prompts: [],
  menu: { note: 'who holds file locks and who waits' },
  plan: (subjects, _given, context) => planDump(subjects, context),
};
