import type { Probe } from '../../../src/model/system.ts';
import { paramsAndDevices, paramsScript, readLctl, readServer } from './asking.ts';
import { dfProbe } from './probe-df.ts';
import { hsmProbe } from './probe-hsm.ts';
import { kernelProbes } from './probe-kernel.ts';
import { lnetProbes } from './probe-lnet.ts';
import { tasksProbe } from './probe-tasks.ts';
import { readClient } from '../read/read-client.ts';
import { readCreates, readMds } from '../read/read-mds.ts';
import { readIo } from '../read/read-io.ts';
import { readOss } from '../read/read-oss.ts';
import {
  type ClientReading,
  clientSchema,
  type CreatesReading,
  createsSchema,
  type IoReading,
  ioSchema,
  type MdsReading,
  mdsSchema,
  type OssReading,
  ossSchema,
} from '../readings.ts';

const prefixEach = (prefix: string, names: readonly string[]): string[] =>
  names.map((name) => `${prefix}.${name}`);

/** The state of the connection to the management server: in one or the other, by the release. */
const mgc = prefixEach('mgc.*', ['import', 'mgs_server_uuid']);

const mdsPatterns = [
  'version',
  'health_check',
  ...prefixEach('osp.*OST*', [
    'active',
    'max_create_count',
    'create_count',
    'prealloc_status',
    'ost_server_uuid',
    'destroys_in_flight',
    'sync_changes',
    'old_sync_processed',
    'kbytestotal',
    'kbytesfree',
    'kbytesavail',
    'filestotal',
    'filesfree',
  ]),
  ...prefixEach('osp.*MDT*-osp-*', ['active', 'mdt_server_uuid']),
  ...prefixEach('lod.*', ['qos_threshold_rr', 'qos_prio_free', 'stripecount', 'numobd', 'activeobd']),
  ...prefixEach('mdt.*', ['recovery_status', 'no_create']),
  ...prefixEach('osd-*.*MDT*', [
    'kbytestotal',
    'kbytesfree',
    'kbytesavail',
    'filestotal',
    'filesfree',
    'mntdev',
  ]),
  ...mgc,
  'osd-*.*.quota_slave.info',
];

/** The MDTs' view of every OST, the allocator's settings and recovery, in one command. */
/** What of a target's parameters findings rest on. */
const locate: NonNullable<Probe['locate']> = ({ id }) => ({
  // Namespaces of locks on a server and on a client are named after the target's UUID.
  names: [`${id}_UUID`, `filter-${id}_UUID`],
  words: [
    'active',
    'degraded',
    'no_precreate',
    'no_create',
    'max_create_count',
    'prealloc_status',
    'create_count',
    'status',
    'server_lock_volume',
    'granted',
    'limit',
    'lock_timeouts',
    'state',
  ],
});

const mdsProbe: Probe<MdsReading> = {
  id: 'lustre.mds',
  role: 'lustre-mds',
  everyMs: 10_000,
  touches: 'nothing',
  keep: 1,
  ask: (_host, { site }) => ({ script: paramsAndDevices(site, mdsPatterns), maxBytes: 8_000_000 }),
  read: (answer) => readMds(readServer(answer)),
  schema: mdsSchema,
  locate,
};

/** Readings kept so that "has not moved for 30 s" can be seen while a verification asks every 2 s. */
const keep = 40;

/** Where new objects go: the next id of every import, small enough to be asked again and again. */
const createsProbe: Probe<CreatesReading> = {
  id: 'lustre.creates',
  role: 'lustre-mds',
  everyMs: 10_000,
  touches: 'nothing',
  keep,
  ask: (_host, { site }) => ({
    // A partner with nothing mounted answers with its version alone.
    script: paramsScript(site, [
      'version',
      ...prefixEach('osp.*OST*', ['prealloc_next_id', 'active', 'max_create_count']),
    ]),
    maxBytes: 4_000_000,
  }),
  read: (answer) => readCreates(readServer(answer)),
  schema: createsSchema,
};

const ossPatterns = [
  'version',
  'health_check',
  ...prefixEach('obdfilter.*', [
    'degraded',
    'no_precreate',
    'no_create',
    'readonly',
    'kbytestotal',
    'kbytesfree',
    'kbytesavail',
    'filestotal',
    'filesfree',
    'num_exports',
    'recovery_status',
  ]),
  ...prefixEach('ldlm.namespaces.filter-*', [
    'lock_count',
    'lock_timeouts',
    'pool.granted',
    'pool.limit',
    'pool.grant_rate',
    'pool.cancel_rate',
    'pool.server_lock_volume',
  ]),
  ...mgc,
  'ldlm.lock_granted_count',
  'ldlm.lock_limit_mb',
  'osd-*.*.quota_slave.info',
];

/** The OSTs on their own server: flags, usage, recovery, locks. */
const ossProbe: Probe<OssReading> = {
  id: 'lustre.oss',
  role: 'lustre-oss',
  everyMs: 10_000,
  touches: 'nothing',
  keep: 6,
  ask: (_host, { site }) => ({ script: paramsAndDevices(site, ossPatterns), maxBytes: 8_000_000 }),
  read: (answer) => readOss(readServer(answer)),
  schema: ossSchema,
  locate,
};

/** What each OST lies on, and how long that takes: counts since the mount, so that two readings tell of the time between them. */
const ioProbe: Probe<IoReading> = {
  id: 'lustre.oss-io',
  role: 'lustre-oss',
  everyMs: 60_000,
  touches: 'nothing',
  keep: 1,
  // `obdfilter.*.brw_stats` is a link to it. An OSS with nothing mounted answers with its version alone.
  ask: (_host, { site }) => ({
    script: paramsScript(site, ['version', ...prefixEach('osd-*.*OST*', ['brw_stats', 'mntdev'])]),
    maxBytes: 4_000_000,
  }),
  read: (answer) => readIo(readServer(answer)),
  schema: ioSchema,
};

/** What a client expects, and what it is connected to. */
const clientProbe: Probe<ClientReading> = {
  id: 'lustre.client',
  role: 'lustre-client',
  everyMs: 30_000,
  touches: 'nothing',
  // Connecting once is mounting, twice is no way to the target.
  keep: 1,
  ask: (_host, { site }) => ({
    script: paramsScript(site, [
      'version',
      'health_check',
      ...mgc,
      ...prefixEach('mdc.*', ['active', 'mds_server_uuid', 'mdt_server_uuid']),
      'lov.*.target_obd',
      ...prefixEach('osc.*', ['active', 'ost_server_uuid']),
      'ldlm.namespaces.*OST*-osc-*.lock_count',
    ]),
    maxBytes: 4_000_000,
  }),
  read: (answer) => readClient(readLctl(answer)),
  schema: clientSchema,
  locate,
};

export const lustreProbes: readonly Probe[] = [
  mdsProbe,
  createsProbe,
  ossProbe,
  ioProbe,
  clientProbe,
  dfProbe,
  tasksProbe,
  hsmProbe,
  ...kernelProbes,
  ...lnetProbes,
];
