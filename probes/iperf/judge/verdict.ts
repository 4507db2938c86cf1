import type { Samples } from './samples.ts';

export type VerdictKind =
  | 'failed'
  | 'mtu'
  | 'cpu'
  | 'noData'
  | 'bimodalTime'
  | 'bimodalPort'
  | 'lineRate'
  | 'loss'
  | 'window'
  | 'oneStream'
  | 'interrupts'
  | 'oneWay'
  | 'dropped'
  | 'slow'
  | 'shared'
  | 'steady';

/** What a test says of one direction of a pair. */
export interface Verdict {
  kind: VerdictKind;
  sign: 'fine' | 'notice' | 'warning' | 'unknown';
  /** `bimodal 9.47 / 2.33 Gbit/s over 20 intervals`. */
  text: string;
  /** Proof, one line each. */
  evidence: readonly string[];
  /** The ends that are at fault, where the test tells: `{host: 'b', cause: 'cpu'}`. */
  suspects?: readonly { host: string; cause: 'cpu' | 'window' | 'interrupts' }[];
  /** bits/s that the verdict is about. */
  bps: number;
  /** Of two levels the lower one: what users feel. */
  lowBps?: number;
  samples: number;
}

export interface Others {
  host: string;
  does: 'sent' | 'received';
  bps: number;
  lineBps?: number;
}

/** What is known beside the samples; everything absent is not known and proves nothing. */
export interface Around {
  samples: Samples | undefined;
  /** The tool's own words for why there is no (or not all) data. */
  error?: string;
  /** The test got no connection (refused, busy, name not found): that takes small packets only and says nothing of large ones. */
  neverConnected?: boolean;
  /** bits/s of the slower end's NIC, or what the site file says. */
  lineBps?: number;
  /** The other direction, tested last. */
  back?: { bps: number };
  /** The same direction with another number of streams, tested last. */
  several?: { bps: number; streams: number };
  /** The same direction with one stream, tested before this one with several. */
  single?: { bps: number };
  /** Pings with DF before the test: answers to 2 of the interface's MTU, and to 2 of 1500 bytes where that is less. */
  path?: { mtu: number; full: number; standard?: number };
  /** Payload of a segment, bytes. */
  segmentBytes?: number;
  /** What iperf3 took of a core at each end, per cent, and of how many threads it could. */
  cpu?: readonly { host: string; role: 'sender' | 'receiver'; percent: number; threads: number }[];
  /** Streams of this run. */
  streams: number;
  /** Bytes that can be under way: the smaller of what the ends allow, or what the test asked for. */
  windowBytes?: number;
  /** Whose setting that is: `tcp_rmem of the receiver is 65536 at most`; no host where the test asked for it. */
  windowBy?: { text: string; host?: string };
  rttMs?: number;
  /** Single-stream runs of the pair that were each steady: source port and rate. */
  byPort?: readonly { port: number; bps: number }[];
  /** What else went the way of the test at each end meanwhile, bits/s, and the speed of that NIC where it is known. */
  others?: readonly Others[];
  /** `wn-d-04: all 8 queues interrupt core 0`. */
  interrupts?: readonly { host: string; text: string }[];
  /** Median of earlier tests, and of how many. */
  baseline?: { bps: number; count: number };
}
