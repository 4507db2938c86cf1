import { describe, expect, it } from 'vitest';
import { glusterDiscovery } from '../../../probes/gluster/discover.ts';
import { lustreDiscovery } from '../../../probes/lustre/discover.ts';
import { nfsDiscovery } from '../../../probes/nfs/discover.ts';
import { slurmDiscovery } from '../../../probes/slurm/discover.ts';
import { switchDiscovery } from '../../../probes/switch/discover.ts';
import type { Discovery, Printed, Said } from '../../../src/model/discover.ts';

type Answers = Readonly<Record<string, string | Printed>>;

const saidBy = (host: string, answers: Answers): Said => ({
  host,
  printed: new Map(
    Object.entries(answers).map(([name, one]) => [
      name,
      typeof one === 'string' ? { text: one, code: 0 } : one,
    ]),
  ),
});

const clues = (discovery: Discovery, ...said: readonly Said[]) =>
  discovery.read(said, { hostOf: (name) => said.find(({ host }) => host === name)?.host });

const rolesOf = (discovery: Discovery, ...said: readonly Said[]): string[] =>
  clues(discovery, ...said).hosts.flatMap(({ name, role }) =>
    role === undefined ? [] : [`${name} ${role}`],
  );

describe('Slurm', () => {
  const config = (...more: readonly string[]): string =>
    ['ClusterName             = alpha', 'SlurmdTimeout           = 300 sec', ...more].join('\n');

  it('old and new names of controllers, addresses left out', () => {
    const lines = [
      'ControlMachine          = old1',
      'BackupController        = (null)',
      'SlurmctldHost[0]        = ctl1(10.0.0.1)',
      'SlurmctldHost[1]        = ctl2',
    ];
    expect(rolesOf(slurmDiscovery, saidBy('a', { config: config(...lines) }))).toEqual([
      'old1 slurm-controller',
      'ctl1 slurm-controller',
      'ctl2 slurm-controller',
    ]);
  });

  it('racks by the leaves of the topology, spines are none', () => {
    const topology = [
      'SwitchName=s0 Level=0 LinkSpeed=1 Nodes=node[1-20]',
      'SwitchName=s1 Level=0 LinkSpeed=1 Nodes=node[21-40]',
      'SwitchName=spine Level=1 LinkSpeed=1 Nodes=node[1-40] Switches=s[0-1]',
    ].join('\n');
    expect(clues(slurmDiscovery, saidBy('a', { config: config(), topology })).places).toMatchObject([
      { label: 'rack', value: 's0', hosts: 'node[1-20]' },
      { label: 'rack', value: 's1', hosts: 'node[21-40]' },
    ]);
  });

  it('the check is written down for NHC only; any other program is told', () => {
    const nhc = clues(
      slurmDiscovery,
      saidBy('a', { config: config('HealthCheckProgram      = /opt/bin/nhc') }),
    );
    expect(nhc.settings).toMatchObject([
      { key: 'check.command', value: ['/opt/bin/nhc'] },
      { key: 'check.env', value: { MARK_OFFLINE: '0' } },
      { key: 'check.reasons' },
    ]);
    const own = clues(
      slurmDiscovery,
      saidBy('a', { config: config('HealthCheckProgram      = /opt/bin/drain-if-bad') }),
    );
    expect(own.settings).toEqual([]);
    expect(own.notes?.join()).toMatch(/HealthCheckProgram is \/opt\/bin\/drain-if-bad/);
    const none = clues(slurmDiscovery, saidBy('a', { config: config('HealthCheckProgram      = (null)') }));
    expect([none.settings, none.notes?.length]).toEqual([[], 1]);
  });

  it('nothing comes of a host without Slurm, and a refusal is told only where nobody else tells', () => {
    const absent = saidBy('a', { config: { text: 'sh: scontrol: not found', code: 127 } });
    expect(clues(slurmDiscovery, absent)).toMatchObject({ hosts: [], notes: [] });
    const refused = saidBy('b', { config: { text: 'Unable to contact slurm controller', code: 1 } });
    expect(clues(slurmDiscovery, refused).notes?.join()).toContain('gives nothing on b: Unable to contact');
    expect(clues(slurmDiscovery, refused, saidBy('c', { config: config() })).notes?.join()).not.toContain(
      'on b',
    );
  });
});

