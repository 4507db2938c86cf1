import { switchParam, completeText, type Param, quota, readOnly, usage } from './param.ts';
import { isRecovering, isSince, type SimOst, type SimState } from './state.ts';

const recoveryStatus = (state: SimState, ost: SimOst, now: number): string => {
  if (!isRecovering(ost, now)) return completeText(ost.recoveryStart, state.clients, ost.evicted);
  const left = Math.ceil(((ost.recoveringUntil ?? now) - now) / 1000);
  const back = Math.min(
    state.clients - ost.evicted,
    state.clients - 28 + Math.floor((now - ost.recoveryStart) / 20_000),
  );
  return [
    'status: RECOVERING',
    `recovery_start: ${Math.round(ost.recoveryStart / 1000)}`,
    `time_remaining: ${left}`,
    `connected_clients: ${back}/${state.clients}`,
    'req_replay_clients: 3',
    'lock_repay_clients: 39',
    `completed_clients: ${back - 42}`,
    'evicted_clients: 0',
    'replayed_requests: 26',
    'queued_requests: 6',
    'next_transno: 8590005863',
  ].join('\n');
};

/** What an OSS tells of one of its OSTs. */
export const ostParams = (state: SimState, ost: SimOst, now: number): Param[] => {
  const own = `obdfilter.${ost.name}`;
  const ldlm = `ldlm.namespaces.filter-${ost.name}_UUID`;
  const { locks } = ost;
  const filesTotal = 366_215_168;
  return [
    {
      name: `${own}.degraded`,
      value: String(Number(ost.degraded)),
      write: switchParam((on) => (ost.degraded = on)),
    },
    ...(isSince(state, 2, 12)
      ? [
          {
            name: `${own}.no_precreate`,
            value: String(Number(ost.noPrecreate)),
            write: switchParam((on) => (ost.noPrecreate = on)),
          },
        ]
      : []),
    ...usage(own, ost),
    ...readOnly(own, {
      filestotal: filesTotal,
      filesfree: filesTotal - ost.objects,
      num_exports: state.clients + state.mdts.length + 1,
      recovery_status: recoveryStatus(state, ost, now),
    }),
    ...readOnly(ldlm, {
      lock_count: locks.granted,
      lock_timeouts: locks.timeouts,
      'pool.granted': locks.granted,
      'pool.limit': locks.limit,
      'pool.grant_rate': locks.grantRate,
      'pool.cancel_rate': locks.cancelRate,
      'pool.server_lock_volume': locks.slv,
    }),
    { name: `osd-ldiskfs.${ost.name}.brw_stats`, value: ioTimes(state, ost, now) },
    ...readOnly(`osd-ldiskfs.${ost.name}`, { mntdev: ost.device }),
    quota(state, ost.name, ost.quotaStuck),
  ];
};

/** Shares of IOs by the time that they took, ms: reads and writes of disks behind a write cache, and writes without. */
const quick: Readonly<Record<number, number>> = { 1: 40, 2: 30, 4: 20, 8: 8, 16: 2 };
const late: Readonly<Record<number, number>> = { 256: 4, 512: 14, 1024: 30, 2048: 34, 4096: 18 };

/** Reads a second, and as many writes. */
const IOS = 40;
/** So long ago it was mounted when the incident begins, and so long its writes are slow by then, s. */
const [MOUNTED_S, SLOW_S] = [41 * 86_400, 86_400];

/** The table "I/O time" of `brw_stats`: counts since the mount. */
const ioTimes = ({ startedAt }: SimState, ost: SimOst, now: number): string => {
  const since = Math.max(0, now - startedAt) / 1000;
  const slowNow = Math.max(0, Math.min(now, ost.slowUntil ?? now) - startedAt) / 1000;
  const slowS = ost.slow ? SLOW_S + slowNow : 0;
  const countOf = (shares: typeof quick, ms: number, seconds: number): number =>
    Math.floor((IOS * seconds * (shares[ms] ?? 0)) / 100);
  const rows = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096].map((ms) => {
    const reads = countOf(quick, ms, MOUNTED_S + since);
    const writes = countOf(quick, ms, MOUNTED_S + since - slowS) + countOf(late, ms, slowS);
    return `${ms < 1024 ? ms : `${ms / 1024}K`}:\t\t${String(reads).padStart(10)}   1   1   | ${String(writes).padStart(9)}   1   1`;
  });
  return [
    `snapshot_time:         ${(now / 1000).toFixed(9)} (secs.nsecs)`,
    '',
    '                           read      |     write',
    'I/O time (1/1000s)     ios   % cum % |  ios         % cum %',
    ...rows,
  ].join('\n');
};
