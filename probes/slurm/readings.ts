import * as z from 'zod';

/** A node as the controller sees it. Times are UTC ms. */
export const nodeSchema = z.object({
  name: z.string(),
  state: z.string().optional(),
  flags: z.array(z.string()),
  reason: z.string().optional(),
  reasonUser: z.string().optional(),
  reasonAt: z.number().optional(),
  partitions: z.array(z.string()),
  version: z.string().optional(),
  nextState: z.string().optional(),
  reservation: z.string().optional(),
  bootAt: z.number().optional(),
});
export type SlurmNode = z.infer<typeof nodeSchema>;

/** How the nodes were asked for: the next question goes the same way. */
export const nodeForms = ['scontrolJson', 'sinfoJson', 'text'] as const;
export type NodeForm = (typeof nodeForms)[number];

export const nodesSchema = z.object({ form: z.enum(nodeForms), nodes: z.array(nodeSchema) });
export type NodesReading = z.infer<typeof nodesSchema>;

export const pingSchema = z.object({
  controllers: z.array(z.object({ host: z.string(), role: z.string(), up: z.boolean() })),
  /** `scontrol ping` itself says DOWN at once when the daemon is dead, and after 10 s when it hangs. */
  tookMs: z.number().optional(),
});
export type PingReading = z.infer<typeof pingSchema>;

const rpcSchema = z.object({
  name: z.string(),
  count: z.number(),
  aveTimeUs: z.number(),
  totalTimeUs: z.number(),
});

export const sdiagSchema = z.object({
  serverThreadCount: z.number().optional(),
  agentQueueSize: z.number().optional(),
  agentCount: z.number().optional(),
  agentThreadCount: z.number().optional(),
  dbdAgentQueueSize: z.number().optional(),
  jobsPending: z.number().optional(),
  jobsRunning: z.number().optional(),
  /** Main scheduler, microseconds. */
  lastCycleUs: z.number().optional(),
  maxCycleUs: z.number().optional(),
  meanCycleUs: z.number().optional(),
  /** Main scheduler: cycles since `dataSince`, and how many jobs that may start were in the queue of the last one. */
  cycles: z.number().optional(),
  queueLength: z.number().optional(),
  /** Jobs started since `dataSince`. */
  jobsStarted: z.number().optional(),
  /** UTC ms at which the last backfill cycle began, by slurmctld's clock; absent when none ever did. */
  backfillAt: z.number().optional(),
  /** Backfill cycles since `dataSince`. */
  backfillCycles: z.number().optional(),
  /** A backfill cycle was under way when it was printed. */
  backfillRuns: z.boolean().optional(),
  /** The clock of slurmctld when it answered, UTC ms. */
  clockAt: z.number().optional(),
  /** UTC ms since when the controller counts. */
  dataSince: z.number().optional(),
  rpcs: z.array(rpcSchema),
  users: z.array(rpcSchema),
  /** RPC types that wait to be sent, with the hosts they wait for when printed. */
  pending: z.array(z.object({ name: z.string(), count: z.number(), hosts: z.string().optional() })),
});
export type SdiagReading = z.infer<typeof sdiagSchema>;

export const jobSchema = z.object({
  jobId: z.string(),
  userName: z.string(),
  jobState: z.string(),
  partition: z.string().optional(),
  /** A node set as Slurm folds it: `node[1-4,7]`; absent for pending jobs. */
  nodes: z.string().optional(),
  /** UTC ms at which the time limit ends it; absent when unlimited. */
  endTime: z.number().optional(),
});
export type SlurmJob = z.infer<typeof jobSchema>;
export const jobsSchema = z.object({ jobs: z.array(jobSchema) });
export type JobsReading = z.infer<typeof jobsSchema>;

export const partitionSchema = z.object({
  partitionName: z.string(),
  state: z.string().optional(),
  nodes: z.string().optional(),
  totalNodes: z.number().optional(),
  default: z.boolean().optional(),
  maxTime: z.string().optional(),
});
export type SlurmPartition = z.infer<typeof partitionSchema>;
export const partitionsSchema = z.object({ partitions: z.array(partitionSchema) });
export type PartitionsReading = z.infer<typeof partitionsSchema>;

export const reservationSchema = z.object({
  reservationName: z.string(),
  startTime: z.number().optional(),
  endTime: z.number().optional(),
  nodes: z.string().optional(),
  flags: z.array(z.string()),
  state: z.string().optional(),
  users: z.string().optional(),
});
export type SlurmReservation = z.infer<typeof reservationSchema>;
export const reservationsSchema = z.object({ reservations: z.array(reservationSchema) });
export type ReservationsReading = z.infer<typeof reservationsSchema>;

export const configSchema = z.object({
  clusterName: z.string().optional(),
  version: z.string().optional(),
  slurmUser: z.string().optional(),
  slurmdTimeoutS: z.number().optional(),
  resumeTimeoutS: z.number().optional(),
  messageTimeoutS: z.number().optional(),
  healthCheckProgram: z.string().optional(),
  healthCheckIntervalS: z.number().optional(),
  rebootProgram: z.string().optional(),
  /** UTC ms at which slurmctld was started. */
  startedAt: z.number().optional(),
  /** What accounts without rights don't see (`PrivateData`), lower case; empty: they see all. */
  privateData: z.array(z.string()).optional(),
  /** From how many unsent accounting records on slurmctld throws new ones away; absent: its default. */
  maxDbdMsgs: z.number().optional(),
  maxJobCount: z.number().optional(),
  /** `sched/backfill`, `sched/builtin`. */
  schedulerType: z.string().optional(),
  /** `accounting_storage/slurmdbd`, `accounting_storage/none`. */
  accountingType: z.string().optional(),
  /** Of SchedulerParameters, only where they are set: seconds between backfill cycles, and what one may take. */
  mainIntervalS: z.number().optional(),
  backfillIntervalS: z.number().optional(),
  backfillMaxTimeS: z.number().optional(),
});
export type ConfigReading = z.infer<typeof configSchema>;

/** What `sacctmgr` is told by slurmdbd: the clusters it knows, or why it can't be asked. */
export const accountingSchema = z.object({
  /**
   * `down`: no connection to slurmdbd; `refused`: it takes the connection and refuses the release or the credential; `database`: slurmdbd
   * answers, what is behind it does not; `unknown`: none of these can be told.
   */
  state: z.enum(['answers', 'down', 'refused', 'database', 'unknown']),
  /** The line that says so. */
  message: z.string().optional(),
  /** `connected`: the slurmctld of this cluster is registered with slurmdbd. */
  clusters: z.array(z.object({ name: z.string(), connected: z.boolean() })),
});
export type AccountingReading = z.infer<typeof accountingSchema>;

/** What the site's own side-effect-free check said on a node. */
export const checkSchema = z.object({ pass: z.boolean(), exitCode: z.number(), text: z.string() });
export type CheckReading = z.infer<typeof checkSchema>;

export const aliveSchema = z.object({ uptimeS: z.number() });
export type AliveReading = z.infer<typeof aliveSchema>;
