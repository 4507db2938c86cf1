import { describe, expect, it } from 'vitest';
import { checkedText } from '../../../src/commands/init.ts';
import { composeSite } from '../../../src/site/compose.ts';
import { knowledge } from '../../../src/commands/open-site.ts';
import { parseSite } from '../../../src/site/parse.ts';
import { rolesOf, slurmSays, tryInit } from './fake-hosts.ts';

const mountinfo = (server: string, address: string): string =>
  [
    '22 27 0:21 / /proc rw,relatime shared:5 - proc proc rw',
    `58 29 0:41 / /home rw,relatime shared:40 - nfs4 ${server}:/home rw,vers=4.2,addr=${address}`,
  ].join('\n');

describe('from one host to the others', () => {
  it('asks those that answers name, each once, and only after a yes for each round', async () => {
    const { asked, questions, draft } = await tryInit(['ctl1'], {
      ctl1: { says: slurmSays(['ctl1', 'ctl2'], ['node1', 'node2']) },
      ctl2: { says: slurmSays(['ctl1', 'ctl2'], ['node1', 'node2']) },
      node1: { says: { 'cat /proc/self/mountinfo': mountinfo('nfs1.example.org', '10.0.0.9') } },
      node2: { says: {} },
      'nfs1.example.org': { says: { 'cat /proc/net/rpc/nfsd': 'rc 0 0 0\nth 8 0\n' } },
    });
    expect(asked.toSorted()).toEqual(['ctl1', 'ctl2', 'nfs1.example.org', 'node1', 'node2']);
    expect(questions.map((hosts) => hosts.map(({ host, why }) => `${host}: ${why}`))).toEqual([
      ['ctl1: named on the command line'],
      ['ctl2: Slurm backup controller', 'node1: Slurm node', 'node2: Slurm node'],
      ['nfs1.example.org: NFS server'],
    ]);
    expect(rolesOf(draft)).toEqual({
      ctl1: ['slurm-controller'],
      ctl2: ['slurm-controller'],
      node1: ['compute', 'nfs-client'],
      node2: ['compute'],
      'nfs1.example.org': ['nfs-server'],
    });
  });

  it('stops where the answer is no, and writes down what is known by then', async () => {
    const machines = { ctl1: { says: slurmSays(['ctl1'], ['node1', 'node2']) } };
    const { asked, draft } = await tryInit(['ctl1'], machines, { yes: (hosts) => hosts.length === 1 });
    expect(asked).toEqual(['ctl1']);
    expect(rolesOf(draft)).toEqual({ ctl1: ['slurm-controller'], node1: ['compute'], node2: ['compute'] });
    expect(draft.notes).toContain('not asked, as there was no yes: node[1-2]');
  });

  it('asks a host once that is named twice: typed, and in an inventory, in other letters', async () => {
    const { asked, draft } = await tryInit(['ctl1', 'CTL1', 'ctl1'], {
      ctl1: { says: slurmSays(['ctl1'], []) },
    });
    expect(asked).toEqual(['ctl1']);
    expect(draft.hosts.map(({ name }) => name)).toEqual(['ctl1']);
  });

  it('knows whether somebody said no, after which nobody else is asked either', async () => {
    const machines = { ctl1: { says: slurmSays(['ctl1'], ['node1']) }, node1: { says: {} } };
    const refused = await tryInit(['ctl1'], machines, { yes: (hosts) => hosts[0]?.host !== 'node1' });
    expect(refused.found.saidNo).toBe(true);
    expect((await tryInit(['ctl1'], machines)).found.saidNo).toBe(false);
  });

  it('tells of names that can be asked by no site file, and of hosts beyond the last round', async () => {
    const { draft, asked } = await tryInit(['10.0.0.7', 'a;b', 'ctl1'], {
      ctl1: { says: slurmSays(['ctl1'], []) },
    });
    expect(asked).toEqual(['ctl1']);
    expect(draft.notes).toContain('not asked, as these are addresses or no plain host names: 10.0.0.7, a;b');
    const chain = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `s${at}`,
        { says: { 'cat /proc/self/mountinfo': mountinfo(`s${at + 1}`, `10.0.0.${at + 1}`) } },
      ]),
    );
    const far = await tryInit(['s0'], chain);
    expect(far.asked).toHaveLength(8);
    expect(far.draft.notes).toContain('not asked, 8 rounds away: s8; faultline init HOST asks one');
  });

  it('tells of hosts that refuse, and goes on', async () => {
    const { draft, told } = await tryInit(['ctl1', 'gone'], {
      ctl1: { says: slurmSays(['ctl1'], ['node1', 'node2']) },
      node1: { refuses: 'hostKeyUnknown' },
      node2: { says: {} },
    });
    expect(told).toEqual(expect.arrayContaining(['  gone: dns', '  node1: hostKeyUnknown']));
    expect(draft.hosts.find(({ name }) => name === 'node1')?.from).toContain(
      'not asked, as it could not be reached: what else it is for is not known',
    );
    expect(draft.afterHosts).toContain('- { names: gone } could not be asked: gone: dns');
    expect(rolesOf(draft)).not.toHaveProperty('gone');
  });

  it('asks nobody anything when this machine knows nothing and no host is named', async () => {
    const { questions, draft } = await tryInit([], {});
    expect(questions).toEqual([]);
    expect(draft.hosts).toEqual([]);
  });

  it('leaves the machine that it runs on out, unless others say that it is one of the site', async () => {
    const here = { 'uname -n': 'laptop', 'command -v iperf3': '/usr/bin/iperf3\n' };
    const alone = await tryInit(['ctl1'], { ctl1: { says: slurmSays(['ctl1'], []) } }, { here });
    expect(rolesOf(alone.draft)).toEqual({ ctl1: ['slurm-controller'] });
    expect(alone.draft.afterHosts).toEqual([
      '- { names: laptop, roles: [iperf] }: this machine itself, if it belongs to the site',
    ]);
    const itself = { ...here, ...slurmSays(['laptop'], []) };
    const { draft } = await tryInit([], {}, { here: itself });
    expect(draft.hosts).toMatchObject([
      { name: 'laptop', roles: ['slurm-controller', 'iperf'], transport: 'local' },
    ]);
  });

  it('finds what a device is by its own words, and that it answers so', async () => {
    const { draft } = await tryInit(['sw1', 'sw2', 'sw3'], {
      sw1: {
        types: {
          'show version': 'Arista DCS-7050SX-64\nSoftware image version: 4.28.3M\n',
          'show lldp neighbors detail | json': JSON.stringify({ lldpNeighbors: {} }),
        },
      },
      sw2: {
        types: { 'show version': 'Arista DCS-7050SX-64\n', 'show lldp neighbors detail | json': 'Welcome!' },
      },
      sw3: { types: { 'show version': 'Toaster OS 3.1\n' } },
    });
    expect(draft.hosts).toMatchObject([{ name: 'sw1', roles: ['switch'], platform: 'arista_eos' }]);
    expect(draft.notes.join('\n')).toMatch(/sw2: it says that it is arista_eos, but does not answer so/);
    expect(draft.afterHosts.join('\n')).toMatch(/sw3: neither a shell nor a device whose make is known/);
  });

  it('begins with what a list says that a device is; what it answers decides', async () => {
    const lldp = 'show lldp neighbors detail | json';
    const { draft, asked } = await tryInit(
      ['sw1', 'sw2'],
      {
        sw1: { types: { [lldp]: JSON.stringify({ lldpNeighbors: {} }) } },
        sw2: { types: { [lldp]: 'Welcome!' } },
      },
      { platformOf: () => 'arista_eos' },
    );
    expect(draft.hosts).toMatchObject([{ name: 'sw1', platform: 'arista_eos' }]);
    expect(draft.notes.join('\n')).toMatch(/sw2: it says that it is arista_eos, but does not answer so/);
    expect(asked).toEqual([]);
  });

  it('is one host, however machines spell it', async () => {
    const { draft, asked } = await tryInit(['CTL1.example.org'], {
      'CTL1.example.org': { says: { ...slurmSays(['ctl1'], ['node1.example.org']), 'uname -n': 'ctl1' } },
      'node1.example.org': { says: { 'uname -n': 'node1' } },
    });
    expect(Object.keys(rolesOf(draft))).toEqual(['CTL1.example.org', 'node1.example.org']);
    expect(asked).toHaveLength(2);
  });

  it('takes containers that all call themselves by the machine for several', async () => {
    const says = {
      'uname -n': 'box',
      'hostname -I': '10.0.0.1 \n',
      'command -v iperf3': '/usr/bin/iperf3\n',
    };
    const { draft } = await tryInit(['a', 'b'], { a: { says }, b: { says } });
    expect(Object.keys(rolesOf(draft))).toEqual(['a', 'b']);
  });

  it('ends at once when it is interrupted', async () => {
    const stop = new AbortController();
    const machines = { ctl1: { says: slurmSays(['ctl1'], ['node1']) } };
    const yes = (): boolean => {
      stop.abort();
      return true;
    };
    await expect(tryInit(['ctl1'], machines, { yes, signal: stop.signal })).rejects.toThrow();
  });
});

