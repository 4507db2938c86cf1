import { isRecovering, isSince, kbAvail, client, type SimMdt, type SimOst, type SimState } from './state.ts';

/** Where a writable parameter writes to; gives the errno text when the kernel would refuse. */
type Write = (text: string) => string | undefined;

export interface Param {
  name: string;
  value: string;
  write?: Write;
}

const range = 'Numerical result out of range';
const invalid = 'Invalid argument';

/** All parameters of a host, as its lctl finds them. */
export const paramsOf = (state: SimState, host: string, now: number): Param[] => {
  const { version, fs } = state;
  const common: Param[] = [
    {
      name: 'version',
      value: isSince(state, 2, 10)
        ? version
        : `lustre: ${version}\nkernel: patchless_client\nbuild:  ${version}`,
    },
    { name: 'health_check', value: 'healthy' },
  ];
  const mdts = state.mdts.filter((mdt) => mdt.host === host);
  const osts = state.osts.filter((ost) => ost.oss === host);
  return [
    ...common,
    ...mdts.flatMap((mdt) => mdtParams(state, mdt, now)),
    ...osts.flatMap((ost) => ostParams(state, ost, now)),
    ...(osts.length > 0 && isSince(state, 2, 8)
      ? [
          { name: 'ldlm.lock_granted_count', value: String(sum(osts.map((ost) => ost.locks.granted))) },
          { name: 'ldlm.lock_limit_mb', value: '38400' },
          { name: 'ldlm.lock_reclaim_threshold_mb', value: '25600' },
        ]
      : []),
    ...(host === client ? clientParams(state, fs, now) : []),
  ];
};

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

const number = (text: string): number | undefined => (/^-?\d+$/.test(text) ? Number(text) : undefined);

const mdtParams = (state: SimState, mdt: SimMdt, now: number): Param[] => {
  const short = mdt.name.slice(state.fs.length + 1);
  const lod = `lod.${mdt.name}-mdtlov`;
  const connected = state.osts.filter((ost, at) => mdt.imports[at]?.active && !isRecovering(ost, now)).length;
  return [
    ...state.osts.flatMap((ost, at): Param[] => {
      const own = mdt.imports[at];
      if (!own) return [];
      const osp = `osp.${ost.name}-osc-${short}`;
      const away = isRecovering(ost, now);
      const prealloc = !own.active ? (isSince(state, 2, 8) ? -108 : -19) : away ? -19 : 0;
      const uuid = `${ost.name}_UUID\t${away ? 'REPLAY_WAIT' : 'FULL'}${own.active ? '' : '\tDEACTIVATED'}`;
      return [
        {
          name: `${osp}.active`,
          value: String(Number(own.active)),
          write: (text) => {
            if (text !== '0' && text !== '1') return invalid;
            own.active = text === '1';
            return undefined;
          },
        },
        {
          name: `${osp}.max_create_count`,
          value: String(own.max),
          write: (text) => {
            const value = number(text);
            if (value === undefined) return invalid;
            if (value < 0 || value > 20_000 || (value > 0 && value < 32)) return range;
            own.max = value;
            own.create = value === 0 ? 0 : Math.max(32, Math.min(own.create, value / 2));
            return undefined;
          },
        },
        {
          name: `${osp}.create_count`,
          value: String(own.create),
          write: (text) => {
            const value = number(text);
            if (value === undefined) return invalid;
            if (value < 32 || value > own.max) return range;
            own.create = value;
            return undefined;
          },
        },
        { name: `${osp}.prealloc_status`, value: String(prealloc) },
        { name: `${osp}.prealloc_next_id`, value: String(own.nextId) },
        { name: `${osp}.prealloc_last_id`, value: String(own.nextId + own.create) },
        { name: `${osp}.ost_server_uuid`, value: uuid },
        { name: `${osp}.destroys_in_flight`, value: String(own.destroys) },
        { name: `${osp}.sync_changes`, value: String(own.destroys) },
        { name: `${osp}.old_sync_processed`, value: '1' },
        ...usage(osp, ost),
      ];
    }),
    {
      name: `${lod}.qos_threshold_rr`,
      value: `${mdt.threshold}%`,
      write: (text) => {
        const value = number(text.replace(/%$/, ''));
        if (value === undefined) return invalid;
        if (value < 0 || value > 100) return range;
        mdt.threshold = value;
        return undefined;
      },
    },
    { name: `${lod}.qos_prio_free`, value: '91%' },
    { name: `${lod}.qos_maxage`, value: isSince(state, 2, 15) ? '5' : '5 Sec' },
    { name: `${lod}.stripecount`, value: '4' },
    { name: `${lod}.numobd`, value: String(state.osts.length) },
    { name: `${lod}.activeobd`, value: String(connected) },
    {
      name: `mdt.${mdt.name}.recovery_status`,
      value: complete(state.startedAt - 41 * 86_400_000, state.clients, 0),
    },
    quota(state, mdt.name),
  ];
};

