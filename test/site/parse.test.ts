import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SiteError } from '../../src/site/problem.ts';
import { parseSite } from '../../src/site/parse.ts';
import { knowledge } from './knowledge.ts';

const parse = (text: string) => parseSite(text, 'site.yaml', knowledge);

/** The lines of the SiteError that a text gives. */
const faults = (text: string): readonly string[] => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof SiteError) return error.lines;
    throw error;
  }
  return [];
};

/** A site file with one more line, or more. */
const withLines = (...lines: string[]): string =>
  ['site: test', 'hosts:', '  - {names: ctl1, roles: [slurm-controller]}', ...lines].join('\n');

const withFlood = (probe: string, between = '"02:00-05:00"', every = '6h'): string =>
  withLines(
    '  - {names: "g[1-2]", roles: [gluster]}',
    `traffic: [{probe: ${probe}, between: ${between}, every: ${every}}]`,
  );

/** The example of the design, whole. */
const sherlock = `site: sherlock
shared: {host: admin1, dir: /var/lib/faultline}
hosts:
  - {names: ctl1, roles: [slurm-controller]}
  - {names: "node[1-200]", roles: [compute], location: {rack: "r[1-10]", breaker: b7}}
  - {names: "core[1-4]", roles: [switch], platform: dell_ftos, legacy: true, undoHost: admin1}
  - {names: "gl[1-3]", roles: [gluster]}
  - {names: "mds[1-2]", roles: [lustre-mds]}
  - {names: "oss[1-4]", roles: [lustre-oss]}
  - {names: login1, roles: [lustre-client, iperf, ping-client]}
slurm: {check: {command: [/usr/sbin/nhc], env: {MARK_OFFLINE: "0"}}, limits: {partitionOut: 30%}}
links: [{from: "core3:te3/46", to: "nfs-sw1:te1/12"}]        # only what LLDP can't tell
windows: [{from: 2026-12-01T08:00Z, to: 2026-12-01T16:00Z, subjects: ["rack:r7"], text: power work}]
runbooks: [{finding: "slurm:drained-group:*", url: "https://wiki.example.org/drain", contact: hpc-oncall}]
`;

describe('a good site file', () => {
  const { site, warnings } = parse(sherlock);

  it('gives all hosts, expanded, with their labels dealt out', () => {
    expect(site.name).toBe('sherlock');
    expect(site.hosts).toHaveLength(216);
    expect(site.hosts.find(({ name }) => name === 'node1')?.location).toEqual({ rack: 'r1', breaker: 'b7' });
    expect(site.hosts.find(({ name }) => name === 'node20')?.location['rack']).toBe('r1');
    expect(site.hosts.find(({ name }) => name === 'node21')?.location['rack']).toBe('r2');
    expect(site.hosts.find(({ name }) => name === 'node200')?.location['rack']).toBe('r10');
    expect(site.hosts.find(({ name }) => name === 'core3')).toEqual({
      name: 'core3',
      roles: ['switch'],
      platform: 'dell_ftos',
      location: {},
      legacy: true,
      undoHost: 'admin1',
    });
  });

  it('takes a host named only by the shared folder as a host, and says so', () => {
    expect(site.hosts.find(({ name }) => name === 'admin1')).toMatchObject({ roles: [], platform: 'linux' });
    expect(warnings).toEqual([
      'site.yaml:2:16: host "admin1" is not under hosts; taken as a Linux host without a role',
    ]);
  });

  it('gives times as UTC ms, and the systems their checked settings with defaults', () => {
    expect(site.windows).toEqual([
      {
        from: Date.UTC(2026, 11, 1, 8),
        to: Date.UTC(2026, 11, 1, 16),
        subjects: ['rack:r7'],
        text: 'power work',
      },
    ]);
    expect(site.settings).toEqual({
      slurm: {
        check: { command: ['/usr/sbin/nhc'], env: { MARK_OFFLINE: '0' } },
        limits: { partitionOut: '30%' },
      },
      gluster: {},
    });
    expect(parse(withLines()).site.settings).toEqual({
      slurm: { limits: { partitionOut: '20%' } },
      gluster: {},
    });
  });

  it('is plain data that any thread can have', () => {
    expect(structuredClone(site)).toEqual(site);
  });

  it('knows intervals and transports', () => {
    const { site: other } = parse(
      withLines(
        '  - {names: "gl[1-2]", transport: openssh}',
        'intervals: {slurm.nodes: 30s, slurm.health: 5 min}',
        'readOnly: true',
      ),
    );
    expect(other.intervals).toEqual({ 'slurm.nodes': 30_000, 'slurm.health': 300_000 });
    expect(other.transports).toEqual({ gl1: 'openssh', gl2: 'openssh' });
    expect(other.readOnly).toBe(true);
  });

  it('gives what may put traffic on the network, on which hosts and when; nothing by itself', () => {
    expect(site.traffic).toBeUndefined();
    const all = { probe: 'gluster.flood', everyMs: 21_600_000, from: 120, to: 300, zone: 'UTC' };
    expect(parse(withFlood('gluster.flood')).site.traffic).toEqual([{ ...all, hosts: ['g1', 'g2'] }]);
    const one = withFlood('gluster.flood', '"22:30-05:00"', '1d, hosts: G2');
    expect(parse(`${one}\nzone: Europe/Zurich`).site.traffic).toEqual([
      { ...all, hosts: ['g2'], everyMs: 86_400_000, from: 1350, zone: 'Europe/Zurich' },
    ]);
  });
});

