import * as z from 'zod';

const layoutSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stripe') }),
  z.object({ kind: z.literal('mirror') }),
  z.object({ kind: z.literal('parity'), tolerance: z.number() }),
  z.object({ kind: z.literal('copies'), near: z.number(), far: z.number() }),
  z.object({
    kind: z.literal('spans'),
    of: z.enum(['stripe', 'mirror', 'parity']),
    tolerance: z.number(),
  }),
  z.object({ kind: z.literal('declustered'), tolerance: z.number() }),
  z.object({ kind: z.literal('unknown'), word: z.string() }),
]);

const slotSchema = z.object({
  disk: z.string().optional(),
  state: z.enum(['good', 'missing', 'filling', 'unknown']),
  span: z.number().optional(),
});

/** A disk of a pool, also one that failed beside its spare. */
const vdevSchema = z.object({
  disk: z.string(),
  /** By which zpool's commands name it; absent: both readings of the tree do not match. */
  guid: z.string().optional(),
  state: z.string(),
  read: z.number().optional(),
  write: z.number().optional(),
  cksum: z.number().optional(),
});
export type PoolDisk = z.infer<typeof vdevSchema>;

/** An array of md or a top-level vdev of a pool. */
const arraySchema = z.object({
  id: z.string(),
  /** As the tool writes it: `raid6`, `raidz2-0`. */
  level: z.string(),
  layout: layoutSchema,
  slots: z.array(slotSchema),
  usable: z.boolean().optional(),
  /** The tool's word where it does not work: `broken`, `SUSPENDED`. */
  word: z.string().optional(),
  work: z.enum(['rebuild', 'resync', 'reshape', 'unknown']).optional(),
  workPct: z.number().optional(),
  /** KiB */
  workDone: z.number().optional(),
  workTotal: z.number().optional(),
  /** DELAYED, PENDING: it waits for its turn, or for the first write. */
  waits: z.string().optional(),
  /** Somebody stopped its work by hand. */
  frozen: z.literal(true).optional(),
  /** KiB/s, and whose setting it is: `1000 (system)`, `2000 (local)`. */
  speedMin: z.string().optional(),
  speedMax: z.string().optional(),
  spares: z.number().optional(),
  /** Those of them that md names. */
  spareDisks: z.array(z.string()).optional(),
  out: z.array(z.string()).optional(),
  /** Members that left the system while the array still counts them. */
  pulled: z.array(z.string()).optional(),
  doubt: z.string().optional(),
  /** Of members that are partitions: the disk that they lie on. */
  parts: z.array(z.object({ member: z.string(), disk: z.string() })).optional(),
  mount: z.string().optional(),
  /** Volumes that lie on it, by their names. */
  above: z.array(z.string()).optional(),
});

/** Of a vdev: its pool, and the disks by their guids. */
const kernelArraySchema = arraySchema.extend({
  pool: z.string().optional(),
  vdevs: z.array(vdevSchema).optional(),
  /** Disks of the pool's logs, caches and spares. */
  beside: z.array(z.string()).optional(),
  /** Of an array of md: it takes no writes, since somebody or the kernel set it so. */
  readOnly: z.boolean().optional(),
  /** Of a pool's first vdev: logs and caches of the pool that are gone; `left`: so many copies of the log still work. */
  lostBeside: z
    .array(
      z.object({ what: z.enum(['log', 'cache']), disk: z.string(), state: z.string(), left: z.number() }),
    )
    .optional(),
});
export type ReadArray = z.infer<typeof kernelArraySchema>;

const diskSchema = z.object({
  name: z.string(),
  serial: z.string().optional(),
  wwn: z.string().optional(),
  /** What is in use of it beside arrays of md: mounts, swap too (`[SWAP]`), and names of maps that are not mounted. */
  mounts: z.array(z.string()).optional(),
  /** What is on it by udev's own look: `linux_raid_member`, `ext4`, `partitions`. */
  holds: z.string().optional(),
  /** Of a member of md: the array that it was made for. */
  madeFor: z.string().optional(),
});
export type ReadDisk = z.infer<typeof diskSchema>;

const mapSchema = z.object({
  name: z.string(),
  wwid: z.string().optional(),
  usable: z.number(),
  paths: z.number(),
  queueing: z.boolean().optional(),
  /** Paths that are not usable, and paths with errors now and then that are used last (marginal_pathgroups), by their devices. */
  lost: z.array(z.string()).optional(),
  marginal: z.array(z.string()).optional(),
});
export type ReadMap = z.infer<typeof mapSchema>;