const usage = (prefix: string, ost: SimOst): Param[] => [
  { name: `${prefix}.kbytestotal`, value: String(ost.kbTotal) },
  { name: `${prefix}.kbytesfree`, value: String(ost.kbTotal - ost.kbUsed) },
  { name: `${prefix}.kbytesavail`, value: String(kbAvail(ost)) },
];

const complete = (start: number, clients: number, evicted: number): string =>
  [
    'status: COMPLETE',
    `recovery_start: ${Math.round(start / 1000)}`,
    'recovery_duration: 62',
    `completed_clients: ${clients - evicted}/${clients}`,
    'replayed_requests: 0',
    'last_transno: 8590148405',
    'VBR: DISABLED',
    'IR: ENABLED',
  ].join('\n');

const recoveryStatus = (state: SimState, ost: SimOst, now: number): string => {
  if (!isRecovering(ost, now)) return complete(ost.recoveryStart, state.clients, ost.evicted);
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

const quota = (state: SimState, target: string, stuck = false): Param => ({
  name: `osd-ldiskfs.${target}.quota_slave.info`,
  value: [
    `target name:    ${target}`,
    'pool ID:        0',
    'type:           dt',
    'quota enabled:  g',
    'conn to master: setup',
    `space acct:     ug${isSince(state, 2, 10) ? 'p' : ''}`,
    'user uptodate:  glb[0],slv[0],reint[0]',
    `group uptodate: ${stuck ? 'glb[0],slv[0],reint[1]' : 'glb[1],slv[1],reint[0]'}`,
    ...(isSince(state, 2, 10) ? ['project uptodate: glb[0],slv[0],reint[0]'] : []),
  ].join('\n'),
});

const bit =
  (set: (on: boolean) => void): Write =>
  (text) => {
    if (text !== '0' && text !== '1') return invalid;
    set(text === '1');
    return undefined;
  };

const ostParams = (state: SimState, ost: SimOst, now: number): Param[] => {
  const own = `obdfilter.${ost.name}`;
  const ldlm = `ldlm.namespaces.filter-${ost.name}_UUID`;
  const { locks } = ost;
  const filesTotal = 366_215_168;
  return [
    { name: `${own}.degraded`, value: String(Number(ost.degraded)), write: bit((on) => (ost.degraded = on)) },
    ...(isSince(state, 2, 12)
      ? [
          {
            name: `${own}.no_precreate`,
            value: String(Number(ost.noPrecreate)),
            write: bit((on) => (ost.noPrecreate = on)),
          },
        ]
      : []),
    ...usage(own, ost),
    { name: `${own}.filestotal`, value: String(filesTotal) },
    { name: `${own}.filesfree`, value: String(filesTotal - ost.objects) },
    { name: `${own}.num_exports`, value: String(state.clients + state.mdts.length + 1) },
    { name: `${own}.recovery_status`, value: recoveryStatus(state, ost, now) },
    { name: `${ldlm}.lock_count`, value: String(locks.granted) },
    { name: `${ldlm}.lock_timeouts`, value: String(locks.timeouts) },
    { name: `${ldlm}.pool.granted`, value: String(locks.granted) },
    { name: `${ldlm}.pool.limit`, value: String(locks.limit) },
    { name: `${ldlm}.pool.grant_rate`, value: String(locks.grantRate) },
    { name: `${ldlm}.pool.cancel_rate`, value: String(locks.cancelRate) },
    { name: `${ldlm}.pool.server_lock_volume`, value: String(locks.slv) },
    quota(state, ost.name, ost.quotaStuck),
  ];
};

const clientParams = (state: SimState, fs: string, now: number): Param[] => {
  const mark = 'ffff8f3e5b1c7000';
  return [
    {
      name: `lov.${fs}-clilov-${mark}.target_obd`,
      value: state.osts.map((ost) => `${ost.index}: ${ost.name}_UUID ACTIVE`).join('\n'),
    },
    ...state.osts.flatMap((ost): Param[] => {
      const osc = `osc.${ost.name}-osc-${mark}`;
      return [
        { name: `${osc}.active`, value: '1' },
        {
          name: `${osc}.ost_server_uuid`,
          value: `${ost.name}_UUID\t${isRecovering(ost, now) ? 'REPLAY_WAIT' : 'FULL'}`,
        },
        {
          name: `ldlm.namespaces.${ost.name}-osc-${mark}.lock_count`,
          value: String(ost.locks.slv === 1 ? 3 : 240 + ost.index * 3),
        },
      ];
    }),
  ];
};
