import {
  isRecovering,
  isSince,
  kbAvail,
  client,
  type SimImport,
  type SimMdt,
  type SimOst,
  type SimState,
} from './state.ts';

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

/** Parameters of one thing that are only read. */
const readOnly = (prefix: string, values: Readonly<Record<string, string | number>>): Param[] =>
  Object.entries(values).map(([name, value]) => ({ name: `${prefix}.${name}`, value: String(value) }));

/** A number that the kernel takes where `fits` says so. */
const writeNumber =
  (fits: (value: number) => boolean, set: (value: number) => void): Write =>
  (text) => {
    const value = number(text);
    if (value === undefined) return invalid;
    if (!fits(value)) return range;
    set(value);
    return undefined;
  };

const bit =
  (set: (on: boolean) => void): Write =>
  (text) => {
    if (text !== '0' && text !== '1') return invalid;
    set(text === '1');
    return undefined;
  };

/** An OST as this MDT holds it. */
const importParams = (state: SimState, short: string, ost: SimOst, own: SimImport, now: number): Param[] => {
  const osp = `osp.${ost.name}-osc-${short}`;
  const away = isRecovering(ost, now);
  const prealloc = !own.active ? (isSince(state, 2, 8) ? -108 : -19) : away ? -19 : 0;
  return [
    { name: `${osp}.active`, value: String(Number(own.active)), write: bit((on) => (own.active = on)) },
    {
      name: `${osp}.max_create_count`,
      value: String(own.max),
      write: writeNumber(
        (value) => value === 0 || (value >= 32 && value <= 20_000),
        (value) => {
          own.max = value;
          own.create = value === 0 ? 0 : Math.max(32, Math.min(own.create, value / 2));
        },
      ),
    },
    {
      name: `${osp}.create_count`,
      value: String(own.create),
      write: writeNumber(
        (value) => value >= 32 && value <= own.max,
        (value) => (own.create = value),
      ),
    },
    ...readOnly(osp, {
      prealloc_status: prealloc,
      prealloc_next_id: own.nextId,
      prealloc_last_id: own.nextId + own.create,
      ost_server_uuid: `${ost.name}_UUID\t${away ? 'REPLAY_WAIT' : 'FULL'}${own.active ? '' : '\tDEACTIVATED'}`,
      destroys_in_flight: own.destroys,
      sync_changes: own.destroys,
      old_sync_processed: 1,
    }),
    ...usage(osp, ost),
  ];
};

const mdtParams = (state: SimState, mdt: SimMdt, now: number): Param[] => {
  const short = mdt.name.slice(state.fs.length + 1);
  const lod = `lod.${mdt.name}-mdtlov`;
  const connected = state.osts.filter((ost, at) => mdt.imports[at]?.active && !isRecovering(ost, now)).length;
  const setThreshold = writeNumber(
    (value) => value >= 0 && value <= 100,
    (value) => (mdt.threshold = value),
  );
  return [
    ...state.osts.flatMap((ost, at) => {
      const own = mdt.imports[at];
      return own ? importParams(state, short, ost, own, now) : [];
    }),
    {
      name: `${lod}.qos_threshold_rr`,
      value: `${mdt.threshold}%`,
      write: (text) => setThreshold(text.replace(/%$/, '')),
    },
    ...readOnly(lod, {
      qos_prio_free: '91%',
      qos_maxage: isSince(state, 2, 15) ? '5' : '5 Sec',
      stripecount: 4,
      numobd: state.osts.length,
      activeobd: connected,
    }),
    ...readOnly(`mdt.${mdt.name}`, {
      recovery_status: complete(state.startedAt - 41 * 86_400_000, state.clients, 0),
    }),
    quota(state, mdt.name),
  ];
};

const usage = (prefix: string, ost: SimOst): Param[] =>
  readOnly(prefix, {
    kbytestotal: ost.kbTotal,
    kbytesfree: ost.kbTotal - ost.kbUsed,
    kbytesavail: kbAvail(ost),
  });

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

const clientParams = (state: SimState, fs: string, now: number): Param[] => {
  const mark = 'ffff8f3e5b1c7000';
  return [
    {
      name: `lov.${fs}-clilov-${mark}.target_obd`,
      value: state.osts.map((ost) => `${ost.index}: ${ost.name}_UUID ACTIVE`).join('\n'),
    },
    ...state.osts.flatMap((ost): Param[] => [
      ...readOnly(`osc.${ost.name}-osc-${mark}`, {
        active: 1,
        ost_server_uuid: `${ost.name}_UUID\t${isRecovering(ost, now) ? 'REPLAY_WAIT' : 'FULL'}`,
      }),
      {
        name: `ldlm.namespaces.${ost.name}-osc-${mark}.lock_count`,
        value: String(ost.locks.slv === 1 ? 3 : 240 + ost.index * 3),
      },
    ]),
  ];
};
