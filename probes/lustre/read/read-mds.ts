import { dropUndefined } from '../../../src/kit/known.ts';
import type { Read } from '../ask/asking.ts';
import { readCommon, readMdtImports } from './read-common.ts';
import { flag, groupParams, integer, mountedFrom, type Values } from './parse-params.ts';
import { readQuota, readRecovery } from './read-states.ts';
import type { CreatesReading, Mdt, MdsReading, Osp } from '../readings.ts';
import { isServing, isStopping } from './words.ts';

/** `scratch-OST0007-osc-MDT0001` is OST0007 as MDT0001 of `scratch` sees it. */
const imported = /^(.+)-(OST[0-9a-f]{4,})-osc-(MDT[0-9a-f]{4,})$/i;
/** `osc.*` on an MDS is a symlink to the same (2.5 to 2.17). */
const importParams = /^os[pc]\.([^.]+)\.(.+)$/;

const targetsOf = (name: string): { ost: string; mdt: string } | undefined => {
  const match = imported.exec(name);
  return match ? { ost: `${match[1]}-${match[2]}`, mdt: `${match[1]}-${match[3]}` } : undefined;
};

/** What an MDS said. Holds no MDT: a standby, which is no fault. */
export const readMds = ({
  params,
  devices,
  failed,
  unloaded,
  notUnderstood,
}: Read): { value: MdsReading; notUnderstood: number } => {
  const device = new Map(devices.map((one) => [one.name, one.status]));
  const osps = [...groupParams(params, importParams)].flatMap(([name, values]): Osp[] => {
    const targets = targetsOf(name);
    return targets ? [ospOf(targets, values, device.get(name))] : [];
  });
  const lods = groupParams(params, /^lo[dv]\.(.+-MDT[0-9a-f]{4,})-mdtlov\.(.+)$/i);
  const disks = groupParams(params, /^osd-[^.]+\.(.+-MDT[0-9a-f]{4,})\.(.+)$/i);
  const recoveries = groupParams(params, /^mdt\.(.+-MDT[0-9a-f]{4,})\.(.+)$/i);
  const own = devices
    .filter(({ type, status }) => type === 'mdt' && isServing(status))
    .map((one) => one.name);
  const stopping = new Set(
    devices.filter(({ type, status }) => type === 'mdt' && isStopping(status)).map(({ name }) => name),
  );
  const names = [...new Set([...lods.keys(), ...recoveries.keys(), ...own])].sort();
  const peers = devices.flatMap(({ name }) => {
    const match = /^(.+)-(MDT[0-9a-f]{4,})-osp-MDT[0-9a-f]{4,}$/i.exec(name);
    return match ? [`${match[1]}-${match[2]}`] : [];
  });
  return {
    value: {
      ...readCommon({ params, failed, unloaded }),
      mdts: names.map((name) => ({
        ...mdtOf(name, lods.get(name), recoveries.get(name), disks.get(name)),
        ...(stopping.has(name) && { stopping: true }),
      })),
      osps,
      peers: [...new Set(peers)].sort(),
      mdtImports: readMdtImports(params),
      mgs: devices.some(({ type, status }) => type === 'mgs' && isServing(status)),
      quota: readQuota(params),
    },
    notUnderstood,
  };
};

const none: Values = new Map();

const mdtOf = (name: string, lod = none, mdt = none, disk = none): Mdt => ({
  name,
  ...dropUndefined({
    thresholdPct: integer(lod, 'qos_threshold_rr'),
    prioFreePct: integer(lod, 'qos_prio_free'),
    stripeCount: integer(lod, 'stripecount'),
    numobd: integer(lod, 'numobd'),
    activeobd: integer(lod, 'activeobd'),
    recovery: readRecovery(mdt.get('recovery_status')),
    noCreate: flag(mdt, 'no_create'),
    kbTotal: integer(disk, 'kbytestotal'),
    kbFree: integer(disk, 'kbytesfree'),
    kbAvail: integer(disk, 'kbytesavail'),
    filesTotal: integer(disk, 'filestotal'),
    filesFree: integer(disk, 'filesfree'),
    mountedFrom: mountedFrom(disk),
  }),
});

const ospOf = (targets: { ost: string; mdt: string }, values: Values, device: string | undefined): Osp => {
  const [, state] = (values.get('ost_server_uuid') ?? '').split(/\s+/);
  return {
    ...targets,
    ...dropUndefined({
      active: flag(values, 'active'),
      maxCreateCount: integer(values, 'max_create_count'),
      createCount: integer(values, 'create_count'),
      prealloc: integer(values, 'prealloc_status'),
      state,
      destroys: integer(values, 'destroys_in_flight'),
      syncChanges: integer(values, 'sync_changes'),
      oldSyncProcessed: flag(values, 'old_sync_processed'),
      kbTotal: integer(values, 'kbytestotal'),
      kbFree: integer(values, 'kbytesfree'),
      kbAvail: integer(values, 'kbytesavail'),
      filesTotal: integer(values, 'filestotal'),
      filesFree: integer(values, 'filesfree'),
      device,
    }),
  };
};

/** Where the next object of each import goes. */
export const readCreates = ({
  params,
  notUnderstood,
}: Read): { value: CreatesReading; notUnderstood: number } => ({
  value: {
    osps: [...groupParams(params, importParams)].flatMap(([name, values]) => {
      const targets = targetsOf(name);
      const nextId = /^\s*(\d+)/.exec(values.get('prealloc_next_id') ?? '')?.[1];
      return targets
        ? [
            {
              ...targets,
              ...dropUndefined({
                nextId,
                active: flag(values, 'active'),
                maxCreateCount: integer(values, 'max_create_count'),
              }),
            },
          ]
        : [];
    }),
  },
  notUnderstood,
});
