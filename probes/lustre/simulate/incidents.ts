import type { Incident } from '../../../src/model/simulator.ts';
import { ARRAY_DEVICES, type SimState } from './state.ts';

/** An incident that another system's cure ends. */
export const CACHE_OFF = 'cache-off';

export const incidents: readonly Incident[] = [
  { name: 'quiet', text: 'nothing is wrong' },
  {
    name: 'degraded-ignored',
    text: 'Lustre 2.7: an OST marked degraded still receives new files',
  },
  { name: 'ost-drain', text: 'Lustre 2.15: an OST must be emptied, rebuilt and returned to service' },
  { name: 'lock-depletion', text: 'an OSS has granted every lock it has' },
  { name: 'quota-stuck', text: 'after an MDS failover an OSS gets no lock for group quotas' },
  { name: 'oss-recovery', text: 'an OSS came back from a crash: nine OSTs in recovery, clients missing' },
  { name: CACHE_OFF, text: 'the write cache below six OSTs each of oss3 and oss4 is off: they are slow' },
  { name: 'night', text: 'everything at once' },
];

/** The release of the file system in these incidents: one of them needs the old one. */
export const versionOf = (begun: readonly string[]): string =>
  begun.includes('degraded-ignored') || begun.includes('night') ? '2.7.22' : '2.15.8';

type Fault = (state: SimState, now: number) => void;

/** A rebuilt OST, emptier than the rest: free space is uneven, so the allocator weighs by it. */
const degradedIgnored: Fault = ({ osts }) => {
  const ost = osts[0x1e];
  if (!ost) return;
  ost.degraded = true;
  ost.kbUsed = Math.round(ost.kbTotal * 0.37);
};

const ostDrain: Fault = ({ osts }) => {
  const ost = osts[7];
  if (ost) ost.degraded = true;
};

const lockDepletion: Fault = ({ osts }) => {
  for (const ost of osts.filter(({ oss }) => oss === 'oss3'))
    ost.locks = {
      granted: 655_354 - ost.index,
      limit: 655_360,
      grantRate: 0,
      cancelRate: 14,
      slv: 1,
      timeouts: 4_839,
    };
};

const quotaStuck: Fault = ({ osts }) => {
  for (const ost of osts.filter(({ oss }) => oss === 'oss3')) ost.quotaStuck = true;
};

const ossRecovery: Fault = ({ osts }, now) => {
  for (const ost of osts.filter(({ oss }) => oss === 'oss2')) {
    ost.recoveryStart = now - 113_000;
    ost.recoveringUntil = now + 187_000;
    ost.evicted = 3;
  }
};

/** All that lie on one array. */
const cacheOff: Fault = ({ osts }) => {
  for (const ost of osts.filter(({ device }) => device.startsWith(ARRAY_DEVICES))) ost.slow = true;
};

const faults: Readonly<Record<string, readonly Fault[]>> = {
  quiet: [],
  'degraded-ignored': [degradedIgnored],
  'ost-drain': [ostDrain],
  'lock-depletion': [lockDepletion],
  'quota-stuck': [quotaStuck],
  'oss-recovery': [ossRecovery],
  [CACHE_OFF]: [cacheOff],
  night: [degradedIgnored, lockDepletion, ossRecovery, cacheOff],
};

export const putFaults = (state: SimState, incident: string, now: number): void => {
  for (const fault of faults[incident] ?? []) fault(state, now);
};