describe('switches', () => {
  const lldp = (...chassis: readonly object[]): string =>
    JSON.stringify({
      lldp: {
        interface: chassis.map((one, at) => ({
          [`eth${at}`]: { via: 'LLDP', chassis: one, port: { id: { type: 'ifname', value: 'x' } } },
        })),
      },
    });

  it('neighbours with a known make are switches, general Linux is none, others are worth a question', () => {
    const neighbors = lldp(
      {
        leaf1: {
          id: { type: 'mac', value: 'aa' },
          descr: 'Cisco Nexus Operating System (NX-OS) Software 9.3(8)\nTAC support',
        },
      },
      { id: { type: 'mac', value: 'bb' }, name: 'ap1', descr: 'ArubaOS (MODEL: 225), Version 6.4.2.6' },
      {
        node7: {
          id: { type: 'mac', value: 'cc' },
          descr: 'Debian GNU/Linux 12 (bookworm) Linux 6.1.0-18-amd64 #1 SMP',
        },
      },
    );
    expect(clues(switchDiscovery, saidBy('node1', { neighbors })).hosts).toMatchObject([
      { name: 'node1', role: 'nic' },
      { name: 'leaf1', role: 'switch', platform: 'cisco_nxos' },
      { name: 'ap1', asIs: 'neighbour by LLDP' },
      { name: 'node7', from: 'lldpctl on node1' },
    ]);
  });

  it('a host whose lldpctl is refused has no NIC to tell of, which is said', () => {
    const said = saidBy('node1', {
      neighbors: { text: 'unable to connect to socket: Permission denied', code: 1 },
    });
    expect(rolesOf(switchDiscovery, said)).toEqual([]);
    expect(clues(switchDiscovery, said).notes?.join()).toContain('lldpctl is refused on node1');
    const absent = saidBy('node1', { neighbors: { text: '', code: 127 } });
    expect(clues(switchDiscovery, absent).notes?.join()).not.toContain('refused');
  });

  it('a switch with a shell is known by its release file', () => {
    const said = saidBy('leaf1', { release: 'NAME="Cumulus Linux"\nVERSION_ID=5.6.0\n' });
    expect(clues(switchDiscovery, said).hosts).toMatchObject([
      { name: 'leaf1', role: 'switch', platform: 'cumulus' },
    ]);
    expect(clues(switchDiscovery, saidBy('node1', { release: 'NAME="Debian GNU/Linux"\n' })).hosts).toEqual(
      [],
    );
  });

  it.each([
    ['Arista Networks EOS version 4.15.5M running on an Arista Networks CVX', 'arista_eos'],
    ['Cisco IOS Software, C3750 Software (C3750-IPBASEK9-M), Version 12.2(44)SE2', 'cisco_ios'],
    ['Cisco NX-OS(tm) n7700, Software (n7700-s2-dk9), Version 8.4(3)', 'cisco_nxos'],
    ['Juniper Networks, Inc. ex2200-24t-4g , version 12.3R9.4 Build date: 2015-02-12', 'juniper_junos'],
    ['Dell EMC Networking OS10 Enterprise.', 'dell_os10'],
    ['Dell Force10 Networks Real Time Operating System Software', 'dell_ftos'],
    ['MSN2700,Onyx,SWv3.9.0914', 'mellanox_onyx'],
    ['HP J9773A 2530-24G-PoEP Switch, revision YA.16.02.0012', 'hpe_procurve'],
    ['Aruba JL658A  FL.10.06.0110', 'aruba_aoscx'],
    ['Ruckus Wireless, Inc. Stacking System ICX7450-48, IronWare Version 08.0.90', 'brocade_fastiron'],
    ['Brocade MLXe-4, IronWare Version V5.6.0', 'extreme_ironware'],
    ['HPE Comware Platform Software, Software Version 7.1.070', 'hpe_comware'],
    ['ZULTYS IP Phone', undefined],
    ['Siemens, SIMATIC S7, CPU-1200', undefined],
    ['Red Hat Enterprise Linux Linux 3.10.0-327.13.1.el7.x86_64', undefined],
  ])('%s', (text, platform) => {
    expect(switchDiscovery.devices?.platformIn(text)).toBe(platform);
  });

  it('pings go out from four hosts that mount, spread over them, never from a server', () => {
    const mounts = '58 29 0:41 / /home rw shared:40 - nfs4 nfs1:/home rw,vers=4.2,addr=10.0.0.9';
    const nodes = Array.from({ length: 8 }, (_, at) =>
      saidBy(`node${at + 1}`, { ping: '/usr/bin/ping', mounts }),
    );
    const server = saidBy('nfs1', { ping: '/usr/bin/ping', mounts, serves: 'rc 0 0 0\nth 8 0\n' });
    const roles = rolesOf(switchDiscovery, server, ...nodes).filter((one) => one.endsWith('ping-client'));
    expect(roles).toEqual(['node1', 'node3', 'node5', 'node7'].map((name) => `${name} ping-client`));
    expect(rolesOf(switchDiscovery, server)).toEqual([]);
  });
});

