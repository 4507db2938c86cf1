import type { Suspect } from '../../../src/model/finding.ts';
import type { PortSettings } from '../read/port-settings.ts';
import type { PortRates } from '../judge/rates.ts';
import type { Lane, Repair } from '../readings.ts';

/** An end of a link. */
export interface Place {
  /** `core3:te3/46`, or a foreign device's own words. */
  id: string;
  /** As it is said: `core3 te3/46`. */
  name: string;
}

/** The place alone, without all that speaks about it. */
export const placeOf = ({ id, name }: Place): Place => ({ id, name });

/** Where damaged frames come into the network, as far as they can be followed. */
export interface Origin {
  /** The first port that receives them. */
  at: Place;
  /** The end that sends to it, where known. */
  from?: Place;
  /** Switches between there and the sender that is judged, which cut through: the nearest first. */
  through: readonly string[];
}

/** A part that several links of a device hang on. */
export interface SharedPart {
  /** `breakout xe-0/0/1`, `card te3`; the device itself: its name. */
  what: string;
  /** Links on it that carry traffic, and those of them that suffer as well, without the one that is judged. */
  total: number;
  bad: number;
  /** So many devices the bad ones lead to, with the one that is judged; absent: of a breakout, whose cable fails as one. */
  devices?: number;
}

/** Everything that speaks about one end of a link. */
export interface End extends Place {
  /** Intervals, newest first; none: its counters are not known. */
  rates: readonly PortRates[];
  lanes: readonly Lane[];
  repairs: readonly Repair[];
  /** Its switch sends frames on before it knows their checksum. */
  cutThrough?: boolean;
  settings?: PortSettings;
  /** Bytes of payload that it takes by its MTU, whatever its make counts besides; and frames/s that it refuses for their length. */
  payload?: number;
  refused?: number;
  /** Other links that hang on the same part as this end, and how many of them suffer in the same direction. */
  neighbours?: SharedPart;
  /** Where bad frames come in that its switch may send on. */
  origins?: readonly Origin[];
  /** Bad frames/s that its switch receives at its other ports: more than these it can't send on. */
  arriving?: number;
}

/** One direction of a link that carries bad frames: `from` sends, `to` counts them. */
export interface Case {
  from: End;
  to: End;
  /** The other direction is bad too. */
  bothWays: boolean;
  /** Lossy jumbo cells beside clean small ones; `onPath`: of the paths that lead over this link, else of all. */
  jumbo?: { lossy: number; cells: number; onPath: boolean };
  /** Bad frames and frames per second of earlier intervals, oldest first: corruption takes its share of any load, congestion not. */
  past?: readonly { share: number; load: number }[];
  /** How often the link went down within the last hour. */
  flaps?: number;
  /** Since the device says that it came up. */
  linkedForSeconds?: number;
}

export type CauseKind =
  | 'upstream'
  | 'mismatch'
  | 'congestion'
  | 'mtu'
  | 'shared'
  | 'fibre'
  | 'connector'
  | 'transmitter'
  | 'overload'
  | 'farOptic'
  | 'nearOptic'
  | 'lane'
  | 'port'
  | 'sender';

/** What may be wrong with a link, as `status --json` names it. */
export type LinkCause =
  | 'light-lost'
  | 'transmitter'
  | 'too-much-light'
  | 'optic'
  | 'cable'
  | 'lane'
  | 'port'
  | 'shared-part'
  | 'upstream'
  | 'duplex'
  | 'speed'
  | 'fec'
  | 'mtu'
  | 'autoneg'
  | 'flapping'
  | 'down'
  | 'suspended'
  | 'congestion'
  | 'slow-receiver'
  | 'identity'
  | 'not-read';

/** A line of evidence; `rests`: the reading that it rests on, where that is not the counters. */
export type Ground = string | { text: string; rests: 'optics' | 'matrix' };

export const groundText = (ground: Ground): string => (typeof ground === 'string' ? ground : ground.text);

/** One thing that may be the reason. `weight` orders them; only the order is shown. */
export interface Cause {
  kind: CauseKind;
  weight: number;
  /** What it is, where. */
  text: string;
  evidence: readonly Ground[];
  /** The end to go to, and what to do there in which order. */
  at?: Place;
  steps: readonly string[];
  /** Where the kind alone does not say which of several causes it is, and what it goes by, typed. */
  cause?: LinkCause;
  values?: Suspect['values'];
  /** What is shared, of that kind. */
  part?: SharedPart;
}

/** `1,204`, `0.40`: per second. */
export const rate = (value: number): string =>
  value >= 10 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 1 ? 1 : 2);

export const percent = (share: number): string => {
  const value = share * 100;
  return value >= 0.05 ? `${value.toFixed(1)} %` : `${value.toExponential(0)} %`;
};

/** `core3` of `core3 te3/46`. */
export const hostOf = (name: string): string => name.split(' ')[0] ?? name;
