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
    quota(state, ost.name, ost.quotaStuck),
  ];
};
