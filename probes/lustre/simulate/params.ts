import { type Param, readOnly } from './param.ts';
import { mdtParams } from './params-mds.ts';
import { ostParams } from './params-oss.ts';
import { client, isRecovering, isSince, type SimState } from './state.ts';

/** The connection to the management server, in part of its lines (lprocfs_rd_import, lustre/obdclass/lprocfs_status.c). */
const mgc: readonly Param[] = [
  {
    name: 'mgc.MGC10.10.0.1@o2ib.import',
    value:
      'import:\n    name: MGC10.10.0.1@o2ib\n    target: MGS\n    state: FULL\n    connect_flags: [ version ]',
  },
];

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
    ...mgc,
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

const clientParams = (state: SimState, fs: string, now: number): Param[] => {
  const mark = 'ffff8f3e5b1c7000';
  return [
    {
      name: `lov.${fs}-clilov-${mark}.target_obd`,
      value: state.osts.map((ost) => `${ost.index}: ${ost.name}_UUID ACTIVE`).join('\n'),
    },
    ...state.mdts.flatMap(({ name }) =>
      readOnly(`mdc.${name}-mdc-${mark}`, { active: 1, mds_server_uuid: `${name}_UUID\tFULL` }),
    ),
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
