import * as z from 'zod';
import type { Action, Plan, PlanContext, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import { no, ok, refusal } from '../../src/model/refusal.ts';
import { commandHost, lockGroup, offerOf, planEach, volumeOf } from './action-parts.ts';
import { dumpHosts, notLocked, placesOf, verifyDumps } from './dump-parts.ts';
import { cliDeadlineMs, glusterRefusals } from './refusals.ts';
import { asRoot } from './settings.ts';

const none = z.strictObject({});
type None = z.infer<typeof none>;

/** `volume statedump`: each running brick writes what it knows, file locks among it. */
const planDump = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    {
      action: 'gluster.statedump',
      verb: 'dump',
      title: 'Dump the bricks of',
      danger: 'service',
      afterwards:
        'each running brick must have a new dump within 30 s; the detail of the volume then shows locks by client and path',
      undoText: 'none needed: files in /var/run/gluster, which stay',
      parameters: {},
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
          steps: [
            {
              host,
              argv: asRoot(judgement.site, 'gluster', 'volume', 'statedump', subject.id),
              deadlineMs: cliDeadlineMs(),
              refusals: glusterRefusals,
            },
          ],
          guards: [
            notLocked(subject.id, judgement),
            {
              id: '3 preconditions',
              text: `bricks of ${volume.name} run on ${hosts.join(', ')}`,
              // What lies there now is read too: only a dump that is newer is ours.
              reads: hosts.flatMap((one) =>
                ['gluster.peer', 'gluster.dumps'].map((probe) => ({ probe, host: one })),
              ),
              absolute: true,
              check: (live) => {
                const now = dumpHosts(volume, live);
                const gone = hosts.find((one) => !now.includes(one));
                return gone === undefined ? ok('they run') : no(`none runs on ${gone} now`);
              },
            },
          ],
          already: () => undefined,
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

export const dumpAction: Action<None> = {
  id: 'gluster.statedump',
  verb: 'dump',
  title: 'dump the bricks',
  subject: 'volume',
  danger: 'service',
  repeatable: true,
  parameters: none,
  prompts: [],
  offer: (subjects, context) =>
    offerOf(planDump(subjects, context), 'who holds file locks and who waits', context),
  plan: (subjects, _given, context) => planDump(subjects, context),
};
