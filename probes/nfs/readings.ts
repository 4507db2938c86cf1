import * as z from 'zod';
import { listingForms, runEnds } from './read/parse-listing.ts';

const transportSchema = z.object({
  proto: z.string(),
  /** 0 for NFSv4.1 and later. */
  srcPort: z.number().optional(),
  sends: z.number().optional(),
  recvs: z.number().optional(),
  connects: z.number().optional(),
});

/** Sums since the mount of what has ended. */
const operationSchema = z.object({
  op: z.string(),
  ops: z.number(),
  timeouts: z.number(),
  queueMs: z.bigint(),
  rttMs: z.bigint(),
  executeMs: z.bigint(),
  /** That ended with an error, where there are any; kernels before 5.3 do not count them. */
  errors: z.number().optional(),
});

const mountSchema = z.object({
  mount: z.string(),
  source: z.string(),
  server: z.string(),
  export: z.string(),
  readOnly: z.boolean(),
  dev: z.string().optional(),
  vers: z.string().optional(),
  failMode: z.enum(['hard', 'soft', 'softerr']).optional(),
  proto: z.string().optional(),
  timeo: z.number().optional(),
  retrans: z.number().optional(),
  localLock: z.string().optional(),
  nolock: z.boolean().optional(),
  noac: z.boolean().optional(),
  addr: z.string().optional(),
  ageS: z.number().optional(),
  leaseTimeS: z.number().optional(),
  leaseExpiredS: z.number().optional(),
  /** Those of mounts of one server and version are the same. */
  transports: z.array(transportSchema),
  ops: z.array(operationSchema),
});
export type ClientMount = z.infer<typeof mountSchema>;

const waiterSchema = z.object({
  pid: z.number(),
  lwp: z.number(),
  ageS: z.number(),
  wchan: z.string(),
  comm: z.string(),
});
export type Waiter = z.infer<typeof waiterSchema>;

const socketSchema = z.object({
  state: z.string(),
  recvQ: z.number(),
  sendQ: z.number(),
  local: z.string(),
  peer: z.string(),
  timer: z.string().optional(),
  /** How often the oldest segment was sent again without an answer. */
  retransmits: z.number().optional(),
});

/** A kernel line about NFS. `at`: UTC ms. */
const lineSchema = z.object({
  kind: z.string(),
  text: z.string(),
  at: z.number().optional(),
  server: z.string().optional(),
  host: z.string().optional(),
  count: z.number().optional(),
});
export type NfsLine = z.infer<typeof lineSchema>;

/** Why a part was not read: the tool's own words. What is not read is absent besides. */
const unreadSchema = z.record(z.string(), z.string());

/** What a client's kernel says of its NFS mounts. */
export const clientSchema = z.object({
  mounts: z.array(mountSchema),
  automounts: z.number(),
  /** Rows of /etc/fstab by NFS. */
  fstab: z.array(z.object({ source: z.string(), mount: z.string() })).optional(),
  /** Superblocks, also those that were unmounted lazily. */
  volumes: z.array(z.object({ dev: z.string(), addr: z.string(), vers: z.string() })).optional(),
  /** Threads in uninterruptible sleep: all of them, and those that wait in NFS. */
  waiting: z.object({ all: z.number(), nfs: z.array(waiterSchema) }).optional(),
  /** Requests that the kernel still works on, by server address; an address is absent where that was not read. */
  tasks: z.record(z.string(), z.number()).optional(),
  sockets: z.array(socketSchema).optional(),
  lines: z.array(lineSchema).optional(),
  unread: unreadSchema,
});
export type ClientReading = z.infer<typeof clientSchema>;

export const services = ['nfs', 'rpcbind', 'lockd', 'statd', 'mountd'] as const;
export type Service = (typeof services)[number];

/** How a call ended. `noTool`: rpcinfo is not there. */
export const callStates = [
  'ready',
  'timedOut',
  'refused',
  'noRoute',
  'notRegistered',
  'mismatch',
  'noTool',
  'other',
] as const;
export type CallState = (typeof callStates)[number];

