import type { Allocation, Qos } from './allocation.ts';
import type { Mdt, Osp, OstOnServer } from '../readings.ts';

/** An MDT with the host that answered for it. */
export interface MdtRow {
  name: string;
  fs: string;
  host?: string;
  /** Undefined: known of, but nobody answered for it. */
  mdt?: Mdt;
  version?: string;
  stale: boolean;
  qos: Qos;
  /** What other hosts' connections to it say. */
  imports: readonly MdtView[];
  usage: MdtUsage;
  /** Letters that a client's `lfs df` shows for it now. */
  letters?: { flags: string; host: string };
}

/** An MDT as a client or another MDT sees it. */
export interface MdtView {
  /** The host that says so. */
  host: string;
  /** The MDT that holds the connection; absent for a client. */
  from?: string;
  active?: boolean;
  state?: string;
  /** Seen connecting once: it may only just be mounting. */
  connecting?: true;
}

/** How full an MDT is, KiB and inodes: its own word, else that of a client's df. */
export interface MdtUsage {
  kbAvail?: number;
  /** Shares used, 0..1. */
  used?: number;
  filesUsed?: number;
  filesFree?: number;
  probe?: 'lustre.mds' | 'lustre.df';
  host?: string;
}

/** One OST as one MDT sees it, with the verdict. */
export interface OnMdt {
  mdt: string;
  osp?: Osp;
  stale: boolean;
  allocation: Allocation;
}

/** One OST as one client sees it. */
export interface ClientView {
  host: string;
  /** It does not answer now: this is old. */
  stale?: true;
  active?: boolean;
  /** Import state. */
  state?: string;
  /** Seen connecting once: it may only just be mounting. */
  connecting?: true;
  /** Letters of `lfs df`. */
  flags?: string;
  /** Its row in `lfs df`; `left out` when the client lists it and df does not. */
  df?: string;
}

/** One OST, the three views joined. */
export interface OstRow {
  /** `scratch-OST001e`. */
  name: string;
  fs: string;
  /** `1e`: without the padding. */
  short: string;
  index: number;
  oss?: string;
  own?: OstOnServer;
  /** The OSS does not answer now: `own` is old. */
  ownStale: boolean;
  mdts: readonly OnMdt[];
  clients: readonly ClientView[];
  /** Undefined: neither its OSS nor a client's df told. */
  degraded?: boolean;
  readOnly: boolean;
  noCreate: boolean;
  /** Inactive on every MDT and on every client that was read: taken out for good. */
  retired: boolean;
  kbTotal?: number;
  kbAvail?: number;
  /** No source that tells how full it is answers now. */
  usageStale: boolean;
  /** Share used, 0..1, as `lfs df` counts it: without the reserve. */
  used?: number;
  /** Inodes of its backend: the most objects it can hold. */
  filesTotal?: number;
  filesFree?: number;
}

export interface FileSystem {
  name: string;
  version?: string;
  osts: readonly OstRow[];
  mdts: readonly MdtRow[];
  /** Clients that have it mounted and answer now. */
  clients: readonly string[];
  /**
   * Whether servers of the site file serve it: one of them has, or had, one of its targets mounted, or no server of the site has any
   * target mounted, so that nothing tells. Else they may be another centre's.
   */
  served: boolean;
  /** OSTs that the MDTs count and nobody named. */
  unnamed: number;
}

export interface Lustre {
  systems: readonly FileSystem[];
  byOst: ReadonlyMap<string, OstRow>;
}
