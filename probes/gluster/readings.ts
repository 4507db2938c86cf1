import * as z from 'zod';

/** `stopped`: SIGSTOP or a debugger; it stays "Connected" for all others. */
const daemonSchema = z.object({
  state: z.enum(['up', 'down', 'stopped']),
  pid: z.number().optional(),
  /** Clock ticks after boot: with the pid, which process it is. */
  start: z.number().optional(),
  ageS: z.number().optional(),
});

const poolPeerSchema = z.object({
  uuid: z.string(),
  host: z.string(),
  connected: z.boolean(),
  state: z.string().optional(),
});
export type PoolPeer = z.infer<typeof poolPeerSchema>;

const processSchema = z.object({
  pid: z.number(),
  state: z.string(),
  ageS: z.number(),
  kind: z.enum(['brick', 'selfHeal', 'quota', 'rebalance', 'command', 'other']),
  volume: z.string().optional(),
  path: z.string().optional(),
  text: z.string().optional(),
});
export type PeerProcess = z.infer<typeof processSchema>;

/** What a peer says of itself. */
export const peerSchema = z.object({
  daemon: daemonSchema,
  /** Host's clock minus ours as far as that is certain, ms: 0 where the answer took as long. */
  clockMs: z.number().optional(),
  version: z.string().optional(),
  uuid: z.string().optional(),
  opVersion: z.number().optional(),
  /** Absent when glusterd gave no answer. */
  pool: z.array(poolPeerSchema).optional(),
  /** It runs and does not answer its own command line. */
  silent: z.string().optional(),
  /** A hook script that glusterd has started and waits for: its file, and for how long, s. */
  hook: z.object({ file: z.string(), ageS: z.number() }).optional(),
  processes: z.array(processSchema),
  pidFiles: z.array(z.object({ volume: z.string(), brick: z.string(), pid: z.number() })),
  /** What became of the last rebalance of each volume on this host, as glusterd keeps it. */
  rebalances: z
    .array(z.object({ volume: z.string(), status: z.number(), failures: z.number().optional() }))
    .optional(),
});
export type PeerReading = z.infer<typeof peerSchema>;

export const skips = [
  'down',
  'stopped',
  'uninterruptible',
  'young',
  'uncaught',
  'unreadable',
  'gone',
  'denied',
  'nodump',
] as const;

/** What glusterd's own dump says of locks. */
export const lockSchema = z.object({
  skipped: z.enum(skips).optional(),
  uuid: z.string().optional(),
  locks: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      owner: z.string(),
      /** Seen in two dumps, 2 s apart. */
      lasting: z.boolean(),
    }),
  ),
  peers: z.array(poolPeerSchema.extend({ locked: z.boolean().optional() })),
  /** New dump files that were not ours alone and so were left. */
  left: z.number().optional(),
});
export type LockReading = z.infer<typeof lockSchema>;

const eventSchema = z.object({
  /** UTC ms by the peer's clock. */
  at: z.number(),
  kind: z.string(),
  text: z.string(),
  volume: z.string().optional(),
  holder: z.string().optional(),
  requester: z.string().optional(),
  peer: z.string().optional(),
});
export type LogEventReading = z.infer<typeof eventSchema>;

export const logSchema = z.object({
  state: z.enum(['read', 'missing', 'denied']),
  file: z.string(),
  inode: z.string(),
  offset: z.number(),
  /** Of the last hour, oldest first; `gap` where lines were not seen. */
  events: z.array(eventSchema),
});
export type LogReading = z.infer<typeof logSchema>;

const volumeSchema = z.object({
  name: z.string(),
  id: z.string().optional(),
  status: z.string().optional(),
  type: z.string().optional(),
  replica: z.number().optional(),
  /** Bricks of a set of a disperse volume, and how many of them it can be without. */
  disperse: z.number().optional(),
  redundancy: z.number().optional(),
  bricks: z.array(
    z.object({
      host: z.string().optional(),
      path: z.string(),
      /** It holds names and attributes, no data. */
      arbiter: z.boolean().optional(),
    }),
  ),
  options: z.record(z.string(), z.string()),
});
export type GlusterVolume = z.infer<typeof volumeSchema>;
export const volumesSchema = z.object({ volumes: z.array(volumeSchema) });
export type VolumesReading = z.infer<typeof volumesSchema>;

