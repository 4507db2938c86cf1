import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksOf } from '../../probes/checks/definitions.ts';
import { siteWith } from '../checks/make.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { inOwn } from './own-machine.ts';
import { missingPrograms } from './packages.ts';

const NEEDED = {
  '/usr/sbin/slurmdbd': 'slurmdbd',
  '/usr/sbin/mariadbd': 'mariadb-server-core',
  '/usr/sbin/slurmctld': 'slurmctld',
  '/usr/sbin/munged': 'munge',
  '/usr/bin/unshare': 'util-linux',
  '/usr/sbin/ip': 'iproute2',
};

const isPossible = process.getuid?.() === 0 && missingPrograms(NEEDED).length === 0;

const script = (): string => checksOf(siteWith('dbd: {use: slurmdbd}')).get('dbd')?.scriptFor('ctl1') ?? '';

const dbd = (folder: string): string => `AuthType=auth/munge
DbdHost=ctl1
DbdAddr=127.0.0.1
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StoragePass=x
PidFile=/run/slurmdbd.pid
LogFile=${folder}/slurmdbd.log
`;

const ctld = (folder: string): string => `ClusterName=lab
SlurmctldHost=ctl1(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=/run/state
SlurmctldPidFile=/run/slurmctld.pid
SlurmctldLogFile=${folder}/slurmctld.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
NodeName=n1 NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=p Nodes=n1 Default=YES
`;

/** Waits for what a command prints, 20 s at most. */
const awaited = (command: string): string =>
  `for i in $(seq 40); do [ -n "$(${command} 2>/dev/null)" ] && break; sleep 0.5; done`;

/** munged, MariaDB without its own tables, slurmdbd and slurmctld. */
const daemons = (folder: string): string =>
  [
    'mkdir -p /run/munge /run/db/slurm_acct_db /run/state',
    `munged --force --key-file=${folder}/key --log-file=${folder}/munged.log --seed-file=/run/seed --pid-file=/run/munge/pid --socket=/run/munge/munge.socket.2`,
    `mariadbd --no-defaults --user=root --skip-grant-tables --datadir=/run/db --socket=/run/db.sock --skip-networking --innodb-buffer-pool-size=32M >${folder}/db.log 2>&1 &`,
    awaited('ls /run/db.sock'),
    `install -m 600 ${folder}/slurmdbd.conf /run/slurmdbd.conf`,
    `export MYSQL_UNIX_PORT=/run/db.sock SLURM_CONF=${folder}/slurm.conf SLURMDBD_CONF=/run/slurmdbd.conf`,
    `slurmdbd -D >${folder}/dbd.out 2>&1 & dbd=$!`,
    awaited('grep "slurmdbd version .* started" ' + join(folder, 'slurmdbd.log')),
    'slurmctld -i -c 2>/dev/null',
    awaited('sacctmgr -nP list cluster format=cluster'),
  ].join('\n');

describe.skipIf(!isPossible)('the check of slurmdbd', () => {
  it('on a real one with its database: it answers, is gone, and slurmctld is', async () => {
    const folder = emptyFolder('checks-dbd');
    writeFileSync(join(folder, 'key'), 'k'.repeat(1024), { mode: 0o400 });
    writeFileSync(join(folder, 'slurmdbd.conf'), dbd(folder), { mode: 0o600 });
    writeFileSync(join(folder, 'slurm.conf'), ctld(folder));
    // "$1" is the check, which is asked once more at the end.
    const before = [
      daemons(folder),
      'sh -c "$1"',
      'kill $(cat /run/slurmctld.pid)',
      'while kill -0 $(cat /run/slurmctld.pid) 2>/dev/null; do sleep 0.2; done',
      'sh -c "$1"',
      'kill $dbd; wait $dbd',
    ];
    const { said, status } = await inOwn(before.join('\n'), script());
    expect(said.split('\n')).toEqual([
      'SLURMDBD OK: 1 clusters, 0 records wait | queue=0;1000;10000;0',
      'SLURMDBD UNKNOWN: it answers, but slurmctld does not say how many records wait for it',
      expect.stringMatching(/^SLURMDBD CRITICAL: .*[Cc]onnection refused/),
      '',
    ]);
    expect(status).toBe(2);
  }, 150_000);
});
