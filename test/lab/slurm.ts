import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODES, places, readState, type LabState } from './folder.ts';
import { end, livingPid, run, signal, until } from './processes.ts';

const folded = `node[1-${NODES.length}]`;

const config = (folder: string, { port, nodeHostname, cluster, controller }: LabState): string => {
  const at = places(folder);
  return `ClusterName=${cluster}
SlurmctldHost=${controller}(127.0.0.1)
SlurmctldPort=${port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${join(at.run, 'munge.socket')}
StateSaveLocation=${join(folder, 'state')}
SlurmdSpoolDir=${at.spool}/%n
SlurmctldPidFile=${at.pid('slurmctld')}
SlurmdPidFile=${at.run}/slurmd-%n.pid
SlurmctldLogFile=${at.log}/slurmctld.log
SlurmdLogFile=${at.log}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmdTimeout=60
ReturnToService=1
ResumeTimeout=20
HealthCheckProgram=${at.check}
HealthCheckInterval=4
HealthCheckNodeState=ANY
NodeName=${folded} NodeHostname=${nodeHostname} NodeAddr=127.0.0.1 Port=[${port + 1}-${port + NODES.length}] CPUs=4 RealMemory=1000 State=UNKNOWN
PartitionName=batch Nodes=${folded} Default=YES MaxTime=INFINITE State=UP
PartitionName=long Nodes=node[5-8] MaxTime=INFINITE State=UP
`;
};

/**
 * The HealthCheckProgram: slurmd runs it with nothing but SLURMD_NODENAME set; a broken mount drains the node, and a
 * reason that stands there is left alone. With MARK_OFFLINE=0 it only says what it found: the form for `slurm.check`.
 */
const checkProgram = (folder: string): string => `#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
SLURM_CONF=${places(folder).slurmConf}
export PATH SLURM_CONF
node=\${SLURMD_NODENAME:-$(hostname)}
place=${folder}/mounts/$node
if [ "$MARK_OFFLINE" = 0 ]; then
  mode=$(cat "$place/mode" 2>/dev/null)
  [ "$mode" = hang ] && exec sleep 3600
  [ "$mode" = flood ] && exec head -c 100000000 /dev/zero
fi
[ -n "$(ls "$place/hdfs" 2>/dev/null)" ] && exit 0
echo "ERROR:  nhc:  Health check failed:  HDFS mount lost"
[ "$MARK_OFFLINE" = 0 ] && exit 1
scontrol show node "$node" | grep -q 'State=[^ ]*DRAIN' && exit 1
scontrol update nodename="$node" state=drain reason="NHC: HDFS mount lost"
exit 1
`;

/** Writes configuration, key and folders. No cgroup is used: the plugin gets a place that does not exist. */
export const prepareSlurm = (folder: string, state: LabState): void => {
  const at = places(folder);
  for (const place of [at.run, at.log, join(folder, 'state')]) mkdirSync(place, { recursive: true });
  for (const node of NODES) {
    mkdirSync(join(at.spool, node), { recursive: true });
    mkdirSync(at.mount(node), { recursive: true });
    mendCheck(folder, node);
  }
  writeFileSync(at.slurmConf, config(folder, state));
  writeFileSync(join(folder, 'cgroup.conf'), 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=/nonexistent\n');
  writeFileSync(join(folder, 'munge.key'), randomBytes(1024), { mode: 0o400 });
  writeFileSync(at.check, checkProgram(folder));
  chmodSync(at.check, 0o755);
};

export const breakCheck = (folder: string, node: string): void =>
  rmSync(join(places(folder).mount(node), 'data'), { force: true });

export const mendCheck = (folder: string, node: string): void => {
  writeFileSync(join(places(folder).mount(node), 'data'), 'here\n');
  rmSync(places(folder).checkMode(node), { force: true });
};

/** The side-effect-free check of a node hangs, or prints 100 MB. */
export const setCheckMode = (folder: string, node: string, mode: 'hang' | 'flood'): void =>
  writeFileSync(places(folder).checkMode(node), mode);

export const startMunge = async (folder: string): Promise<void> => {
  const at = places(folder);
  run('munged', [
    '--force',
    `--socket=${join(at.run, 'munge.socket')}`,
    `--key-file=${join(folder, 'munge.key')}`,
    `--log-file=${join(at.log, 'munged.log')}`,
    `--pid-file=${at.pid('munged')}`,
    `--seed-file=${join(at.run, 'munge.seed')}`,
  ]);
  await until('munged', () => livingPid(at.pid('munged')) !== undefined);
};

/** slurmctld wants to run on the host its configuration names. */
export const startController = async (folder: string): Promise<void> => {
  const at = places(folder);
  run('unshare', [
    '--uts',
    'sh',
    '-c',
    `hostname ${readState(folder)?.controller}; exec slurmctld -f ${at.slurmConf} -i`,
  ]);
  await until('slurmctld', () => livingPid(at.pid('slurmctld')) !== undefined);
};

export const startNode = async (folder: string, node: string): Promise<void> => {
  const at = places(folder);
  run('slurmd', ['-N', node, '-f', at.slurmConf]);
  await until(`slurmd of ${node}`, () => livingPid(at.pid(`slurmd-${node}`)) !== undefined);
};

/** A Slurm command against the lab. */
export const slurm = (folder: string, ...argv: [string, ...string[]]): string =>
  run(argv[0], argv.slice(1), { SLURM_CONF: places(folder).slurmConf });

/** `drained`, `idle`, ... as `sinfo` says it. */
export const nodeState = (folder: string, node: string): string =>
  slurm(folder, 'sinfo', '-h', '-n', node, '-o', '%T').trim().split('\n')[0] ?? '';

/** `slurmctld`, `munged` or `slurmd-node3`. */
export const pidFileOf = (folder: string, daemon: string): string => places(folder).pid(daemon);

export const freeze = (folder: string, daemon: string): void => pass(folder, daemon, 'SIGSTOP');

export const thaw = (folder: string, daemon: string): void => pass(folder, daemon, 'SIGCONT');

const pass = (folder: string, daemon: string, name: NodeJS.Signals): void => {
  const pid = livingPid(pidFileOf(folder, daemon));
  if (pid === undefined) throw new Error(`${daemon} does not run`);
  signal(pid, name);
};

/** Jobs are cancelled first: their steps outlive a slurmd. */
export const stopSlurm = async (folder: string): Promise<void> => {
  const at = places(folder);
  const controller = livingPid(at.pid('slurmctld'));
  if (controller !== undefined) {
    signal(controller, 'SIGCONT');
    try {
      slurm(folder, 'scancel', '-u', 'root');
    } catch {
      // A controller that does not answer has no way to cancel: the steps are ended with their slurmd below.
    }
  }
  for (const name of ['slurmctld', ...NODES.map((node) => `slurmd-${node}`), 'munged'])
    await end(at.pid(name));
};
