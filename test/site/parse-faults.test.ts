import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parse, faults, withLines, withFlood } from './parsing.ts';

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
      '2:1: not valid YAML: Source contains multiple documents; write one document: remove the "---" line',
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
      withLines('  - {names: "n[1-2]"}', 'clush: [{through: ctl2, hosts: "n[1-2]"}]'),
      '5:19: there is no host "ctl2"; did you mean "ctl1"?',
    ],
    [
      withLines('  - {names: "n[1-2]"}', 'clush: [{through: ctl1, hosts: "n[1-3]"}]'),
      '5:32: there is no host "n3"; did you mean "n1"?',
    ],
    [
      withLines('  - {names: n1}', 'clush: [{through: ctl1, hosts: "ctl1,n1"}]'),
      '5:32: "ctl1" would be asked through itself; leave it out of the set',
    ],
    [
      withLines('  - {names: n1}', 'clush: [{through: ctl1, hosts: n1}, {through: n1, hosts: n1}]'),
      '5:58: "n1" would be asked through itself; leave it out of the set',
    ],
    [
      withLines('  - {names: "n[1-2]"}', 'clush: [{through: ctl1, hosts: n1}, {through: n2, hosts: n1}]'),
      '5:58: "n1" is asked through another host already; name it once',
    ],
    [
      withLines(
        '  - {names: sw1, roles: [switch], platform: dell_ftos}',
        'clush: [{through: ctl1, hosts: sw1}]',
      ),
      '5:32: "sw1" is a dell_ftos; ClusterShell asks hosts that have sh',
    ],
    [
      withLines('  - {names: n1}', 'clush: [{through: ctl1, hosts: n1, fanout: 0}]'),
      '5:44: clush[0].fanout is not 1 or more',
    ],
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
      '5:76: "ctl1" does not have the role gluster, which gluster.flood asks',
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
