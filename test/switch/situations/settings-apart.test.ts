import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { switchProbes } from '../../../probes/switch/ask/probes.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { readSettings } from '../../../probes/switch/read/read-settings.ts';
import type { SettingsReading } from '../../../probes/switch/readings.ts';
import { decode } from '../../../src/text/bytes.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';
import { haveSshd, Lab, Sshd } from '../../transport/sshd.ts';
import { judged, kinds } from '../system/quiet-world.ts';

const site = siteOf(
  [
    { name: 'sw', roles: ['switch'], platform: 'sonic' },
    { name: 'cu', roles: ['switch'], platform: 'cumulus' },
    { name: 'n1', roles: ['nic'], platform: 'linux' },
  ],
  { links: [{ from: 'sw:eth0', to: 'n1:ens1f0np0' }] },
);

const hostOf = (name: string) => {
  const host = site.host(name);
  if (!host) throw new Error(`no host ${name}`);
  return host;
};

const read = (name: string, stdout: string, asked?: readonly string[], more = {}): SettingsReading =>
  readSettings(answerOf(stdout, more), hostOf(name), site, { asked }).value;

/** As of 202205: one of the two LAG rows has a speed of its own. */
const status = `  Interface            Lanes    Speed    MTU    FEC        Alias             Vlan    Oper    Admin             Type    Asym PFC
---------------  ---------------  -------  -----  -----  -----------  ---------------  ------  -------  ---------------  ----------
      Ethernet0      65,66,67,68     100G   9100     rs    Ethernet1           routed      up       up  QSFP28 or later         N/A
      Ethernet4               69      25G   1500     fc    Ethernet2  PortChannel0001      up       up   SFP/SFP+/SFP28         off
      Ethernet8               73    1000M   9100    N/A    Ethernet3           routed    down     down              N/A         N/A
PortChannel0001              N/A      25G   9100    N/A          N/A            trunk      up       up              N/A         N/A
`;

/** As of 201811: neither Type nor FEC. */
const old = `  Interface            Lanes    Speed    MTU            Alias    Oper    Admin
-----------  ---------------  -------  -----  ---------------  ------  -------
  Ethernet0      29,30,31,32      40G   9100  fortyGigE0/0          up       up
`;

/** The layout of SONiC's port auto negotiation design, with rows of our own. */
const autoneg = `  Interface    Auto-Neg Mode    Speed    Adv Speeds    Rmt Adv Speeds    Type    Adv Types    Oper    Admin
-----------  ---------------  -------  ------------  ----------------  ------  -----------  ------  -------
  Ethernet0          enabled     100G           all              100G     CR4          CR4      up       up
  Ethernet4         disabled      25G           N/A               N/A     N/A          N/A      up       up
  Ethernet8              N/A    1000M           N/A               N/A     N/A          N/A    down     down
`;

describe('SONiC: two tables, asked every few minutes', () => {
  it('speed, MTU, FEC and autonegotiation of every port, in the columns of the release', () => {
    expect(read('sw', `${status}${autoneg}`)).toEqual({
      ports: [
        { port: 'eth0', speedMbps: 100_000, mtu: 9100, fec: 'rs', autoneg: true },
        { port: 'eth4', speedMbps: 25_000, mtu: 1500, fec: 'fc', autoneg: false },
        { port: 'eth8', speedMbps: 1000, mtu: 9100 },
      ],
    });
    const refused = { exitCode: 2, stderr: "Error: No such command 'autoneg'.\n" };
    expect(read('sw', old, undefined, refused)).toEqual({
      ports: [{ port: 'eth0', speedMbps: 40_000, mtu: 9100 }],
    });
  });

  it('nothing is made up where a table has lost its columns, or does not come; and that is said', () => {
    expect(
      read('sw', status.replace('100G   9100     rs', '100G  rs 9100 ')).ports.map(({ port }) => port),
    ).toEqual(['eth4', 'eth8']);
    expect(read('sw', '', undefined, { exitCode: 1, stderr: 'redis: Connection refused\n' })).toEqual({
      ports: [],
      untold: 'exit 1, redis: Connection refused',
    });
  });
});

/** Of a 25 Gbit/s NIC, in the order and with the indents of ethtool 6. */
const nic = `Settings for ens1f0np0:
	Supported ports: [ Backplane ]
	Supported link modes:   1000baseKX/Full
	                        25000baseSR/Full
	Supported FEC modes: None	 RS	 BASER
	Advertised auto-negotiation: Yes
	Link partner advertised auto-negotiation: No
	Speed: 25000Mb/s
	Duplex: Full
	Auto-negotiation: off
	Port: Direct Attach Copper
	Link detected: yes
`;
const fec = (active: string): string =>
  `FEC parameters for ens1f0np0:\nSupported/Configured FEC encodings: Auto RS BaseR\nActive FEC encoding: ${active}\n`;
