import type { HostView } from '../model/site.ts';
import type { Probe } from '../model/system.ts';
import type { Doing } from '../model/wire.ts';

/** One probe on one host and when it is next asked. Times are monotonic ms. */
export interface Slot {
  readonly key: string;
  readonly probe: Probe;
  readonly host: HostView;
  /** The probe's interval or the site file's; 0: only on demand. */
  readonly everyMs: number;
  /** Its place among the hosts of its probe. */
  readonly turn: number;
  /** Of those that are asked together the same, 0..1: the part of their interval at which all of them are due; absent: asked by itself. */
  readonly beat?: number;
  /** The interval in force: stretched when the command is slow. */
  paceMs: number;
  /** What the last answer took on the host, ms; 0 when the last try failed. */
  tookMs: number;
  /** The last try failed, or its answer says that the daemon does not work. */
  failing: boolean;
  nextAt: number;
  running: boolean;
  startedAt: number;
  /** Asked for by a person or the remedy engine: goes before back-off and `when`. */
  wanted: boolean;
  /** Wanted of the host itself, not through another one. */
  wantedDirect: boolean;
  /** What is running now was wanted. */
  explicit: boolean;
  /** What is running now was wanted of the host itself. */
  direct: boolean;
  /** Wanted while it was running: asked again right after. */
  again: boolean;
  /** The machine slept while it was running. */
  overslept: boolean;
  /** Commands in a row that did not even end by the remote time limit. */
  hung: number;
  hungAt: number;
  /** Answers in a row of which the reading had to be ended; what came between and gave none counts for nothing. */
  unreadable: number;
  /** It is not asked before this moment unless a person wants it. */
  restsUntil: number;
}

/** The key of a probe on a host, also of its source and its raw answers. */
export const slotKey = (probe: string, host: string): string => `${probe} ${host}`;

/** Where its work is done, for who watches this thread. */
export const placeOf = ({ probe, host }: Slot): Doing => ({ probe: probe.id, host: host.name });

/** A slot that is not due yet. */
export const createSlot = (probe: Probe, host: HostView, everyMs: number, turn = 0, beat?: number): Slot => ({
  key: slotKey(probe.id, host.name),
  probe,
  host,
  everyMs,
  turn,
  ...(beat !== undefined && { beat }),
  paceMs: everyMs,
  tookMs: 0,
  failing: false,
  nextAt: Infinity,
  running: false,
  startedAt: 0,
  wanted: false,
  wantedDirect: false,
  explicit: false,
  direct: false,
  again: false,
  overslept: false,
  hung: 0,
  hungAt: 0,
  unreadable: 0,
  restsUntil: -Infinity,
});