/** The same of another cluster. */
const ofBeta = (says: ReturnType<typeof slurmSays>): ReturnType<typeof slurmSays> => ({
  ...says,
  'scontrol show config': String(says['scontrol show config']).replace('alpha', 'beta'),
});

describe('what does not agree', () => {
  it('controllers of one cluster, and two clusters', async () => {
    const says = ofBeta(slurmSays(['b1'], []));
    const { draft } = await tryInit(['ctl1', 'ctl2', 'b1'], {
      ctl1: { says: slurmSays(['ctl1'], []) },
      ctl2: { says: slurmSays(['ctl2'], []) },
      b1: { says },
    });
    const notes = draft.notes.join('\n');
    expect(notes).toContain('the hosts asked are of 2 clusters: alpha (ctl1, ctl2); beta (b1)');
    expect(notes).toContain('controllers of alpha are not the same everywhere: ctl1: ctl1; ctl2: ctl2');
  });

  it('of two clusters the health check, and node names that both have; the racks of both are proposed', async () => {
    const topology = (name: string, nodes: string): string =>
      `SwitchName=${name} Level=0 LinkSpeed=1 Nodes=${nodes}\n`;
    const { draft } = await tryInit(['ctl1', 'b1'], {
      ctl1: {
        says: {
          ...slurmSays(['ctl1'], ['node1', 'n2'], 'HealthCheckProgram = /usr/sbin/nhc'),
          'scontrol show topology': topology('s1', 'node1'),
        },
      },
      b1: {
        says: {
          ...ofBeta(slurmSays(['b1'], ['node1', 'm2'], 'HealthCheckProgram = /opt/check')),
          'scontrol show topology': topology('t1', 'm2'),
        },
      },
    });
    const notes = draft.notes.join('\n');
    expect(notes).toContain('Slurm: more than one cluster has node1: the entry stands for the one');
    expect(notes).toContain('slurm.clusters.beta.check: HealthCheckProgram is /opt/check');
    expect(notes).toContain('a site file for each cluster (--site NAME)');
    const keys = draft.sections.flatMap(({ settings }) => settings.map(({ key }) => key));
    expect(keys).toEqual(expect.arrayContaining(['clusters.alpha.check.command']));
    expect(keys).not.toContain('check.command');
    const { site } = parseSite(composeSite(draft), 'site.yaml', knowledge);
    expect(site.settings['slurm']).toMatchObject({
      check: { users: ['root', 'slurm'] },
      clusters: { alpha: { check: { command: ['/usr/sbin/nhc'] } } },
    });
    const places = draft.afterHosts.join('\n');
    expect(places).toContain('node1: location: { rack: s1 }');
    expect(places).toContain('m2: location: { rack: t1 }');
  });

  it('is silent on the health check of two clusters that have the same', async () => {
    const { draft } = await tryInit(['ctl1', 'b1'], {
      ctl1: { says: slurmSays(['ctl1'], ['node1']) },
      b1: { says: ofBeta(slurmSays(['b1'], ['m1'])) },
    });
    expect(draft.notes.join('\n')).not.toMatch(/slurm\.clusters|more than one cluster/);
  });

  it('Gluster pools', async () => {
    const pool = (...names: readonly string[]): string =>
      [
        'UUID Hostname State',
        ...names.map((name, at) => `${String(at).repeat(8)}-0000-0000-0000-000000000000 ${name} Connected`),
      ].join('\n');
    const { draft } = await tryInit(['gl1', 'gl2'], {
      gl1: { says: { 'gluster pool list': pool('gl2', 'localhost') } },
      gl2: { says: { 'gluster pool list': pool('localhost') } },
    });
    expect(draft.notes.join('\n')).toContain(
      'Gluster: the pool is not the same everywhere; gl1: gl1, gl2; gl2: gl2',
    );
  });

  it('is silent where all say the same, in whatever order', async () => {
    const { draft } = await tryInit(['ctl1', 'ctl2'], {
      ctl1: { says: slurmSays(['ctl1', 'ctl2'], []) },
      ctl2: { says: slurmSays(['ctl2', 'ctl1'], []) },
    });
    expect(draft.notes.join('\n')).not.toMatch(/clusters|not the same/);
  });
});

