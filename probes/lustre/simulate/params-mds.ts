import { switchParam, completeText, type Param, quota, readOnly, usage, writeNumber } from './param.ts';
import { isRecovering, isSince, type SimImport, type SimMdt, type SimOst, type SimState } from './state.ts';

/** An OST as this MDT holds it. */
const importParams = (state: SimState, short: string, ost: SimOst, own: SimImport, now: number): Param[] => {
  const osp = `osp.${ost.name}-osc-${short}`;
  const away = isRecovering(ost, now);
  const prealloc = !own.active ? (isSince(state, 2, 8) ? -108 : -19) : away ? -19 : 0;
  return [
    {
      name: `${osp}.active`,
      value: String(Number(own.active)),
      write: switchParam((on) => (own.active = on)),
    },
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

/** What an MDS tells of one of its MDTs. */
export const mdtParams = (state: SimState, mdt: SimMdt, now: number): Param[] => {
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
      recovery_status: completeText(state.startedAt - 41 * 86_400_000, state.clients, 0),
    }),
    ...state.mdts
      .filter((other) => other !== mdt)
      .flatMap((other) =>
        readOnly(`osp.${other.name}-osp-${short}`, {
          active: 1,
          mdt_server_uuid: `${other.name}_UUID\tFULL`,
        }),
      ),
    ...readOnly(`osd-ldiskfs.${mdt.name}`, {
      kbytestotal: 2_929_687_500,
      kbytesfree: 2_445_287_500,
      kbytesavail: 2_297_287_500,
      filestotal: 1_953_125_000,
      filesfree: 1_611_250_000,
      mntdev: '/dev/mapper/mdt',
    }),
    quota(state, mdt.name),
  ];
};