describe('locations', () => {
  const racks = (labels: string): readonly (string | undefined)[] =>
    parse(withLines(`  - {names: "n[1-6]", location: {rack: ${labels}}}`))
      .site.hosts.slice(1)
      .map(({ location }) => location['rack']);

  it.each([
    ['r7', ['r7', 'r7', 'r7', 'r7', 'r7', 'r7']],
    ['7', ['7', '7', '7', '7', '7', '7']],
    ['"r[1-6]"', ['r1', 'r2', 'r3', 'r4', 'r5', 'r6']],
    ['"r[1-3]"', ['r1', 'r1', 'r2', 'r2', 'r3', 'r3']],
    ['"a,b"', ['a', 'a', 'a', 'b', 'b', 'b']],
  ])('deals out %s', (labels, dealt) => {
    expect(racks(labels)).toEqual(dealt);
  });

  it('says both counts when they do not go together', () => {
    expect(faults(withLines('  - {names: "n[1-6]", location: {rack: "r[1-4]"}}'))).toEqual([
      'site.yaml:4:40: location rack: 4 labels for 6 names; give one, 6, or a number that divides 6',
    ]);
  });
});

describe('what is wrong', () => {
  it.each([
    ['', '1:1: the file is empty; start with "site: NAME" and "hosts:"'],
    ['# only a comment\n', '1:1: the file is empty; start with "site: NAME" and "hosts:"'],
    ['just prose', '1:1: this is not a site file: no keys; start with "site: NAME" and "hosts:"'],
    ['- a\n- b', '1:1: this is not a site file: no keys; start with "site: NAME" and "hosts:"'],
    [
      'site: x\nhosts:\n\t- {names: a}',
      '3:1: not valid YAML: Tabs are not allowed as indentation; indent with blanks',
    ],
    ['site: x\nsite: y', '2:1: not valid YAML: Map keys must be unique; merge the two or delete one'],
    [
      'site: x\n---\nsite: y',
      '2:1: not valid YAML: Source contains multiple documents; a site file is one document: remove the "---" line',
    ],
    ['site: *nowhere', '1:1: not valid YAML: Unresolved alias'],
    [withLines('windows: now'), '4:10: windows is a text; write it as a list: [now]'],
    [withLines('readOnly: yes'), '4:11: readOnly is a text; it must be true or false'],
    ['hosts:\n  - {names: a}', '1:1: site is missing; it must be a text'],
    ['site: x', '1:1: hosts is missing; it must be a list'],
    ['site: x\nhosts: []', '2:8: hosts is empty; a site needs at least one host'],
    ['site: 7\nhosts:\n  - {names: a}', '1:7: site is the number 7; put it in quotes: "7"'],
    [
      'site: "a\\e[2J"\nhosts:\n  - {names: a}',
      '1:7: site holds control or invisible characters; write it in plain text',
    ],
    [
      withLines('  - {names: a, roles: [comptue]}'),
      '4:24: hosts[1].roles[0] "comptue" is not known; did you mean "compute"?',
    ],
    [
      withLines('  - {names: a, platform: dell_fots}'),
      '4:26: hosts[1].platform "dell_fots" is not known; did you mean "dell_ftos"?',
    ],
    [
      withLines('  - {names: a, transport: telnet}'),
      '4:27: hosts[1].transport "telnet" is not known; known: ssh2, openssh, local',
    ],
    [
      withLines('  - names: n[1-3'),
      '4:12: brackets do not match in "n[1-3"; write names like ctl1 or "node[1-200]"',
    ],
    [
      withLines('  - {names: "-rf"}'),
      '4:13: "-rf" is not a host name; use letters, digits, ".", "_" and "-", starting with a letter or digit',
    ],
    [withLines('  - {names: "a;reboot"}'), '4:13: "a;reboot" is not a host name'],
    [withLines('  - {names: ALL}'), '4:13: "ALL" is not a host name'],
    [withLines('  - {names: "a\\u200bb"}'), '4:13: "a<U+200B>b" is not a host name'],
    [
      withLines('  - {names: CTL1}'),
      '4:13: host "CTL1" is already on line 3; give a host one entry with all its roles',
    ],
    [withLines('  - {names: "a,a"}'), '4:13: host "a" is twice in this entry'],
    [withLines('shared: {host: clt1, dir: /x}'), '4:16: there is no host "clt1"; did you mean "ctl1"?'],
    [
      withLines('shared: {host: ctl1, dir: var}'),
      '4:27: shared.dir is not an absolute path of plain characters; write it as /var/lib/faultline',
    ],
    [
      withLines('  - {names: a, withoutUndo: sometimes}'),
      '4:29: hosts[1].withoutUndo is neither true nor false',
    ],
    [withLines('  - {names: a, undoHost: ctl2}'), '4:26: there is no host "ctl2"; did you mean "ctl1"?'],
    [
      withLines('links: [{from: "ctl1", to: "x:1"}]'),
      '4:16: "ctl1" is not a port; write it as HOST:PORT, core3:te3/46',
    ],
    [
      withLines('links: [{from: "ctl1:te1", to: "ctl1:Te 1"}]'),
      '4:32: "ctl1:Te 1" is an end of a link already; a port has one cable',
    ],
    [
      withLines('links: [{from: "ctl1:1", to: "x:1"}, {from: "y:1", to: "CTL1:1"}]'),
      '4:56: "CTL1:1" is an end of a link already; a port has one cable',
    ],
    [
      withLines('links: [{from: "xxxxx:1", to: "yyyyy:1"}]'),
      '4:9: neither end of this link is a host of the site; name at least one under hosts',
    ],
    [
      withLines('windows: [{from: 2026-12-01, to: 2026-12-02T00:00Z, subjects: [ctl1], text: x}]'),
      '4:18: windows[0].from is not a time with its zone; write it as 2026-12-01T08:00Z or 2026-12-01T09:00+01:00',
    ],
    [
      withLines('windows: [{from: 2026-13-01T00:00Z, to: 2027-12-02T00:00Z, subjects: [ctl1], text: x}]'),
      '4:18: windows[0].from is no day of the calendar or time of the day',
    ],
    [
      withLines('windows: [{from: 2026-12-02T00:00Z, to: 2026-12-01T00:00Z, subjects: [ctl1], text: x}]'),
      '4:41: windows[0].to is not after "from"; the window would never be open',
    ],
    [
      withLines('runbooks: [{finding: "slurm:*", url: wiki}]'),
      '4:38: runbooks[0].url is not a web address; write it as https://wiki.example.org/page',
    ],
    [
      withLines('intervals: {slurm.node: 30s}'),
      '4:13: "slurm.node" is not a probe; did you mean "slurm.nodes"?',
    ],
    [
      withLines('intervals: {slurm.nodes: 30}'),
      '4:26: intervals.slurm.nodes is not a duration of 1 s or more; write it as 30s, 5min or 1h',
    ],
    [
      withLines('intervals: {slurm.nodes: 5ms}'),
      '4:26: intervals.slurm.nodes is not a duration of 1 s or more',
    ],
    [
      withLines('slurm: {check: {command: nhc}}'),
      '4:26: slurm.check.command is a text; write it as a list: [nhc]',
    ],
    [
      withLines('slurm:', '  limits:', '    partitionOut: 20'),
      '6:19: slurm.limits.partitionOut is the number 20; put it in quotes: "20"',
    ],
    [withLines('zone: Zurich'), '4:7: zone is not a time zone; write it as Europe/Zurich'],
    [
      withLines('intervals: {gluster.flood: 1h}'),
      '4:13: gluster.flood puts traffic on the network; allow it under "traffic"',
    ],
    [withFlood('gluster.flod'), '5:19: "gluster.flod" is not a probe; did you mean "gluster.flood"?'],
    [
      withFlood('slurm.nodes'),
      '5:19: slurm.nodes puts no traffic on the network; its place is "intervals"; here: gluster.flood',
    ],
    [
      withFlood('gluster.flood', '"2-5"'),
      '5:43: traffic[0].between is not a part of the day; write it as "02:00-05:00"',
    ],
    [
      withFlood('gluster.flood', '"02:00-05:00"', '5min'),
      '5:65: traffic[0].every is not a duration of 10 min or more; write it as 6h or 1d',
    ],
    [
      withFlood('gluster.flood', '"02:00-05:00"', '6h, hosts: "g[1-3]"'),
      '5:76: there is no host "g3"; did you mean "g1"?',
    ],
    [
      withFlood('gluster.flood', '"02:00-05:00"', '6h, hosts: ctl1'),
      '5:76: "ctl1" has not the role gluster, which gluster.flood asks',
    ],
    [
      withLines('traffic: [{probe: gluster.flood, between: "02:00-05:00", every: 6h}]'),
      '4:19: no host has the role gluster, which gluster.flood asks',
    ],
  ])('%j', (text, line) => {
    const lines = faults(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`site.yaml:${line}`);
  });

  it('points to quotes when a bracket broke the flow map', () => {
    expect(faults('site: x\nhosts:\n  - {names: node[1-200]}')[0]).toBe(
      'site.yaml:3:17: not valid YAML: Unexpected flow-seq-start at node end; put texts that hold brackets in quotes: names: "node[1-200]"',
    );
  });

  it('is said all at once, in the order of the file, unknown keys among it', () => {
    const lines = faults(`site: 7
hosts:
  - {names: a, roles: [comptue]}
  - {nmaes: b}
  - {names: "n[1-6]", platform: linx, location: {rack: "r[1-4]"}}
shared: {host: b, dir: relative}
intervals: {slurm.node: 1s}
`);
    expect(lines.map((line) => line.split(':').slice(1, 3).join(':'))).toEqual([
      '1:7',
      '3:24',
      '4:5',
      '4:6',
      '5:33',
      '5:56',
      '6:24',
      '7:13',
    ]);
    expect(lines[3]).toContain('unknown key "nmaes", ignored; did you mean "names"?');
  });

  it('is no further fault where a good entry refers to a host of a bad one', () => {
    const lines = faults(withLines('  - {names: admin1, platform: linx}', 'shared: {host: admin1, dir: /x}'));
    expect(lines).toHaveLength(1);
  });
});

