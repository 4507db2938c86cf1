import { clearReason, type SimNode, setReason, type SimState, usage } from './state.ts';

/** slurm.conf of the simulated cluster. */
export const conf = { slurmdTimeoutS: 300, resumeTimeoutS: 600, healthCheckIntervalS: 20, rebootS: 45 };

/** What time brings about: jobs end, reboots end, the health check drains what fails it, silent nodes are given up. */
export const advance = (state: SimState, now: number): void => {
  for (const job of state.jobs) {
    if (job.endAt > now) continue;
    const hours = state.partitions.find((one) => one.name === job.partition)?.maxHours ?? 1;
    const span = Math.max(1.2, hours / 2) * 3_600_000;
    // The next job of the same user takes its place, on the nodes that still take jobs.
    job.nodes = job.nodes.filter((name) => isFree(state.nodes.get(name)));
    state.lastJob += 1;
    job.id = state.lastJob;
    job.startAt = now;
    job.endAt = now + span;
  }
  state.jobs = state.jobs.filter((job) => job.nodes.length > 0);
  const used = usage(state);
  for (const node of state.nodes.values()) {
    if (node.marks.size > 0 || node.down || node.fault !== undefined)
      advanceNode(node, used.get(node.name) ?? 0, now);
  }
};

const isFree = (node: SimNode | undefined): boolean =>
  node !== undefined && !node.down && node.marks.size === 0;

const advanceNode = (node: SimNode, used: number, now: number): void => {
  if (node.marks.has('REBOOT_REQUESTED') && used === 0) beginReboot(node, now);
  if (node.rebootUntil !== undefined && now >= node.rebootUntil && node.powered) endReboot(node, now);
  if (!node.powered && node.silentSince !== undefined && now - node.silentSince > 60_000 && !node.down) {
    node.down = true;
    if (node.reason === '') setReason(node, 'Not responding', 'slurm', now);
  }
  const watched = node.fault !== undefined && !node.marks.has('DRAIN') && !node.down && node.powered;
  if (watched && now - (node.returnedAt ?? 0) > conf.healthCheckIntervalS * 1000) {
    node.marks.add('DRAIN');
    setReason(node, 'NHC: HDFS mount lost', 'root', now);
  }
};

export const beginReboot = (node: SimNode, now: number): void => {
  node.marks.delete('REBOOT_REQUESTED');
  node.marks.add('REBOOT_ISSUED').add('DRAIN');
  node.down = true;
  node.rebootUntil = now + conf.rebootS * 1000;
  if (node.reason !== '') setReason(node, `${node.reason} : reboot issued`, node.reasonUser, now);
};

const endReboot = (node: SimNode, now: number): void => {
  delete node.rebootUntil;
  node.marks.delete('REBOOT_ISSUED');
  node.marks.delete('DRAIN');
  node.bootAt = now - 20_000;
  node.slurmdAt = now;
  node.returnedAt = now;
  node.down = node.nextState === 'DOWN';
  if (node.down)
    setReason(node, `${node.reason.replace(/ : reboot issued$/, '')} : reboot complete`, 'slurm', now);
  else clearReason(node);
  delete node.nextState;
};
