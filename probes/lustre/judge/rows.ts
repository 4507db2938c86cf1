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
  active?: boolean;
  /** Import state. */
  state?: string;
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
  kbTotal?: number;
  kbAvail?: number;
  /** No source that tells how full it is answers now. */
  usageStale: boolean;
  /** Share used, 0..1, as `lfs df` counts it: without the reserve. */
  used?: number;
}

export interface FileSystem {
  name: string;
  version?: string;
  osts: readonly OstRow[];
  mdts: readonly MdtRow[];
  /** OSTs that the MDTs count and nobody named. */
  unnamed: number;
}

export interface Lustre {
  systems: readonly FileSystem[];
  byOst: ReadonlyMap<string, OstRow>;
}
