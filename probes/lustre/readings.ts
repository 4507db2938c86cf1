import * as z from 'zod';

const clients = z.object({ done: z.number(), of: z.number().optional() });

/** `recovery_status` of a target. Times UTC ms, durations s. */
export const recoverySchema = z.object({
  status: z.string(),
  startedAt: z.number().optional(),
  durationS: z.number().optional(),
  remainingS: z.number().optional(),
  waitedS: z.number().optional(),
  connected: clients.optional(),
  completed: clients.optional(),
  evicted: z.number().optional(),
  nonReadyMdts: z.string().optional(),
});
export type RecoveryState = z.infer<typeof recoverySchema>;

/** A quota slave (`osd-*.*.quota_slave.info`): which types are enforced and which of those are not up to date. */
export const quotaSchema = z.object({
  target: z.string(),
  enabled: z.string(),
  master: z.string(),
  late: z.array(z.object({ type: z.string(), text: z.string() })),
});
export type QuotaSlave = z.infer<typeof quotaSchema>;

/** An OST as one MDT sees it. Sizes in KiB. */
export const ospSchema = z.object({
  ost: z.string(),
  mdt: z.string(),
  active: z.boolean().optional(),
  maxCreateCount: z.number().optional(),
  createCount: z.number().optional(),
  prealloc: z.number().optional(),
  state: z.string().optional(),
  destroys: z.number().optional(),
  syncChanges: z.number().optional(),
  oldSyncProcessed: z.boolean().optional(),
  kbTotal: z.number().optional(),
  kbFree: z.number().optional(),
  kbAvail: z.number().optional(),
  filesTotal: z.number().optional(),
  filesFree: z.number().optional(),
  /** Status of `lctl dl`. */
  device: z.string().optional(),
});
export type Osp = z.infer<typeof ospSchema>;

export const mdtSchema = z.object({
  /** `scratch-MDT0000`. */
  name: z.string(),
  thresholdPct: z.number().optional(),
  prioFreePct: z.number().optional(),
  /** Stripes of a file whose directory says nothing else; -1: over all OSTs. */
  stripeCount: z.number().optional(),
  numobd: z.number().optional(),
  activeobd: z.number().optional(),
  recovery: recoverySchema.optional(),
  /** `mdt.*.no_create`, 2.16 and later: new files and directories are placed elsewhere. */
  noCreate: z.boolean().optional(),
  /** Its umount has begun and not ended: status ST of `lctl dl`. */
  stopping: z.boolean().optional(),
  kbTotal: z.number().optional(),
  kbFree: z.number().optional(),
  kbAvail: z.number().optional(),
  filesTotal: z.number().optional(),
  filesFree: z.number().optional(),
  /** Its device or dataset, as it was mounted. */
  mountedFrom: z.string().optional(),
});
export type Mdt = z.infer<typeof mdtSchema>;

/** A connection to an MDT, of a client or of another MDT. */
export const mdtImportSchema = z.object({
  /** The MDT at the far end: `scratch-MDT0000`. */
  name: z.string(),
  /** The MDT that holds the connection; absent for a client's. */
  from: z.string().optional(),
  active: z.boolean().optional(),
  state: z.string().optional(),
});
export type MdtImport = z.infer<typeof mdtImportSchema>;

/** The connection of a host to the management server. `name`: of its device, `MGC10.10.0.1@o2ib`. */
export const mgcSchema = z.object({ name: z.string(), state: z.string() });
export type Mgc = z.infer<typeof mgcSchema>;

const common = {
  version: z.string().optional(),
  health: z.string().optional(),
  /** Parameters that were there and could not be read. */
  denied: z.array(z.string()),
  /** Parameters that could not be read otherwise, each with the error. */
  failed: z.array(z.string()),
  mgcs: z.array(mgcSchema).default([]),
  /** The modules are not loaded: a server that serves nothing. */
  unloaded: z.boolean().optional(),
};

