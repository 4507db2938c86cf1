import { describe, expect, it } from 'vitest';
import { ScriptHost, shells, type Said } from './script-host.ts';

const path = (name: string): string => `probes/checks/library/${name}.sh`;

/** What a script of the library says when it is told these things, with these programs on its host. */
const runOn = async (
  shell: string,
  script: string,
  programs: Readonly<Record<string, string>> = {},
  told: Readonly<Record<string, string>> = {},
  prepare: (host: ScriptHost) => void = () => undefined,
): Promise<Said> => {
  const host = new ScriptHost(shell, ['/proc/', '/etc/']);
  for (const [program, body] of Object.entries(programs)) host.program(program, body);
  prepare(host);
  const { shellText } = await import('../../scripts/shell-text.ts');
  const settings = Object.entries(told).map(([key, value]) => `${key}='${value}'`);
  return host.runText([...settings, shellText(script)].join('\n'));
};

const tracking = (seconds: string, stratum = 3, leap = 'Normal'): string =>
  `echo "0A090001,10.9.0.1,${stratum},1795830000.1,${seconds},-0.000001,0.000034,-12.3,0.001,0.05,0.0004,0.0001,64.2,${leap}"`;

/** Of `lmutil lmstat -a`, as the FlexNet License Administration Guide shows it. */
const lmstat = (daemon: string, used: number): string =>
  [
    'License server status: 27000@lic1',
    '    License file(s) on lic1: /opt/flexlm/license.dat:',
    'lic1: license server UP (MASTER) v11.16.2',
    'Vendor daemon status (on lic1):',
    daemon,
    'Feature usage info:',
    `Users of MATLAB:  (Total of 40 licenses issued;  Total of ${used} licenses in use)`,
    'Users of Simulink:  (Total of 1 license issued;  Total of 0 licenses in use)',
  ]
    .map((line) => `echo "${line}"`)
    .join('; ');

const selInfo = (entries: number, full: number): string =>
  `if [ "$2" = info ]; then printf "SEL Information\\nVersion          : 1.5 (v1.5, v2 compliant)\\nEntries          : ${entries}\\nFree Space       : 16000 bytes\\nPercent Used     : ${full}%%\\n"; else `;

const sel = (entries: number, full: number, ...lines: readonly string[]): string =>
  `${selInfo(entries, full)} printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}; fi`;

const gpus = (...lines: readonly string[]): string =>
  `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}`;

interface Case {
  script: string;
  what: string;
  programs?: Readonly<Record<string, string>>;
  told?: Readonly<Record<string, string>>;
  status: number;
  says: string | RegExp;
}