const hostile = [
  '$(reboot)',
  'a;b',
  '-oProxyCommand=x',
  'node[1-99999999]',
  '*',
  'ALL',
  'x\u001b[2J',
  'é',
  '"',
  '#',
  '&x',
  '!y',
];

describe('hostile hosts', () => {
  it('names that are none are left out and told, and the file can be read', async () => {
    const { draft, asked } = await tryInit(['ctl1'], {
      ctl1: {
        says: slurmSays(
          ['ctl1'],
          [...hostile, 'node1'],
          'HealthCheckProgram      = /bin/x\u001b]0;y\u0007: {a',
        ),
      },
      node1: { says: {} },
    });
    expect(asked.toSorted()).toEqual(['ctl1', 'node1']);
    expect(draft.notes.join('\n')).toMatch(
      /scontrol show nodes on ctl1 names .* and 9 more: no plain host name; left out/,
    );
    const text = composeSite(draft);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
    const { site } = parseSite(text, 'site.yaml', knowledge);
    expect(site.hosts.map(({ name }) => name)).toEqual(['ctl1', 'node1']);
  });

  it('a cluster may be called anything, and the file says so', async () => {
    for (const name of [
      'yes',
      '0x10',
      '1e3',
      '- a',
      '#b',
      'a: b',
      '{c',
      '"d',
      "it's",
      '&e',
      '*f',
      '!g',
      '%h',
      '@i',
      '`j',
      'null',
    ]) {
      const says = slurmSays(['ctl1'], []);
      const config = String(says['scontrol show config']).replace('alpha', name);
      const { draft } = await tryInit(['ctl1'], {
        ctl1: { says: { ...says, 'scontrol show config': config } },
      });
      expect(parseSite(composeSite(draft), 'site.yaml', knowledge).site.name).toBe(name);
    }
  });

  it('a name that no file takes is made visible, and settings that it refuses are left out and told', async () => {
    const says = slurmSays(['ctl1'], []);
    const config = String(says['scontrol show config']).replace('alpha', 'a\u001b[2Jb');
    const { draft } = await tryInit(['ctl1'], {
      ctl1: { says: { ...says, 'scontrol show config': config } },
    });
    expect(parseSite(checkedText(draft, 'site.yaml'), 'site.yaml', knowledge).site.name).toBe('a^[[2Jb');
    const settings = [{ key: 'limits.partitionOut', value: 'most of it', from: 'nowhere' }];
    const text = checkedText({ ...draft, sections: [{ system: 'slurm', settings }] }, 'site.yaml');
    expect(text).toMatch(/^# left out, as a site file does not take it: .*slurm\.limits\.partitionOut/m);
    expect(parseSite(text, 'site.yaml', knowledge).site.hosts).toHaveLength(1);
    const fine = checkedText({ ...draft, sections: [] }, 'site.yaml');
    expect(fine).not.toContain('left out, as');
  });

  it('marks of ours in what a command prints make nothing known of it', async () => {
    const forged = `x\n@@faultline q0\nelse\n@@faultline q0-exit 0\n@@faultline q4\n`;
    const { draft } = await tryInit(['ctl1'], {
      ctl1: { says: { ...slurmSays(['ctl1'], ['node1']), 'cat /etc/genders': forged } },
    });
    expect(draft.hosts).toEqual([]);
    expect(draft.afterHosts.join('\n')).toContain('ctl1');
  });

  it('a hundred thousand nodes: some of them are asked, all stand in the file', async () => {
    const nodes = Array.from({ length: 100_000 }, (_, at) => `node${at + 1}`);
    const { draft, asked } = await tryInit(['ctl1'], { ctl1: { says: slurmSays(['ctl1'], nodes) } });
    expect(asked.length).toBeLessThan(1100);
    expect(draft.hosts).toHaveLength(100_000);
    expect(draft.notes.join('\n')).toMatch(
      /too many alike \(Slurm node\): 99 488 hosts|too many alike \(Slurm node\): \S+ hosts/,
    );
    expect(composeSite(draft).length).toBeLessThan(4_000_000);
  });
});
