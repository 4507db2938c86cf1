/** How data and what protects it lie over the slots of an array. */
export type Layout =
  /** RAID0, linear, a single disk: each slot holds what no other holds. */
  | { kind: 'stripe' }
  /** RAID1, ZFS mirror: each slot holds all. */
  | { kind: 'mirror' }
  /** RAID4 and 5, 6, raidz1 to 3. */
  | { kind: 'parity'; tolerance: number }
  /** md RAID10: copies beside each other, and copies further down on the next disks (`far` and `offset` alike). */
  | { kind: 'copies'; near: number; far: number }
  /** RAID10, 50, 60 of controllers: the array is gone when one span is. Slots say their span. */
  | { kind: 'spans'; of: 'stripe' | 'mirror' | 'parity'; tolerance: number }
  /** dRAID and disk pools: stripes are spread so that any disks share one. */
  | { kind: 'declustered'; tolerance: number }
  /** A level whose word nobody knows. */
  | { kind: 'unknown'; word: string };

/** `good`: in sync. `missing`: failed, removed, pulled. `filling`: a disk is there, its content is not yet. */
export type SlotState = 'good' | 'missing' | 'filling' | 'unknown';

export interface Slot {
  /** Key of the disk; undefined where none is there, or none is named. */
  disk?: string | undefined;
  state: SlotState;
  span?: number | undefined;
}

/** Work on an array that makes its redundancy uncertain, whether it runs or waits for its turn. */
export type Work = 'rebuild' | 'resync' | 'reshape' | 'unknown';

/** An array, a drive group or a top-level vdev, with the state of each of its slots. */
export interface DiskArray {
  id: string;
  layout: Layout;
  slots: readonly Slot[];
  /** False: refuses IO (broken, FAILED, OfLn, SUSPENDED). Undefined: its state is not known. */
  usable?: boolean | undefined;
  work?: Work | undefined;
  /** How far the work is, in percent. */
  workPct?: number | undefined;
  /** Spares at hand that would take over. */
  spares?: number | undefined;
  /** Disks that failed out of it and hold no slot any more. */
  out?: readonly string[] | undefined;
  /** Why nothing can be said of it: read too long ago, tables that contradict each other, changed while it was read. */
  doubt?: string | undefined;
}