const callSchema = z.object({
  what: z.enum(services),
  addr: z.string(),
  version: z.number(),
  state: z.enum(callStates),
  text: z.string().optional(),
});
export type Call = z.infer<typeof callSchema>;

/** Which RPC services answered this host. */
export const callsSchema = z.object({ calls: z.array(callSchema) });
export type CallsReading = z.infer<typeof callsSchema>;

/** What a server's kernel says of nfsd. */
export const serverSchema = z.object({
  /** 0: nfsd does not run. */
  threads: z.number().optional(),
  packets: z.bigint().optional(),
  woken: z.bigint().optional(),
  leaseS: z.number().optional(),
  graceS: z.number().optional(),
  /** Kernel threads of nfsd, and those of them in uninterruptible sleep. */
  workers: z.object({ all: z.number(), waiting: z.number(), wchans: z.array(z.string()) }).optional(),
  /** Connections of clients, and those with requests that no thread has taken. */
  sockets: z.object({ all: z.number(), queued: z.number() }).optional(),
  /** Those of NFSv4. Kernels before 5.3 list none. */
  clients: z
    .array(
      z.object({
        address: z.string().optional(),
        name: z.string().optional(),
        status: z.string().optional(),
        renewS: z.number().optional(),
      }),
    )
    .optional(),
  exports: z
    .array(z.object({ path: z.string(), client: z.string(), options: z.array(z.string()).optional() }))
    .optional(),
  /**
   * As which clients of its exports (names, wildcards, netgroups, networks) the kernel knows an address that talks to it; none: it refuses
   * it. Absent: not root, or mountd gives it no names.
   */
  known: z.array(z.object({ address: z.string(), clients: z.array(z.string()) })).optional(),
  calls: z.array(callSchema),
  lines: z.array(lineSchema).optional(),
  unread: unreadSchema,
});
export type ServerReading = z.infer<typeof serverSchema>;

/** What `exportfs -ra` would make of /etc/exports, and the table in force beside it. */
export const dryRunSchema = z.object({
  /** Why it could not be tried. */
  failed: z.string().optional(),
  code: z.number().optional(),
  /** What exportfs said of its lines. */
  said: z.array(z.string()),
  exports: z.array(
    z.object({ path: z.string(), client: z.string(), options: z.array(z.string()).optional() }),
  ),
  live: z.array(z.object({ path: z.string(), client: z.string(), options: z.array(z.string()).optional() })),
});
export type DryRunReading = z.infer<typeof dryRunSchema>;

/** A file for login shells: as it was written from here, another one of that name, not there, or not to be read. */
export const snippetStates = ['ours', 'other', 'absent', 'unread'] as const;
export type SnippetState = (typeof snippetStates)[number];

const listingSchema = z.object({
  directory: z.string(),
  /** UTC ms; absent where the host's clock was not read. */
  at: z.number().optional(),
  /** The same in seconds by the host's clock: it tells one measurement from the next. */
  stamp: z.number(),
  /** Each run ended after so many entries or seconds. */
  most: z.number(),
  seconds: z.number(),
  fsType: z.string().optional(),
  mount: z.string().optional(),
  ls: z.string().optional(),
  refused: z.string().optional(),
  colours: z
    .object({
      from: z.string(),
      set: z.boolean(),
      statPerFile: z.boolean(),
      statPerDirectory: z.boolean(),
      capabilityPerFile: z.enum(['yes', 'no', 'default']),
      keys: z.record(z.string(), z.string()),
    })
    .optional(),
  skel: z.boolean().optional(),
  runs: z.array(
    z.object({ form: z.enum(listingForms), entries: z.number(), ms: z.number(), end: z.enum(runEnds) }),
  ),
});
export type MeasuredListing = z.infer<typeof listingSchema>;

/** What `ls` was measured to take on a login host, and whether its profiles have the snippets. */
export const listingReadingSchema = z.object({
  /** File systems mounted by NFS. */
  nfsMounts: z.number().optional(),
  listings: z.array(listingSchema),
  snippets: z.object({ sh: z.enum(snippetStates), csh: z.enum(snippetStates) }),
});
export type ListingReading = z.infer<typeof listingReadingSchema>;
