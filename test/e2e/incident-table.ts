export interface Act {
  /** The line of the menu that is chosen, after so many steps down. */
  chosen: RegExp;
  down?: number;
  plan: string;
  /** Absent: `y`. */
  typed?: string;
  /** What the run says in the end. */
  verified: string | RegExp;
  /** It is held: once this is seen it is kept. */
  keep?: RegExp;
}

export interface Incident {
  name: string;
  /** The first finding, on which the cursor stands. */
  first: RegExp;
  /** What cures it, one after the other; none: it ends in a ticket. */
  acts?: readonly Act[];
  /** What a ticket must hold besides the finding. */
  contact?: string;
  /** The finding that stands there in the end; absent: the first one is gone. */
  end?: RegExp;
}

/** Every incident of the demo, and how it is brought to its end. */
export const incidents: readonly Incident[] = [
  {
    name: 'hdfs-lost',
    first: /node\[12-28,31\] drained.*17 of 18 pass/,
    acts: [{ chosen: /> resume +17 of 18/, plan: 'Resume 17 nodes', verified: '17 of 17 done and verified' }],
  },
  { name: 'breaker', first: /23 nodes down|node\[78-100\] lost together/, contact: 'facilities on call' },
  {
    name: 'controller-slow',
    first: /node\[33,47,59|slurmctld/,
    contact: 'batch systems team',
  },
  { name: 'night', first: /23 nodes down|node\[78-100\] lost together/, contact: 'facilities on call' },
  {
    name: 'sfp',
    first: /core3 te3\/46 receives/,
    acts: [
      {
        chosen: /> shut port/,
        plan: 'Shut te3/46 on core3',
        typed: 'shut core3:te3/46',
        keep: /now 0 of 16 jumbo paths lossy/,
        verified: /kept: .*not saved on the switch|kept: /,
      },
    ],
  },
  {
    name: 'degraded-ignored',
    first: /scratch-OST001e is degraded but still receives files/,
    acts: [
      {
        chosen: /> stop creates/,
        plan: 'Stop creates on scratch-OST001e',
        typed: 'scratch-OST001e',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'ost-drain',
    first: /scratch-OST0007 kept from new objects: degraded/,
    acts: [
      {
        chosen: /> stop creates/,
        down: 1,
        plan: 'Stop creates on scratch-OST0007',
        typed: 'scratch-OST0007',
        verified: '✓ done, verified by reading it again',
      },
      {
        chosen: /> drain to other OSTs/,
        plan: 'Drain scratch-OST0007',
        typed: 'scratch-OST0007',
        verified: 'verified by reading it again; it goes on',
      },
    ],
    end: /scratch-OST0007 is empty/,
  },
  { name: 'lock-depletion', first: /oss3 (?:runs )?out of (?:LDLM )?locks/, contact: 'storage team' },
  { name: 'quota-stuck', first: /oss3: group quota/, contact: 'storage team' },
  { name: 'oss-recovery', first: /oss2: .*recovery/, contact: 'storage team' },
  {
    name: 'bimodal',
    first: /wn-d-04: all 8 queues/,
    acts: [
      {
        chosen: /> spread NIC interrupts/,
        plan: 'Spread the interrupts of ens1f0 on wn-d-04',
        typed: 'wn-d-04',
        verified: '8 queues on 8 cores',
      },
    ],
  },
  { name: 'kernel-cap', first: /at 18 % of line rate.*kernel/, contact: 'operating systems team' },
  {
    name: 'stuck-lock',
    first: /home0.*orphan|home0.*stale lock/,
    acts: [
      {
        chosen: /> free the lock/,
        plan: 'Free the lock of home0',
        typed: 'home0',
        verified: 'home0 is free on gl3',
      },
    ],
  },
  {
    name: 'brick-down',
    first: /data1: 1 brick of 6 down/,
    acts: [
      {
        chosen: /> start the brick/,
        plan: 'Start gl2:/data/brick2/data1',
        typed: 'gl2:/data/brick2/data1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'split-brain',
    first: /home0: 1 file in split-brain/,
    acts: [
      {
        chosen: /> heal a file in split-brain/,
        plan: 'Heal /bob/results.csv (latest-mtime) of home0',
        typed: 'heal home0',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'nfs-hung',
    first: /nfs +nfs2/,
    acts: [
      {
        chosen: /> raise the number of nfsd threads/,
        plan: 'Raise nfsd threads on nfs2',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'ls-slow',
    first: /login1: ls in \/scratch\/data takes/,
    acts: [
      {
        chosen: /> turn costly ls colours off/,
        plan: 'Turn costly ls colours off for login shells of login1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'rpcbind-dead',
    first: /nfs1: rpcbind is dead/,
    acts: [
      {
        chosen: /> restart rpcbind and register again/,
        plan: 'Restart rpcbind and register again on nfs1',
        typed: 'restart nfs1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'statd-dead',
    first: /node12: rpc\.statd is dead/,
    acts: [
      {
        chosen: /> restart rpc\.statd/,
        plan: 'Restart rpc.statd on node12',
        typed: 'node12',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'export-withdrawn',
    first: /nfs1:\/export\/apps is no longer exported/,
    acts: [
      {
        chosen: /> export \/etc\/exports again/,
        plan: 'Export /etc/exports again on nfs1',
        typed: 'nfs1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'cache-off',
    first: /UPS rack3: battery is past its life.*write cache of array1 off, 12 OSTs slow/,
    acts: [
      {
        chosen: /> reset a UPS's battery date/,
        plan: 'Reset the battery date of UPS rack3 on array1',
        typed: 'reset array1',
        verified: '✓ done, verified by reading it again',
      },
    ],
    end: /UPS rack3: battery is past its life since [\d-]+; i/,
  },
  {
    name: 'disks-failing',
    first: /array2: 5 failed or suspect disks; pull now: sdam, sddl; then/,
    contact: 'storage team',
  },
];
