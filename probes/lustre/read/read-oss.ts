import { dropUndefined } from '../../../src/kit/known.ts';
import type { Read } from '../ask/asking.ts';
import { readCommon } from './read-common.ts';
import { flag, groupParams, integer, type Values } from './parse-params.ts';
import { readQuota, readRecovery } from './read-states.ts';
import type { OssReading, OstOnServer } from '../readings.ts';
import { isServing, isStopping } from './words.ts';

const ostName = /^.+-OST[0-9a-f]{4,}$/i;

/** What an OSS said. Holds no OST: a standby, which is no fault. */
export const readOss = ({
  params,
  devices,
  failed,
  unloaded,
  notUnderstood,
}: Read): { value: OssReading; notUnderstood: number } => {
  const filters = groupParams(params, /^(?:obdfilter|ofd)\.([^.]+)\.(.+)$/);
  const locks = groupParams(params, /^ldlm\.namespaces\.filter-(.+?)_UUID\.(.+)$/);
  const held = devices
    .filter(({ type, status }) => type === 'obdfilter' && isServing(status))
    .map((one) => one.name);
  const names = [...new Set([...filters.keys(), ...held])].filter((name) => ostName.test(name)).sort();
  const stopping = new Set(
    devices.filter(({ type, status }) => type === 'obdfilter' && isStopping(status)).map(({ name }) => name),
  );
  const single = new Map(Object.entries(params.params));
  return {
    value: {
      ...readCommon({ params, failed, unloaded }),
      ...dropUndefined({
        lockGranted: integer(single, 'ldlm.lock_granted_count'),
        lockLimitMb: integer(single, 'ldlm.lock_limit_mb'),
      }),
      peers: peersOf(devices),
      osts: names.map((name) => ({
        ...ostOf(name, filters.get(name) ?? new Map(), locks.get(name)),
        ...(stopping.has(name) && { stopping: true }),
      })),
      quota: readQuota(params),
    },
    notUnderstood,
  };
};

/** `scratch-MDT0000-lwp-OST0005` (2.5 and later): the connection of a target to an MDT. */
const peersOf = (devices: Read['devices']): string[] => {
  const names = devices.flatMap(({ type, name }) =>
    type === 'lwp' ? (/^(.+-MDT[0-9a-f]{4,})-lwp-OST[0-9a-f]{4,}$/i.exec(name)?.[1] ?? []) : [],
  );
  return [...new Set(names)].sort();
};

const ostOf = (name: string, values: Values, locks: Values | undefined): OstOnServer => ({
  name,
  ...dropUndefined({
    degraded: flag(values, 'degraded'),
    noPrecreate: flag(values, 'no_precreate'),
    noCreate: flag(values, 'no_create'),
    readOnly: flag(values, 'readonly'),
    kbTotal: integer(values, 'kbytestotal'),
    kbFree: integer(values, 'kbytesfree'),
    kbAvail: integer(values, 'kbytesavail'),
    filesTotal: integer(values, 'filestotal'),
    filesFree: integer(values, 'filesfree'),
    exports: integer(values, 'num_exports'),
    recovery: readRecovery(values.get('recovery_status')),
    locks: locks && locksOf(locks),
  }),
});

const locksOf = (values: Values): NonNullable<OstOnServer['locks']> =>
  dropUndefined({
    count: integer(values, 'lock_count'),
    timeouts: integer(values, 'lock_timeouts'),
    granted: integer(values, 'pool.granted'),
    limit: integer(values, 'pool.limit'),
    grantRate: integer(values, 'pool.grant_rate'),
    cancelRate: integer(values, 'pool.cancel_rate'),
    slv: integer(values, 'pool.server_lock_volume'),
  });