export const healSchema = z.object({
  volumes: z.array(
    z.object({
      name: z.string(),
      /** UTC ms at which this volume was asked. */
      at: z.number(),
      bricks: z.array(
        z.object({
          host: z.string().optional(),
          path: z.string(),
          connected: z.boolean(),
          pending: z.number().optional(),
          /** Of them in split-brain, where the summary counts them. */
          split: z.number().optional(),
          /** Of them being healed, or written to, at that moment (summary). */
          healing: z.number().optional(),
        }),
      ),
      /** UTC ms of the first of the answers since which every brick counts the same. */
      sameSince: z.number().optional(),
      /** Files in split-brain, as the volume names them; absent where they were not asked for or not told. */
      splitFiles: z.array(z.string()).optional(),
      error: z.string().optional(),
      /** The question ended by its time, without a word: what waits may be much, or a brick hang. */
      late: z.boolean().optional(),
      /** How many answers in a row, the last among them, were an error. */
      failedInRow: z.number().optional(),
      /** UTC ms at which `bricks` and `splitFiles` were read, where the last answer, of `at`, was an error: they are kept. */
      readAt: z.number().optional(),
      /** Sums of the last answers before this one, newest first. */
      before: z.array(z.number()),
    }),
  ),
});
export type HealReading = z.infer<typeof healSchema>;

/** What the file systems below a host's bricks say, and how many clients each brick has. Sizes in KiB. */
export const diskSchema = z.object({
  /** Hosts outside the pool that are connected. `at`: UTC ms of the count; of a brick that has ended, of the last one before. */
  clients: z.array(z.object({ path: z.string(), clients: z.number(), at: z.number() })).optional(),
  /** Why they could not be counted. */
  notCounted: z.string().optional(),
  bricks: z.array(
    z.object({
      path: z.string(),
      /** `hangs`: no answer within 5 s; `failed`: an error, as a folder that is not there. */
      state: z.enum(['read', 'hangs', 'failed']),
      text: z.string().optional(),
      mount: z.string().optional(),
      readOnly: z.boolean().optional(),
      volumeId: z.string().optional(),
      /** The attribute was looked for with the right to see it, and is not there. */
      withoutId: z.boolean().optional(),
      kbTotal: z.number().optional(),
      kbUsed: z.number().optional(),
      kbAvail: z.number().optional(),
      filesTotal: z.number().optional(),
      filesFree: z.number().optional(),
    }),
  ),
});
export type DiskReading = z.infer<typeof diskSchema>;
export type BrickDisk = DiskReading['bricks'][number];

export const unitSchema = z.object({
  killMode: z.string().optional(),
  loaded: z.boolean(),
  text: z.string(),
});
export type UnitReading = z.infer<typeof unitSchema>;

export const dumpsSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      of: z.enum(['brick', 'glusterd']),
      /** The process that wrote it. */
      pid: z.number(),
      /** UTC ms by the host's clock, from the file's name. */
      at: z.number(),
      /** Its last line is there: one without may still be written, or be cut off. */
      whole: z.boolean(),
      locks: z.array(
        z.object({
          type: z.enum(['posixlk', 'inodelk', 'entrylk']),
          volume: z.string().optional(),
          domain: z.string(),
          path: z.string().optional(),
          gfid: z.string().optional(),
          state: z.enum(['ACTIVE', 'BLOCKED']),
          pid: z.string().optional(),
          client: z.string().optional(),
        }),
      ),
      /** Locks beyond those carried here. */
      more: z.number(),
      /** Hosts of the clients that the brick lists. */
      clients: z.array(z.string()),
      /** Of glusterd: volume locks. */
      held: z.array(z.object({ name: z.string(), type: z.string(), owner: z.string() })),
    }),
  ),
  /** Dumps that were not looked at: more than fit. */
  unread: z.number(),
});
export type DumpsReading = z.infer<typeof dumpsSchema>;
export type DumpFile = DumpsReading['files'][number];

/** Who is connected to the bricks of a host now. */
export const clientsSchema = z.object({
  /** Why the connections could not be listed. */
  failed: z.string().optional(),
  ends: z.array(z.object({ pid: z.number(), address: z.string() })),
  names: z.array(z.object({ name: z.string(), addresses: z.array(z.string()) })),
});
export type ClientsReading = z.infer<typeof clientsSchema>;
