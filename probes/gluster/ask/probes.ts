import type { Answer } from '../../../src/model/answer.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { diskProbe } from './probe-disk.ts';
import { demandProbes } from './probes-demand.ts';
import { positionOf, readLog } from '../read/read-log.ts';
import { readLock } from '../read/read-lock.ts';
import { readPeer } from '../read/read-peer.ts';
import { readHeal, readVolumes } from '../read/read-volumes.ts';
import {
  healSchema,
  type LockReading,
  lockSchema,
  type LogReading,
  logSchema,
  type PeerReading,
  peerSchema,
  type VolumesReading,
  volumesSchema,
} from '../readings.ts';
import healScript from './heal.sh';
import lockScript from './lock.sh';
import logScript from './log.sh';
import peerScript from './peer.sh';
import { narrowToPool } from '../pools.ts';
import { argvAsRoot, role, scriptCommand } from '../settings.ts';
import { isOff, mayHeal } from '../read/words.ts';

const peerProbe: Probe<PeerReading> = {
  id: 'gluster.peer',
  role,
  everyMs: 15_000,
  // Whether it saw the others when it was asked before.
  keep: 1,
  touches: 'nothing',
  // It asks glusterd, which may hang: `timeout` ends that after 5 s, twice.
  mayHang: true,
  deadlineMs: 14_000,
  ask: (_host, { site }) => ({ script: scriptCommand(site, peerScript, 'faultline-peer') }),
  read: readPeer,
  schema: peerSchema,
  // It is answered with glusterd silent, too: then the pool is missing.
  pulse: {
    of: ['gluster.volumes', 'gluster.heal'],
    works: (value) => peerSchema.parse(value).pool !== undefined,
  },
};

const minuteMs = 60_000;

/** A refusal in any log that no dump of this host has seen: asked at once, else once a minute. */
const isLockDue = (host: HostView, { readings, now }: AskContext): boolean => {
  const source = readings.source<LockReading>('gluster.lock', host.name);
  const asked = source?.askedAt;
  if (asked === undefined || now - asked >= minuteMs - 1000) return true;
  return readings
    .sources<LogReading>('gluster.log')
    .some(
      ({ good }) =>
        good !== undefined &&
        good.at > asked &&
        good.value.events.some(
          ({ kind, at }) => /^lockRefused|^lockingFailed/.test(kind) && at > asked - 15_000,
        ),
    );
};

const lockProbe: Probe<LockReading> = {
  id: 'gluster.lock',
  role,
  everyMs: 15_000,
  touches: 'signals',
  mayHang: true,
  deadlineMs: 14_000,
  when: isLockDue,
  ask: (_host, { site }) => ({
    script: scriptCommand(site, lockScript, 'faultline-lock'),
    maxBytes: 4_000_000,
  }),
  read: readLock,
  schema: lockSchema,
  // glusterd holds locks under the volume's name with `_vol` behind it (mgmt_v3 types).
  locate: ({ id }) => ({ names: [`${id}_vol`] }),
};

const logProbe: Probe<LogReading> = {
  id: 'gluster.log',
  role,
  everyMs: 10_000,
  touches: 'nothing',
  ask: (_host, { site, last }) => {
    const { inode, offset } = positionOf(last?.value);
    return { script: scriptCommand(site, logScript, 'faultline-log', inode, String(offset)) };
  },
  read: readLog,
  schema: logSchema,
};

/** The one peer that answers for its pool: the first, by the site file, whose glusterd answers. */
const isAsker = (host: HostView, context: AskContext): boolean => {
  const { site, readings } = narrowToPool(host, context);
  const peers = site.hostsWithRole(role).map(({ name }) => name);
  const answering = peers.find((name) => {
    const source = readings.source<PeerReading>('gluster.peer', name);
    return source?.state === 'fresh' && source.good?.value.pool !== undefined;
  });
  return host.name === (answering ?? peers[0]);
};

const volumesProbe: Probe<VolumesReading> = {
  id: 'gluster.volumes',
  role,
  everyMs: 30_000,
  touches: 'nothing',
  mayHang: true,
  when: isAsker,
  // Answered from what glusterd knows itself: takes no lock.
  ask: (_host, { site }) => ({
    script: shellCommand(argvAsRoot(site, 'gluster', 'volume', 'info', '--xml')),
    maxBytes: 16_000_000,
  }),
  read: (answer: Answer) => readVolumes(answer),
  schema: volumesSchema,
};

/** So many volumes in one go: each costs a client that connects to all its bricks. */
const healAtOnce = 6;

/** Volumes that can have something to heal, those asked longest ago first. */
const toHeal = (host: HostView, context: AskContext): { name: string }[] => {
  const { readings, last } = narrowToPool(host, context);
  const known = healSchema.safeParse(last?.value);
  const at = new Map(known.success ? known.data.volumes.map((one) => [one.name, one.at]) : []);
  return readings
    .sources<VolumesReading>('gluster.volumes')
    .flatMap(({ good }) => good?.value.volumes ?? [])
    .filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index)
    .filter(({ type, status }) => !isOff(status) && mayHeal(type))
    .toSorted((a, b) => (at.get(a.name) ?? 0) - (at.get(b.name) ?? 0))
    .slice(0, healAtOnce);
};

const summaryWord = (host: HostView, { readings }: AskContext): string => {
  const [major = 3, minor = 0] = (
    readings.source<PeerReading>('gluster.peer', host.name)?.good?.value.version ?? ''
  )
    .split('.')
    .map(Number);
  return major > 3 || minor >= 13 ? 'summary' : '';
};

const healProbe: Probe = {
  id: 'gluster.heal',
  role,
  everyMs: 120_000,
  touches: 'nothing',
  mayHang: true,
  // 30 s for each of six volumes.
  deadlineMs: 185_000,
  when: (host, context) => isAsker(host, context) && toHeal(host, context).length > 0,
  ask: (host, context) => ({
    script: scriptCommand(
      context.site,
      healScript,
      'faultline-heal',
      summaryWord(host, context),
      ...toHeal(host, context).map(({ name }) => name),
    ),
    maxBytes: 4_000_000,
  }),
  read: readHeal,
  schema: healSchema,
};

/**
 * What is asked of each peer. `gluster volume status` is not among it: it is a transaction that takes the volume's lock on all
 * peers (decision 0090); what runs is seen in the processes themselves.
 */
export const glusterProbes: readonly Probe[] = [
  peerProbe,
  lockProbe,
  logProbe,
  volumesProbe,
  healProbe,
  diskProbe,
  ...demandProbes,
];
