import type { Action, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, refusal } from '../../../src/kit/guards.ts';
import { type NoParameters, noParameters } from '../../../src/kit/offers.ts';
import { killStep, planEach } from './parts.ts';
import { namesOf, placesOf } from './dump-parts.ts';
import { nameOfUuid, findPeer } from '../judge/pool.ts';
import type { LockReading } from '../readings.ts';
import { findDumps } from '../judge/seen-locks.ts';

/** SIGUSR1 to glusterd: it writes what it knows, volume locks among it. Needs no lock; a process not ready for it would end. */
const planDump = (subjects: readonly Subject[], { judgement, looksBack }: PlanContext): Plan | Refusal =>
  planEach(
    subjects,
    dumpGlusterdAction,
    {
      title: 'Dump glusterd of',
      afterwards: 'a new dump of this glusterd must lie in /var/run/gluster within 30 s',
      undoText: 'none needed: a file in /var/run/gluster, which stays',
    },
    ({ id: host, kind }) => {
      const peer = findPeer(host, judgement);
      if (kind !== 'host' || !peer) return refusal('5 targets', `${host} is no gluster peer`);
      const { pid, start } = peer.reading?.daemon ?? {};
      if (pid === undefined) return refusal('3 process', `glusterd of ${host} is ${peer.state}`);
      const known = looksBack?.before ?? namesOf(findDumps(judgement));
      const before = new Set(known);
      return {
        target: {
          subject: { kind, id: host },
          steps: [killStep(judgement, host, '-USR1', pid)],
          guards: [
            {
              id: '3 process',
              text: `process ${pid} of ${host} is still that glusterd, over a minute old, and writes a dump when asked`,
              reads: ['gluster.peer', 'gluster.lock', 'gluster.dumps'].map((probe) => ({ probe, host })),
              absolute: true,
              check: (live) => requireReady(host, pid, start, live),
            },
          ],
          whyAlreadyDone: () => undefined,
          verify: {
            text: `a new dump of process ${pid} lies on ${host}`,
            reads: [{ probe: 'gluster.dumps', host }],
            deadlineMs: 30_000,
            check: (live) => {
              const dump = findDumps(live).find(
                (one) =>
                  one.of === 'glusterd' &&
                  one.host === host &&
                  one.pid === pid &&
                  one.whole &&
                  !before.has(`${host} ${one.file}`),
              );
              if (!dump) return { state: 'wait', text: `no new dump on ${host} yet` };
              const held = dump.held.map(({ name, type, owner }) => {
                const what = type === 'vol' ? name : `${name} (${type})`;
                return `${what} locked for ${nameOfUuid(owner, live)}`;
              });
              return { state: 'yes', text: `${held.join(', ') || 'no locks'}; kept: ${placesOf([dump])}` };
            },
          },
          before: known,
          undo: null,
          lockGroups: [`glusterd ${host}`],
        },
        because: [`asked for; the dump lands in /var/run/gluster of ${host}`],
      };
    },
  );

/** The lock probe has signalled it just now and had its dump: it is ready for another. */
const requireReady = (host: string, pid: number, start: number | undefined, live: Judgement) => {
  const daemon = findPeer(host, live)?.reading?.daemon;
  if (daemon?.pid !== pid || daemon.start !== start || daemon.state !== 'up')
    return failGuard(`now it is process ${daemon?.pid ?? 'none'}, ${daemon?.state ?? 'unknown'}`);
  const lock = live.readings.source<LockReading>('gluster.lock', host)?.good?.value;
  if (!lock) return failGuard('whether it writes one was not seen');
  return lock.skipped === undefined
    ? passGuard(`up for ${daemon.ageS ?? '?'} s`)
    : failGuard(`no dump: ${lock.skipped}`);
};

export const dumpGlusterdAction: Action<NoParameters> = {
  id: 'gluster.statedump-glusterd',
  verb: 'dump',
  title: 'dump glusterd',
  subject: 'host',
  danger: 'service',
  users: 'nothing: bricks are not touched',
  repeatable: true,
  parameters: noParameters,
  prompts: [],
  menu: { note: 'SIGUSR1; the file stays' },
  plan: (subjects, _given, context) => planDump(subjects, context),
};