/** What all disks of a host together wrote since it came up. */
const writesSchema = z.object({
  uptimeS: z.number(),
  writes: z.number(),
  /** KiB */
  kib: z.number(),
  /** What all of them together took, ms. */
  ms: z.number(),
});
export type ReadWrites = z.infer<typeof writesSchema>;

/** What a host's kernel says of its arrays. What is absent was not read, or is not there. */
export const arraysSchema = z.object({
  arrays: z.array(kernelArraySchema),
  disks: z.array(diskSchema),
  maps: z.array(mapSchema).optional(),
  writes: writesSchema.optional(),
  unread: z.record(z.string(), z.string()),
});
export type ArraysReading = z.infer<typeof arraysSchema>;

const smartDiskSchema = z.object({
  name: z.string(),
  serial: z.string().optional(),
  model: z.string().optional(),
  /** It sleeps, and was left asleep. */
  standby: z.literal(true).optional(),
  passed: z.boolean().optional(),
  /** Attributes below their threshold now. */
  failing: z.array(z.string()).optional(),
  reallocated: z.number().optional(),
  reportedUncorrect: z.number().optional(),
  commandTimeout: z.number().optional(),
  pending: z.number().optional(),
  offlineUncorrectable: z.number().optional(),
  grownDefects: z.number().optional(),
  uncorrectedErrors: z.number().optional(),
  criticalWarning: z.number().optional(),
  availableSpare: z.number().optional(),
  spareThreshold: z.number().optional(),
  percentageUsed: z.number().optional(),
  mediaErrors: z.number().optional(),
});
export type SmartDisk = z.infer<typeof smartDiskSchema>;

/** What disks say of their own health. */
export const smartSchema = z.object({
  disks: z.array(smartDiskSchema),
  unread: z.record(z.string(), z.string()),
});
export type SmartReading = z.infer<typeof smartSchema>;

const cacheSchema = z.object({
  controller: z.string(),
  /** The array whose cache it is; absent: the controller's. */
  array: z.string().optional(),
  /** In the tool's words: what it is set to, and what it does. */
  said: z.string(),
  /** What it does now, where the tool says that. */
  writes: z.enum(['back', 'through']).optional(),
  /** What it is set to. */
  wanted: z.enum(['back', 'through']).optional(),
});
export type ReadCache = z.infer<typeof cacheSchema>;

const batterySchema = z.object({
  controller: z.string(),
  said: z.string(),
  /** Whether it keeps the cache; absent: not known. */
  good: z.boolean().optional(),
  learning: z.boolean().optional(),
  /** Its date of manufacture as printed. */
  made: z.string().optional(),
});
export type ReadBattery = z.infer<typeof batterySchema>;

const suspectSchema = z.object({ disk: z.string(), why: z.string(), serial: z.string().optional() });
export type Suspect = z.infer<typeof suspectSchema>;

const toolSchema = z.object({
  tool: z.string(),
  /** The command that was called. */
  program: z.string().optional(),
  arrays: z.array(arraySchema),
  caches: z.array(cacheSchema),
  batteries: z.array(batterySchema),
  suspects: z.array(suspectSchema),
  /** Of its disks, by the names of their slots, what no other disk bears: `serial ZL2PVFA8`, `WWN 5000C500E54F4EBB`. */
  numbers: z.array(z.object({ disk: z.string(), number: z.string() })).optional(),
  /** Disks that hold the mark of another controller or of an array that they fell out of: nothing is rebuilt onto them. */
  foreign: z.array(z.string()).optional(),
  /** Why it says nothing, or not all. */
  failure: z.string().optional(),
  /** No more than the numbers of its disks is not known: what it says of arrays and caches is whole. */
  onlyNumbers: z.boolean().optional(),
});
export type RaidToolReading = z.infer<typeof toolSchema>;

/** What the command lines of RAID controllers say. */
export const controllersSchema = z.object({ tools: z.array(toolSchema) });
export type ControllersReading = z.infer<typeof controllersSchema>;

const unitSchema = z.object({
  name: z.string(),
  status: z.array(z.string()),
  onBattery: z.boolean().optional(),
  lowBattery: z.boolean().optional(),
  replaceBattery: z.boolean().optional(),
  commLost: z.boolean().optional(),
  model: z.string().optional(),
  chargePct: z.number().optional(),
  runtimeS: z.number().optional(),
  batteryDate: z.string().optional(),
  selfTest: z.string().optional(),
  /** Why it says nothing, in the tool's words. */
  failure: z.string().optional(),
});
export type UpsUnit = z.infer<typeof unitSchema>;

export const upsSchema = z.object({ units: z.array(unitSchema) });
export type UpsReading = z.infer<typeof upsSchema>;