export const mdsSchema = z.object({
  ...common,
  mdts: z.array(mdtSchema),
  osps: z.array(ospSchema),
  /** MDTs that these MDTs talk to: with their own, all there are. */
  peers: z.array(z.string()),
  mdtImports: z.array(mdtImportSchema).default([]),
  /** The management server runs here. */
  mgs: z.boolean().default(false),
  quota: z.array(quotaSchema),
});
export type MdsReading = z.infer<typeof mdsSchema>;

/** An OST on its own server. Sizes in KiB. */
export const ostSchema = z.object({
  name: z.string(),
  degraded: z.boolean().optional(),
  noPrecreate: z.boolean().optional(),
  noCreate: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  kbTotal: z.number().optional(),
  kbFree: z.number().optional(),
  kbAvail: z.number().optional(),
  filesTotal: z.number().optional(),
  filesFree: z.number().optional(),
  exports: z.number().optional(),
  recovery: recoverySchema.optional(),
  /** Its umount has begun and not ended: status ST of `lctl dl`. */
  stopping: z.boolean().optional(),
  locks: z
    .object({
      count: z.number().optional(),
      timeouts: z.number().optional(),
      granted: z.number().optional(),
      limit: z.number().optional(),
      grantRate: z.number().optional(),
      cancelRate: z.number().optional(),
      /** Server lock volume: 1 makes every client shrink its lists. */
      slv: z.number().optional(),
    })
    .optional(),
});
export type OstOnServer = z.infer<typeof ostSchema>;

export const ossSchema = z.object({
  ...common,
  osts: z.array(ostSchema),
  /** MDTs that its targets keep a connection to (`lctl dl`, type lwp): that they exist. */
  peers: z.array(z.string()).default([]),
  quota: z.array(quotaSchema),
  lockGranted: z.number().optional(),
  lockLimitMb: z.number().optional(),
});
export type OssReading = z.infer<typeof ossSchema>;

/** Of a server's OSTs what they lie on, and how long it took for reads and writes since they were mounted or their counts were cleared. */
export const ioSchema = z.object({
  denied: z.array(z.string()),
  failed: z.array(z.string()),
  osts: z.array(
    z.object({
      name: z.string(),
      /** Its device or dataset, as it was mounted. */
      mountedFrom: z.string().optional(),
      /** `ms`: so many reads and writes took this long at most, and more than half of it. */
      times: z.array(z.object({ ms: z.number(), reads: z.number(), writes: z.number() })),
    }),
  ),
});
export type IoReading = z.infer<typeof ioSchema>;

export const clientSchema = z.object({
  ...common,
  mdts: z.array(mdtImportSchema).default([]),
  osts: z.array(
    z.object({
      name: z.string(),
      active: z.boolean().optional(),
      state: z.string().optional(),
      locks: z.number().optional(),
      /** What the client expects: a row of `target_obd`. */
      listed: z.boolean(),
    }),
  ),
});
export type ClientReading = z.infer<typeof clientSchema>;

export const dfSchema = z.object({
  targets: z.array(
    z.object({
      name: z.string().optional(),
      kind: z.enum(['MDT', 'OST']),
      index: z.number(),
      mount: z.string().optional(),
      kbTotal: z.number().optional(),
      kbUsed: z.number().optional(),
      kbAvail: z.number().optional(),
      flags: z.string().optional(),
      state: z.enum(['ok', 'inactive', 'unreachable']),
    }),
  ),
});
export type DfReading = z.infer<typeof dfSchema>;

/** What decides about new objects, per import of an MDT: small, asked often, several kept. Ids are decimal texts of any size. */
export const createsSchema = z.object({
  osps: z.array(
    z.object({
      ost: z.string(),
      mdt: z.string(),
      nextId: z.string().optional(),
      active: z.boolean().optional(),
      maxCreateCount: z.number().optional(),
    }),
  ),
});
export type CreatesReading = z.infer<typeof createsSchema>;

/** Lines of a server's kernel that come from the quota code. */
export const kernelSchema = z.object({
  lines: z.array(
    z.object({
      /** UTC ms; absent where the line has no time. */
      at: z.number().optional(),
      text: z.string(),
    }),
  ),
  /** How many lines of any kind were read. */
  read: z.number(),
});
export type KernelReading = z.infer<typeof kernelSchema>;