const cases: readonly Case[] = [
  {
    script: path('munge'),
    what: 'a credential that is read back',
    programs: { munge: 'echo MUNGE:AwQFAAC', unmunge: 'echo "STATUS:          Success (0)"' },
    status: 0,
    says: 'MUNGE OK: a credential was made and read back',
  },
  {
    script: path('munge'),
    what: 'no daemon',
    programs: {
      munge:
        'echo "munge: Error: Failed to access \\"/run/munge/munge.socket.2\\": No such file or directory" >&2; exit 6',
      unmunge: ':',
    },
    status: 2,
    says: /^MUNGE CRITICAL: munge: Error: Failed to access/,
  },
  {
    script: path('munge'),
    what: 'a credential that is refused',
    programs: { munge: 'echo MUNGE:x', unmunge: 'echo "unmunge: Error: Expired credential"; exit 15' },
    status: 2,
    says: 'MUNGE CRITICAL: unmunge: Error: Expired credential',
  },
  {
    script: path('chrony'),
    what: 'a clock that is right',
    programs: { chronyc: tracking('0.000020') },
    told: { warn_ms: '100', crit_ms: '1000' },
    status: 0,
    says: 'CHRONY OK: off by 0.020 ms from 10.9.0.1, stratum 3, Normal | offset=0.020ms;100;1000 stratum=3',
  },
  {
    script: path('chrony'),
    what: 'a clock that is late',
    programs: { chronyc: tracking('-0.250000') },
    told: { warn_ms: '100', crit_ms: '1000' },
    status: 1,
    says: /^CHRONY WARNING: off by -250\.000 ms/,
  },
  {
    script: path('chrony'),
    what: 'a clock that is far off',
    programs: { chronyc: tracking('4.5') },
    told: { warn_ms: '100', crit_ms: '1000' },
    status: 2,
    says: /^CHRONY CRITICAL: off by 4500\.000 ms/,
  },
  {
    script: path('chrony'),
    what: 'a clock that nobody sets',
    programs: { chronyc: tracking('0.000000', 0, 'Not synchronised') },
    told: { warn_ms: '100', crit_ms: '1000' },
    status: 2,
    says: /^CHRONY CRITICAL: not synchronised/,
  },
  {
    script: path('chrony'),
    what: 'no daemon',
    programs: { chronyc: 'echo "506 Cannot talk to daemon"; exit 1' },
    told: { warn_ms: '100', crit_ms: '1000' },
    status: 2,
    says: 'CHRONY CRITICAL: chronyd does not answer: 506 Cannot talk to daemon',
  },
  {
    script: path('chrony'),
    what: 'an answer that is none',
    programs: { chronyc: 'echo hello' },
    told: { warn_ms: '100', crit_ms: '1000' },
    status: 3,
    says: 'CHRONY UNKNOWN: tracking is not understood: hello',
  },
  {
    script: path('slurmdbd'),
    what: 'a daemon that answers',
    programs: {
      sacctmgr: 'echo night',
      sdiag: 'echo "Server thread count:  1"; echo "DBD Agent queue size: 12"',
    },
    status: 0,
    says: 'SLURMDBD OK: 1 clusters, 12 records wait | queue=12;1000;10000;0',
  },
  {
    script: path('slurmdbd'),
    what: 'no daemon',
    programs: {
      sacctmgr: 'echo "sacctmgr: error: Sending PersistInit msg: Connection refused" >&2; exit 1',
      sdiag: ':',
    },
    status: 2,
    says: 'SLURMDBD CRITICAL: sacctmgr: error: Sending PersistInit msg: Connection refused',
  },
  {
    script: path('slurmdbd'),
    what: 'records that pile up',
    programs: { sacctmgr: 'echo night', sdiag: 'echo "DBD Agent queue size: 10001"' },
    status: 2,
    says: /^SLURMDBD CRITICAL: 1 clusters, 10001 records wait/,
  },
  {
    script: path('slurmdbd'),
    what: 'a controller that does not say',
    programs: { sacctmgr: 'echo night', sdiag: 'exit 1' },
    status: 3,
    says: /^SLURMDBD UNKNOWN: it answers, but/,
  },
  {
    script: path('dns'),
    what: 'names that resolve',
    programs: { getent: 'echo 10.9.0.1', dig: 'echo 10.9.0.1' },
    told: { names: 'ctl1 nfs1', servers: '10.9.0.2' },
    status: 0,
    says: 'DNS OK: 4 answers | asked=4',
  },
  {
    script: path('dns'),
    what: 'a server that is silent, one that knows no such name, and a resolver that does not either',
    programs: {
      getent: 'exit 2',
      dig: 'case "$*" in *@10.9.0.2*) echo ";; no servers could be reached"; exit 9;; esac',
    },
    told: { names: 'ctl1', servers: '10.9.0.2 10.9.0.3' },
    status: 2,
    says: 'DNS CRITICAL: ctl1 does not resolve here; 10.9.0.2 does not answer for ctl1; 10.9.0.3: no address of ctl1 | asked=3',
  },
  {
    script: path('users'),
    what: 'users that the directory knows',
    programs: { getent: 'echo "alice:*:1001:100::/home/alice:/bin/bash"' },
    told: { users: 'alice bob', warn_ms: '5000' },
    status: 0,
    says: /^USERS OK: all are known \|/,
  },
  {
    script: path('users'),
    what: 'one that it does not know, and one for whom nothing answers',
    programs: { getent: '[ "$2" = alice ] && exit 2; exit 124' },
    told: { users: 'alice bob', warn_ms: '5000' },
    status: 2,
    says: /^USERS CRITICAL: alice is not known; no answer for bob within 5 s \|/,
  },
  {
    script: path('licence'),
    what: 'a server that is up',
    programs: { lmutil: lmstat('      MLM: UP v11.16.2', 12) },
    told: { server: '27000@lic1', lmutil: 'lmutil' },
    status: 0,
    says: "LICENCE OK: 27000@lic1 is up, 2 features | 'MATLAB'=12;;;0;40 'Simulink'=0;;;0;1",
  },
  {
    script: path('licence'),
    what: 'a feature of which all are in use',
    programs: { lmutil: lmstat('      MLM: UP v11.16.2', 40) },
    told: { server: '27000@lic1', lmutil: 'lmutil' },
    status: 1,
    says: /^LICENCE WARNING: all in use: MATLAB \|/,
  },
  {
    script: path('licence'),
    what: 'a vendor daemon that is down',
    programs: { lmutil: lmstat('      MLM: The desired vendor daemon is down. (-97,121)', 0) },
    told: { server: '27000@lic1', lmutil: 'lmutil' },
    status: 2,
    says: /^LICENCE CRITICAL: 27000@lic1: +MLM: The desired vendor daemon is down/,
  },
  {
    script: path('licence'),
    what: 'no server',
    programs: {
      lmutil: 'echo "Error getting status: Cannot connect to license server system. (-15,578:111)"',
    },
    told: { server: '27000@lic1', lmutil: 'lmutil' },
    status: 2,
    says: /^LICENCE CRITICAL: 27000@lic1: Error getting status: Cannot connect/,
  },
  {
    script: path('licence'),
    what: 'an answer that is none',
    programs: { lmutil: 'echo lmutil' },
    told: { server: '27000@lic1', lmutil: 'lmutil' },
    status: 3,
    says: /^LICENCE UNKNOWN/,
  },
  {
    script: path('ipmi-sel'),
    what: 'a log of which nobody says how full it is',
    programs: { ipmitool: 'printf "Entries          : 0\\nPercent Used     : unknown\\n"' },
    told: { ipmitool: 'ipmitool' },
    status: 0,
    says: 'SEL OK: 0 entries, none of them grave, how full the log is is not known | events=0 entries=0',
  },
  {
    script: path('ipmi-sel'),
    what: 'an empty log',
    programs: { ipmitool: sel(0, 0) },
    told: { ipmitool: 'ipmitool' },
    status: 0,
    says: 'SEL OK: 0 entries, none of them grave | events=0 entries=0 full=0%;90;;0;100',
  },
  {
    script: path('ipmi-sel'),
    what: 'a power supply that came back, and memory that did not',
    programs: {
      ipmitool: sel(
        3,
        2,
        '   1 | 03/20/2026 | 00:58:40 | Power Supply PS1 | Power Supply AC lost | Asserted',
        '   2 | 03/20/2026 | 00:59:40 | Power Supply PS1 | Power Supply AC lost | Deasserted',
        '   3 | 03/21/2026 | 04:12:01 | Memory DIMM_B2 | Uncorrectable ECC | Asserted',
      ),
    },
    told: { ipmitool: 'ipmitool' },
    status: 2,
    says: 'SEL CRITICAL: 1 not taken back, one of them Memory DIMM_B2: Uncorrectable ECC | events=1 entries=3 full=2%;90;;0;100',
  },
  {
    script: path('ipmi-sel'),
    what: 'a log that is full',
    programs: {
      ipmitool: sel(
        1,
        95,
        '   1 | 03/20/2026 | 00:58:40 | Event Logging Disabled SEL | Log area reset/cleared | Asserted',
      ),
    },
    told: { ipmitool: 'ipmitool' },
    status: 1,
    says: /^SEL WARNING: the log is 95% full/,
  },
  {
    script: path('ipmi-sel'),
    what: 'no service processor',
    programs: {
      ipmitool:
        'echo "Could not open device at /dev/ipmi0 or /dev/ipmi/0 or /dev/ipmidev/0: No such file or directory" >&2; exit 1',
    },
    told: { ipmitool: 'ipmitool' },
    status: 3,
    says: /^SEL UNKNOWN: Could not open device/,
  },
  {
    script: path('gpu-ecc'),
    what: 'GPUs without errors',
    programs: { 'nvidia-smi': gpus('0, Enabled, 0, No, No', '1, Enabled, 0, No, No') },
    status: 0,
    says: 'GPU OK: 2 GPUs without uncorrected errors | gpu0=0;;0;0 gpu1=0;;0;0',
  },
  {
    script: path('gpu-ecc'),
    what: 'one with errors, whose rows could not be replaced',
    programs: { 'nvidia-smi': gpus('0, Enabled, 3, No, Yes', '1, Enabled, 0, Yes, No') },
    status: 2,
    says: 'GPU CRITICAL: GPU 0: 3 uncorrected errors; GPU 0: rows could not be replaced | gpu0=3;;0;0 gpu1=0;;0;0',
  },
  {
    script: path('gpu-ecc'),
    what: 'rows that wait for a reset, on a GPU of a make that has no such figures beside it',
    programs: { 'nvidia-smi': gpus('0, Enabled, 0, Yes, No', '1, Enabled, 0, [N/A], [N/A]') },
    status: 1,
    says: /^GPU WARNING: GPU 0: rows wait for a reset/,
  },
  {
    script: path('gpu-ecc'),
    what: 'no figure of errors',
    programs: { 'nvidia-smi': gpus('0, Enabled, [Unknown Error], No, No') },
    status: 3,
    says: /^GPU UNKNOWN: no count of errors from GPU 0/,
  },
  {
    script: path('gpu-ecc'),
    what: 'a driver that does not answer',
    programs: {
      'nvidia-smi':
        'echo "Unable to determine the device handle for GPU0000:81:00.0: Unknown Error"; exit 255',
    },
    status: 2,
    says: /^GPU CRITICAL: nvidia-smi: Unable to determine the device handle/,
  },
];