describe('Gluster', () => {
  const pool =
    'UUID Hostname State\n11111111-0000-0000-0000-000000000000 gl2 Connected\n22222222-0000-0000-0000-000000000000 localhost Connected\n';

  it('sudo is written down where only root is answered', () => {
    const refused = { text: 'Connection failed. Please check if gluster daemon is operational.', code: 1 };
    expect(
      clues(glusterDiscovery, saidBy('gl1', { pool: refused, poolAsRoot: pool })).settings,
    ).toMatchObject([{ key: 'sudo', value: true }]);
    expect(clues(glusterDiscovery, saidBy('gl1', { pool })).settings).toEqual([]);
  });

  it('a client has no role, and leads to the server that it mounts from', () => {
    const mounts = '60 29 0:55 / /data rw - fuse.glusterfs gl1:/home0 rw,user_id=0';
    const said = saidBy('login1', { pool: { text: 'Connection failed.', code: 1 }, mounts });
    expect(clues(glusterDiscovery, said).hosts).toEqual([
      { name: 'gl1', from: 'mounts of login1', asIs: 'server of a Gluster mount' },
    ]);
  });
});

describe('Lustre', () => {
  const dl = (...rows: readonly string[]): string =>
    rows.map((row, at) => `  ${at} UP ${row} u_UUID 5\n`).join('');

  it('what a server serves is its role, though it has devices of a client', () => {
    expect(
      rolesOf(lustreDiscovery, saidBy('mds1', { devices: dl('mdt s-MDT0000', 'osc s-OST0000-osc') })),
    ).toEqual(['mds1 lustre-mds']);
    expect(
      rolesOf(
        lustreDiscovery,
        saidBy('login1', { devices: dl('mdc s-MDT0000-mdc-f', 'osc s-OST0000-osc-f') }),
      ),
    ).toEqual(['login1 lustre-client']);
  });

  it('servers by the names of their addresses, and words where there are none', () => {
    const client = { devices: dl('mdc s-MDT0000-mdc-f') };
    const named = clues(
      lustreDiscovery,
      saidBy('login1', { ...client, servers: '10.0.0.2        mds1.example.org mds1\n' }),
    );
    expect(named.hosts.at(-1)).toMatchObject({ name: 'mds1.example.org', asIs: 'Lustre server' });
    expect(named.notes).toEqual([]);
    expect(clues(lustreDiscovery, saidBy('login1', client)).notes?.join()).toContain(
      'no server was found, only clients',
    );
    expect(clues(lustreDiscovery, saidBy('node1', { devices: { text: '', code: 127 } }))).toEqual({
      hosts: [],
      settings: [],
      notes: [],
    });
  });
});

describe('NFS', () => {
  const mounts = '58 29 0:41 / /home rw shared:40 - nfs4 10.0.0.9:/home rw,vers=4.2,addr=10.0.0.9';

  it('a module without threads serves nothing', () => {
    expect(rolesOf(nfsDiscovery, saidBy('a', { nfsd: 'rc 0 0 0\nth 0 0\n' }))).toEqual([]);
    expect(rolesOf(nfsDiscovery, saidBy('a', { nfsd: 'rc 0 0 0\nth 16 0\n' }))).toEqual(['a nfs-server']);
  });

  it('sudo where it works everywhere that the login is not root; where it does not, that is told', () => {
    const good = saidBy('a', { mounts, root: '1000\nsudo\n' });
    const bad = saidBy('b', { mounts, root: '1000\nsudo: a password is required\n' });
    const root = saidBy('c', { mounts, root: '0\nsudo\n' });
    expect(clues(nfsDiscovery, good, root).settings).toMatchObject([{ key: 'sudo', value: true }]);
    expect(clues(nfsDiscovery, root)).toMatchObject({ settings: [], notes: [] });
    const both = clues(nfsDiscovery, good, bad);
    expect(both.settings).toEqual([]);
    expect(both.notes?.join()).toContain('sudo -n does not work there');
  });
});
