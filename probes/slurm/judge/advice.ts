/** What to make of a reason that Slurm itself, a prolog or a check writes. */
export interface Advice {
  match: RegExp;
  /** One sentence. */
  text: string;
  /** `no`: resuming does not mend it and brings the next job into the same fault. */
  resume: 'no' | 'after check';
  /** Written by Slurm's own daemons. */
  slurm: boolean;
}

/** Reasons as slurmctld and slurmd 20.11 to 25.05 write them (sources and captures); first match counts. */
const table: readonly Advice[] = [
  {
    match: /^not responding\b/i,
    text: 'slurmd has not answered for SlurmdTimeout: look at power, network and slurmd; a node that answers again returns by itself if ReturnToService allows it.',
    resume: 'after check',
    slurm: true,
  },
  {
    match: /kill task failed/i,
    text: 'A process of the last job cannot be killed, mostly stuck in a hung file system: find it (state D) and reboot; do not resume.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /low (?:RealMemory|real memory|TmpDisk|CPUs|socket\*?core|Cores|Boards)|low \w+ count/i,
    text: 'The node reports less hardware than slurm.conf says: a DIMM or disk is gone or the file is wrong. Compare with slurmd -C; do not resume.',
    resume: 'no',
    slurm: true,
  },
  {
    // gres.c: its cores are not those of the sockets, after a BIOS update that moves them.
    match: /^gres\/\S+ GRES core specification/i,
    text: 'gres.conf and the sockets of the node differ, mostly after a change of its BIOS (NPS, sub-NUMA): compare slurmd -C and gres.conf; do not resume.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /SlurmdSpoolDir is full/i,
    text: 'The file system below SlurmdSpoolDir is full: make room (logs, old job scripts) before resuming; the next job drains it again.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /no network address found/i,
    text: 'slurmctld could not resolve the name of the node when it started: mend DNS or /etc/hosts there, then scontrol reconfigure.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /gres\/\w+(?::\w+)? count (?:reported lower|too low)|gres\/gpu count/i,
    text: 'The node reports fewer GPUs than configured: look for Xid errors in the kernel log and reset or reboot; do not resume.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /unexpectedly rebooted/i,
    text: 'The node rebooted by itself: read its kernel log and BMC event log (power, machine check, panic) before resuming.',
    resume: 'after check',
    slurm: true,
  },
  {
    match: /reboot timed out/i,
    text: 'The node did not come back within ResumeTimeout: look at its console; it returns when slurmd registers and it is resumed.',
    resume: 'after check',
    slurm: true,
  },
  {
    match: /prolog error|epilog error|prolog failed|epilog failed/i,
    text: 'The prolog or epilog failed: read the slurmd log for its exit code and mend that first; a resume drains it again with the next job.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /batch job complete failure|launch failed|slurmd.* failure/i,
    text: 'slurmd could not finish or start a job: mostly a full disk, no memory or a name service; mend it before resuming.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /duplicate jobid|error checking job credential|credential|munge/i,
    text: 'The node refused a job credential: munge key or clock differ; compare both with the controller.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /slurm\.conf|config.*differ|hash mismatch/i,
    text: 'Its slurm.conf differs from the controller: distribute it and run scontrol reconfigure.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /invalid registration|not (?:a )?valid node|invalid_reg/i,
    text: 'The node registered with something that does not fit slurm.conf: compare with slurmd -C.',
    resume: 'no',
    slurm: true,
  },
  {
    match: /reboot issued|reboot requested|reboot complete/i,
    text: 'A reboot is under way or has just ended.',
    resume: 'after check',
    slurm: true,
  },
  {
    match: /power(?:ed)?[ _]?(?:up|down|save)|resumetimeout reached/i,
    text: 'Power saving: the node did not come up in time; look at the resume program and its log.',
    resume: 'after check',
    slurm: true,
  },
];

/** The advice for a reason, if it is a known one. Takes at most the first 400 characters into account. */
export const adviceFor = (reason: string | undefined): Advice | undefined => {
  if (reason === undefined) return undefined;
  const start = reason.slice(0, 400);
  return table.find((one) => one.match.test(start));
};