/** Told: what each script wants to know, where a case does not say. */
const mounts = [
  '/dev/sda1 / ext4 rw 0 0',
  'proc /proc proc rw 0 0',
  'nfs1:/home /home nfs rw 0 0',
  '/dev/sdb1 /home/local xfs rw 0 0',
  '/dev/sdc1 /with\\040blank xfs rw 0 0',
].join('\n');

/** df that holds whoever asks it for what lies on a server. */
const df = (full: number): string =>
  `for last; do :; done; case $last in /home*) sleep 30;; esac; echo Filesystem; echo "/dev/x 100 90 10 ${full}% $last"`;

describe.each(shells)('checks of the library under %s', { concurrent: true }, (shell) => {
  it.each(cases)('$script: $what', async ({ script, programs, told, status, says }) => {
    const done = await runOn(shell, script, programs, told);
    expect(done.complaints).toBe('');
    if (typeof says === 'string') expect(done.said).toBe(`${says}\n`);
    else expect(done.said).toMatch(says);
    expect(done.status).toBe(status);
  });

  // busybox runs a df of its own, which no stand-in takes the place of: there the real root is looked at.
  it.runIf(shell === 'busybox')('disk: a df that is part of the shell', async () => {
    const told = { mounts: '', warn_percent: '100', crit_percent: '100' };
    const done = await runOn(shell, path('disk'), {}, told, (host) =>
      host.file('/proc/self/mounts', `${mounts}\n`),
    );
    expect(done.said).toMatch(/^DISK OK: 1 file systems, none over 100% \| '\/'=\d+%;100;100;0;100\n$/);
  });

  it.skipIf(shell === 'busybox').each([
    [
      50,
      0,
      "DISK OK: 2 file systems, none over 90% | '/'=50%;90;95;0;100 '/with\\040blank'=50%;90;95;0;100\n",
    ],
    [93, 1, /^DISK WARNING: \/ 93% full; \/with\\040blank 93% full \|/],
    [99, 2, /^DISK CRITICAL: \/ 99% full/],
  ])(
    'disk: local file systems %i%% full, and none of a server or below one is touched',
    async (full, status, says) => {
      const told = { mounts: '', warn_percent: '90', crit_percent: '95' };
      const done = await runOn(shell, path('disk'), { df: df(full) }, told, (host) =>
        host.file('/proc/self/mounts', `${mounts}\n`),
      );
      expect(done.said).toMatch(says);
      expect(done.status).toBe(status);
    },
  );

  it.skipIf(shell === 'busybox')('disk: one that is asked for and has no figures is unknown', async () => {
    const told = { mounts: '/ /with\\040blank', warn_percent: '90', crit_percent: '95' };
    const some =
      'for last; do :; done; [ "$last" = / ] || exit 1; echo Filesystem; echo "/dev/x 9 1 8 FULL% /"';
    const asked = (full: number) =>
      runOn(shell, path('disk'), { df: some.replace('FULL', String(full)) }, told, (host) =>
        host.file('/proc/self/mounts', `${mounts}\n`),
      );
    expect(await asked(50)).toMatchObject({
      said: "DISK UNKNOWN: df gave no figures of /with\\040blank | '/'=50%;90;95;0;100\n",
      status: 3,
    });
    expect(await asked(99)).toMatchObject({ status: 2 });
  });

  it('disk: one that is asked for and lies on a server is unknown, and not touched', async () => {
    const told = { mounts: '/ /home', warn_percent: '90', crit_percent: '95' };
    const done = await runOn(shell, path('disk'), { df: df(1) }, told, (host) =>
      host.file('/proc/self/mounts', `${mounts}\n`),
    );
    expect(done).toMatchObject({ said: 'DISK UNKNOWN: /home is no local file system\n', status: 3 });
  });

  it('users: one of /etc/passwd says nothing of the directory', async () => {
    const told = { users: 'root', warn_ms: '1000' };
    const done = await runOn(shell, path('users'), { getent: 'exit 0' }, told, (host) =>
      host.file('/etc/passwd', 'root:x:0:0::/root:/bin/sh\n'),
    );
    expect(done).toMatchObject({
      status: 3,
      said: expect.stringMatching(/^USERS UNKNOWN: root stands in \/etc\/passwd/),
    });
  });

  it.each([path('certificates'), path('licence'), path('gpu-ecc')])(
    '%s: unknown where its tool is not there',
    async (name) => {
      const done = await runOn(
        shell,
        name,
        {},
        { lmutil: 'lmutil-that-is-not-there', certificates: '', warn_days: '1', crit_days: '1' },
      );
      if (name === path('certificates')) expect(done).toMatchObject({ status: 0 });
      else expect(done).toMatchObject({ status: 3, said: expect.stringContaining('is not installed') });
    },
  );
});
