import type { Probe } from '../../../src/model/system.ts';
import { jobsFormat, parseJobs } from '../read/parse-jobs.ts';
import { readAccounting } from '../read/parse-accounting.ts';
import { parseConfig } from '../read/parse-config.ts';
import { parsePartitions } from '../read/parse-partitions.ts';
import { parsePing } from '../read/parse-ping.ts';
import { parseReservations } from '../read/parse-reservations.ts';
import { parseSdiag } from '../read/parse-sdiag.ts';
import { aliveProbe, checkProbe } from './probes-node.ts';
import { controllerDeadlineMs, runInUtc, nodesProbe, reader } from './probes-nodes.ts';
import {
  type AccountingReading,
  accountingSchema,
  type ConfigReading,
  configSchema,
  jobsSchema,
  partitionsSchema,
  pingSchema,
  reservationsSchema,
  sdiagSchema,
} from '../readings.ts';

const role = 'slurm-controller';

const pingProbe: Probe = {
  id: 'slurm.ping',
  role,
  everyMs: 10_000,
  touches: 'nothing',
  deadlineMs: controllerDeadlineMs,
  ask: () => ({ script: 'scontrol ping' }),
  read: (answer) => {
    const { value, notUnderstood } = reader('scontrol ping', parsePing)(answer);
    return { value: { ...value, tookMs: answer.durationMs }, notUnderstood };
  },
  schema: pingSchema,
  // One message that slurmctld answers without its locks; the others make it pack its tables.
  pulse: {
    of: [
      'slurm.nodes',
      'slurm.jobs',
      'slurm.sdiag',
      'slurm.partitions',
      'slurm.reservations',
      'slurm.config',
    ],
    works: (value) => pingSchema.parse(value).controllers.some(({ up }) => up),
  },
};

const sdiagProbe: Probe = {
  id: 'slurm.sdiag',
  role,
  everyMs: 30_000,
  touches: 'nothing',
  deadlineMs: controllerDeadlineMs,
  keep: 1,
  ask: () => ({ script: 'sdiag' }),
  read: reader('sdiag', parseSdiag),
  schema: sdiagSchema,
  locate: () => ({
    words: [
      'Server thread count',
      'Agent queue size',
      'DBD Agent queue size',
      'Last cycle',
      'Mean cycle',
      'Jobs pending',
    ],
  }),
};

const jobsProbe: Probe = {
  id: 'slurm.jobs',
  role,
  everyMs: 20_000,
  touches: 'nothing',
  deadlineMs: controllerDeadlineMs,
  // All that hold nodes (squeue(1), JOB STATE CODES): configuring, resizing and signalled ones are not among those of R.
  ask: () => ({
    script: runInUtc(`squeue -h -t R,CG,CF,S,ST,RS,SI -o '${jobsFormat}'`),
    maxBytes: 16_000_000,
  }),
  read: reader('squeue', parseJobs),
  schema: jobsSchema,
};

const partitionsProbe: Probe = {
  id: 'slurm.partitions',
  role,
  everyMs: 60_000,
  touches: 'nothing',
  deadlineMs: controllerDeadlineMs,
  ask: () => ({ script: 'scontrol show partition' }),
  read: reader('scontrol show partition', parsePartitions),
  schema: partitionsSchema,
};

const reservationsProbe: Probe = {
  id: 'slurm.reservations',
  role,
  everyMs: 60_000,
  touches: 'nothing',
  deadlineMs: controllerDeadlineMs,
  ask: () => ({ script: runInUtc('scontrol show reservation') }),
  read: reader('scontrol show reservation', parseReservations),
  schema: reservationsSchema,
};

const configProbe: Probe = {
  id: 'slurm.config',
  role,
  everyMs: 600_000,
  touches: 'nothing',
  deadlineMs: controllerDeadlineMs,
  ask: () => ({ script: runInUtc('scontrol show config') }),
  read: reader('scontrol show config', parseConfig),
  schema: configSchema,
};

const usesSlurmdbd: NonNullable<Probe['when']> = ({ name }, { readings }) =>
  readings.source<ConfigReading>('slurm.config', name)?.good?.value.accountingType ===
  'accounting_storage/slurmdbd';

/** slurmdbd itself, by the one question that needs no rights and reads one small table. It may wait for a host that is gone. */
const accountingProbe: Probe<AccountingReading> = {
  id: 'slurm.accounting',
  role,
  everyMs: 300_000,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 15_000,
  when: usesSlurmdbd,
  ask: () => ({ script: 'sacctmgr -n -P show cluster format=cluster,controlhost,controlport' }),
  read: readAccounting,
  schema: accountingSchema,
  pulse: {
    of: [],
    works: (value) => !['down', 'refused', 'database'].includes(accountingSchema.parse(value).state),
  },
};

export const slurmProbes: readonly Probe[] = [
  nodesProbe,
  pingProbe,
  sdiagProbe,
  partitionsProbe,
  jobsProbe,
  reservationsProbe,
  configProbe,
  accountingProbe,
  checkProbe,
  aliveProbe,
];