const answered = (settings: string, encodings: string): string =>
  `--- ethtool ens1f0np0\n${settings}--- ethtool --show-fec ens1f0np0\n${encodings}`;
const told = (settings: string, encodings = ''): SettingsReading =>
  read('n1', answered(settings, encodings), ['ens1f0np0']);

describe('Linux and Cumulus: ethtool, of each port that is an end of a link', () => {
  it.each([
    ['RS', 'rs'],
    ['BaseR', 'fc'],
    ['Off', 'none'],
    ['None', undefined],
    ['Auto', undefined],
    ['RS BaseR', undefined],
  ])('active FEC %s', (word, expected) => {
    expect(told(nic, fec(word)).ports).toEqual([
      {
        port: 'ens1f0np0',
        speedMbps: 25_000,
        duplex: 'full',
        autoneg: false,
        ...(expected && { fec: expected }),
      },
    ]);
  });

  it.each([
    [
      'a driver that does not tell',
      nic.replace('25000Mb/s', 'Unknown!').replace('Full\n\tAuto', 'Unknown! (255)\n\tAuto'),
      [{ port: 'ens1f0np0', autoneg: false }],
    ],
    ['a NIC without a link', nic.replace('detected: yes', 'detected: no'), []],
    ['another port', nic.replace('for ens1f0np0', 'for ens1f1np1'), []],
  ])('%s', (_what, text, expected) => {
    expect(told(text).ports).toEqual(expected);
  });

  it('without ethtool it says so', () => {
    const none = answerOf(answered('', ''), { exitCode: 127, stderr: 'sh: 3: ethtool: not found\n' });
    expect(readSettings(none, hostOf('n1'), site, { asked: ['ens1f0np0'] }).value).toEqual({
      ports: [],
      untold: 'exit 127, sh: 3: ethtool: not found',
    });
  });
});

describe.skipIf(!haveSshd())('over a real shell channel', () => {
  let lab: Lab;
  beforeAll(() => {
    lab = new Lab();
  });
  afterAll(() => lab.end());

  it.each([
    ['sw', 'switch.settings', [{ port: 'eth0', speedMbps: 100_000, mtu: 9100, fec: 'rs', autoneg: true }]],
    [
      'n1',
      'switch.nicsettings',
      [{ port: 'ens1f0np0', speedMbps: 25_000, duplex: 'full', autoneg: false, fec: 'rs' }],
    ],
  ] as const)(
    '%s',
    async (name, id, expected) => {
      const sshd = await Sshd.start(lab);
      lab.host(name, sshd.port, { known: sshd.hostKey });
      const transports = lab.transports();
      const readings = new Sources();
      readings.good('switch.nics', 'n1', {
        ports: [{ port: 'ens1f0np0', name: 'ens1f0np0', state: 'up', counts: {} }],
      });
      const probe = switchProbes.find((one) => one.id === id);
      const context = { site, readings, now: start };
      const ask = probe?.ask(hostOf(name), context);
      if (!probe || !ask || !('script' in ask)) throw new Error('no script');
      expect(probe.everyMs).toBeGreaterThanOrEqual(120_000);
      // What the commands print, in the place of the commands.
      const heredoc = (text: string): string => `cat <<'end'\n${text}end\n`;
      const stands = `show() { case "$*" in 'interfaces status') ${heredoc(status)};; *) ${heredoc(autoneg)};; esac; }
ethtool() { case "$1" in --show-fec) ${heredoc(fec('RS'))};; *) ${heredoc(nic)};; esac; }
`;
      const raw = await transports
        .transportTo(name)
        .run({ script: `${stands}${ask.script}`, deadlineMs: 30_000 });
      const { value } = probe.read(
        answerOf(decode(raw.stdout), { exitCode: raw.exitCode ?? 0 }),
        hostOf(name),
        context,
      );
      expect((value as SettingsReading).ports.slice(0, 1)).toEqual(expected);
      await transports.close();
    },
    60_000,
  );
});

