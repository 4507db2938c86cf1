import type { Reread } from './action.ts';
import type { Carried } from './dependency.ts';
import type { Severity, Subject } from './subject.ts';

/** A message of a kernel. `at`: UTC ms; absent where the line has no time. */
export interface KernelLine {
  at?: number | undefined;
  text: string;
}

/** What protects the data of a storage array. */
export const arrayParts = ['cache', 'battery', 'pool'] as const;
export type ArrayPart = (typeof arrayParts)[number];

/** What one system publishes for others. */
export type Fact =
  | { name: 'node.busy'; subject: Subject; value: { jobs: readonly string[]; users: readonly string[] } }
  | { name: 'node.drained'; subject: Subject; value: { reason: string; since?: number } }
  | { name: 'node.rebooting'; subject: Subject; value: true }
  /** Off, or about to be, as the site plans it: that it does not answer is no fault. */
  | { name: 'node.off'; subject: Subject; value: { why: 'reboot' | 'power saving' | 'maintenance' } }
  | { name: 'host.uplink'; subject: Subject; value: { port: string } }
  /** A cable between two switches; `subject` is the link. */
  | { name: 'cable'; subject: Subject; value: { ports: readonly [string, string] } }
  /** The subject gets this from another one: an OST its data from its OSS. */
  | { name: 'depends'; subject: Subject; value: { on: Subject; carries: Carried } }
  /**
   * Where the data of the subject lies, as its host calls it: a device (`/dev/mapper/ost5`), a dataset of ZFS (`tank/ost5`), or the
   * folder where its file system is mounted.
   */
  | { name: 'data.place'; subject: Subject; value: { host: string; on: string } }
  /**
   * What a check of the site says of a part of a storage array that nothing else reads; the subject is the check. `most`: how bad it is
   * at most. `at`: UTC ms of the reading; absent where nothing is known of now, and `state` is `unknown` then.
   */
  | {
      name: 'array.part';
      subject: Subject;
      value: {
        array: string;
        part: ArrayPart;
        state: 'ok' | 'warning' | 'critical' | 'unknown';
        most: Severity;
        text: string;
        by: string;
        probe: string;
        host: string;
        at?: number;
      };
    }
  /** All that a host's kernel said, newest last, when it was last asked (UTC ms) and by which probe. */
  | {
      name: 'host.kernel';
      subject: Subject;
      value: { at: number; probe: string; lines: readonly KernelLine[] };
    }
  /** What a system keeps together under one name (a partition): `slurm:batch` and its nodes, for sets that say `@slurm:batch`. */
  | { name: 'group'; subject: Subject; value: { name: string; members: readonly string[] } }
  | { name: 'host.facts'; subject: Subject; value: { kernel?: string; nic?: string } };

export type FactName = Fact['name'];

export interface Facts {
  list<N extends FactName>(name: N): readonly Extract<Fact, { name: N }>[];
  find<N extends FactName>(name: N, subject: Subject): Extract<Fact, { name: N }> | undefined;
  /**
   * What is asked for facts of this name: who must not act on an old one asks these again, and an absent fact says something
   * only when one of them is fresh. Empty: nobody on this site tells of it.
   */
  askedBy?(name: FactName): readonly Reread[];
}