describe('warnings', () => {
  it.each([
    [withLines('raedOnly: true'), '4:1: unknown key "raedOnly", ignored; did you mean "readOnly"?'],
    [
      withLines('  - {names: a, rolls: [compute]}'),
      '4:16: unknown key "rolls", ignored; did you mean "roles"?',
    ],
    [
      withLines('slurm: {limits: {partitonOut: 20%}}'),
      '4:18: unknown key "partitonOut", ignored; did you mean "partitionOut"?',
    ],
    [
      withLines('gluster: {limits: {lockAgee: 60s}}'),
      '4:20: unknown key "lockAgee", ignored; did you mean "lockAge"?',
    ],
    [withLines('zebra: 1'), '4:1: unknown key "zebra", ignored; known here: site, readOnly,'],
    [
      withLines(
        '  - {names: a, location: {rack: r1}}',
        'windows: [{from: 2026-12-01T00:00Z, to: 2026-12-02T00:00Z, subjects: ["rack:r2"], text: x}]',
      ),
      '5:71: no host has rack "r2"; did you mean "r1"?',
    ],
    [
      withLines('runbooks: [{finding: "slrum:*", contact: x}]'),
      '4:22: no system is called "slrum"; did you mean "slurm"?',
    ],
    [
      withLines('rules: {off: [bad-link, bad-lnk]}'),
      '4:25: no rule is called "bad-lnk", so none is off by it; did you mean "bad-link"?',
    ],
  ])('%j', (text, line) => {
    const { warnings } = parse(text);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`site.yaml:${line}`);
  });

  it('leaves free keys alone: environment, locations', () => {
    const text = withLines(
      '  - {names: a, location: {anything: x}}',
      'slurm: {check: {command: [nhc], env: {ANY_NAME: x}}}',
    );
    expect(parse(text).warnings).toEqual([]);
  });
});

describe('whatever the text', () => {
  const piece = fc.constantFrom(
    'site: x',
    'hosts:',
    '  - {names: "n[1-3]"}',
    '  - names: a',
    '    roles: [compute]',
    '    roles: 7',
    'slurm:',
    '  check:',
    '  limits: []',
    'links: [{from: "n1:1", to: x}]',
    'windows: {}',
    'intervals: [1]',
    'shared: n1',
    '\t',
    '&a',
    '*a',
    '? [x]',
    '"',
    '{',
    ']',
    '<<: *a',
    '__proto__: {x: 1}',
    'constructor: 1',
    '!!binary x',
    '%YAML 9',
    '\u0000',
    '\u001b[2J',
    '\udc80',
  );

  it('gives a site or a SiteError with a place in every line and nothing hostile in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 }),
        (lines) => {
          for (const line of faults(lines.join('\n')))
            expect(line).toMatch(/^site\.yaml:[1-9]\d*:[1-9]\d*: [\P{C}]+$/u);
        },
      ),
      { numRuns: 500 },
    );
  });
});