describe('what was asked for apart is compared with the far end', () => {
  it.each([
    ['duplex', { duplex: 'half' }, { duplex: 'full' }, ['settings-differ']],
    ['speed', { speedMbps: 10_000 }, { speedMbps: 25_000 }, ['settings-differ']],
    ['FEC', { fec: 'rs' }, { fec: 'none' }, ['settings-differ']],
    ['autonegotiation without a bad frame: harmless on fibre', { autoneg: true }, { autoneg: false }, []],
    ['a value that one end does not tell', { fec: 'rs' }, {}, []],
    ['both alike', { speedMbps: 25_000, fec: 'rs' }, { speedMbps: 25_000, fec: 'rs' }, []],
  ] as const)('%s', (_what, port, host, expected) => {
    expect(kinds({ apart: { hostPort: port, nic: host } })).toEqual(expected);
    // The same where the switch tells of it beside its counters.
    expect(kinds({ hostPort: port, apart: { nic: host } })).toEqual(expected);
  });

  it('with bad frames autonegotiation is the cause that is named', () => {
    const [first] = judged({
      apart: { hostPort: { autoneg: true }, nic: { autoneg: false } },
      hostPort: { counted: { rxCrc: 300 } },
    });
    expect(first).toMatchObject({ kind: 'bad-link', causes: expect.arrayContaining(['autoneg']) });
  });

  it('what was read before the link came up tells nothing of it', () => {
    const apart = { hostPort: { speedMbps: 10_000 }, nic: { speedMbps: 25_000 }, at: 2 };
    expect(kinds({ apart, nic: { changedAgoS: 6 } })).toEqual([]);
    expect(kinds({ apart, nic: { changedAgoS: 9 } })).toEqual(['settings-differ']);
  });

  it('hosts that do not tell are one notice', () => {
    const readings = new Sources();
    for (const host of ['n1', 'cu'])
      readings.good('switch.settings', host, { ports: [], untold: 'exit 127, sh: ethtool: not found' });
    const found = findings(judgementOf({ readings, site }));
    expect(found.map(({ kind, severity, subject }) => [kind, severity, subject.id])).toEqual([
      ['settings-untold', 'notice', 'cu,n1'],
    ]);
  });
});

describe('a host at MTU 1500 on a port that takes jumbo frames', () => {
  const ports = { hostPort: { mtu: 9214 }, nic: { mtu: 1500 } };
  const matrix = { matrix: { servers: [{ name: 'n1', address: '10.0.0.1' }] } };

  it('is a finding where jumbo frames are meant for it', () => {
    expect(judged({ ...ports, settings: matrix })).toMatchObject([
      { kind: 'settings-differ', severity: 'warning', id: 'n1:eth0', first: { cause: 'mtu' } },
    ]);
    const other = { matrix: { servers: [{ name: 'nfs-b', address: '10.0.0.2', host: 'n1' }] } };
    expect(kinds({ ...ports, settings: other })).toEqual(['settings-differ']);
    expect(kinds({ ...ports, settings: matrix, roles: ['ping-client'] })).toEqual(['settings-differ']);
  });

  it.each([
    ['nothing says that jumbo frames are meant for it', ports],
    [
      'the matrix goes elsewhere',
      { ...ports, settings: { matrix: { servers: [{ name: 'nfs2', address: '10.0.0.9' }] } } },
    ],
    ['it carries them', { hostPort: { mtu: 9214 }, nic: { mtu: 9000 }, settings: matrix }],
    ['its MTU is not told', { hostPort: { mtu: 9214 }, nic: {}, settings: matrix }],
  ] as const)('silent: %s', (_what, world) => {
    expect(kinds(world)).toEqual([]);
  });

  /** Hosts of a role on a leaf whose ports take jumbo frames, by their MTU; a second MTU is that of another NIC. */
  const fleet = (mtus: readonly (readonly number[])[], role = 'compute') => {
    const names = mtus.map((_, at) => `c${at}`);
    const readings = new Sources();
    const cable = mtus.flatMap((own, at) =>
      own.map((_, nic) => [`leaf:eth${at * 2 + nic}`, `c${at}:ens${nic}`] as const),
    );
    const port = (name: string, mtu: number) => ({ port: name, name, state: 'up', mtu, counts: {} });
    readings.good('switch.counters', 'leaf', { ports: cable.map(([from]) => port(from.slice(5), 9214)) });
    for (const [at, own] of mtus.entries())
      readings.good('switch.nics', `c${at}`, { ports: own.map((mtu, nic) => port(`ens${nic}`, mtu)) });
    const fleetSite = siteOf(
      [
        { name: 'leaf', roles: ['switch'], platform: 'arista_eos' },
        ...names.map((name) => ({ name, roles: ['nic', role], platform: 'linux' })),
      ],
      { links: cable.map(([from, to]) => ({ from, to })) },
    );
    return findings(judgementOf({ readings, site: fleetSite })).map(({ subject, members }) =>
      (members ?? [subject]).map(({ id }) => id),
    );
  };

  it('is one where most of its kind carry them', () => {
    expect(fleet([[9000], [9000], [1500], [9000], [1500]])).toEqual([['c2:ens0', 'c4:ens0']]);
  });

  it.each([
    ['most of its kind do not', [[9000], [9000], [1500], [1500]]],
    ['a single other one does', [[9000], [1500]]],
    ['its other NIC does', [[9000], [9000], [1500, 9000]]],
  ])('silent: %s', (_what, mtus) => {
    expect(fleet(mtus)).toEqual([]);
    expect(fleet([[9000], [9000], [1500]], 'nic')).toEqual([]);
  });
});
