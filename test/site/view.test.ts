import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SubjectKind, subjectKinds } from '../../src/model/subject.ts';
import { parseSite } from '../../src/site/parse.ts';
import { canonicalPort } from '../../src/site/ports.ts';
import { viewOf } from '../../src/site/view.ts';
import { knowledge } from './knowledge.ts';

const { site } = parseSite(
  `site: x
hosts:
  - {names: "node[1-20]", roles: [compute]}
  - {names: ctl1, roles: [slurm-controller, compute]}
  - {names: "core[1-4]", roles: [switch], platform: dell_ftos}
  - {names: "gl1.hpc.example.org,gl2.hpc.example.org", roles: [gluster]}
  - {names: "web.a.example.org,web.b.example.org"}
`,
  'site.yaml',
  knowledge,
);
const view = viewOf(site);
const id = (kind: SubjectKind, text: string): string | undefined => view.resolve(kind, text)?.id;

describe('viewOf', () => {
  it('answers by name and by role, in the order of the file', () => {
    expect(view.host('node7')?.platform).toBe('linux');
    expect(view.host('nobody')).toBeUndefined();
    expect(view.host('constructor')).toBeUndefined();
    expect(view.hostsWithRole('compute').map(({ name }) => name)).toEqual([
      ...Array.from({ length: 20 }, (_, at) => `node${at + 1}`),
      'ctl1',
    ]);
    expect(view.hostsWithRole('nothing')).toEqual([]);
  });
});

describe('resolve', () => {
  it.each<[SubjectKind, string, string]>([
    ['node', 'node7', 'node7'],
    ['node', 'NODE7', 'node7'],
    ['node', 'node7.hpc.example.org', 'node7'],
    ['node', 'node7.hpc.example.org.', 'node7'],
    ['host', 'gl1', 'gl1.hpc.example.org'],
    ['host', 'GL1.HPC.example.org', 'gl1.hpc.example.org'],
    ['port', 'core3:te3/46', 'core3:te3/46'],
    ['port', 'core3:Te 3/46', 'core3:te3/46'],
    ['port', 'core3.example.org:TenGigabitEthernet 3/46', 'core3:te3/46'],
    ['lag', 'core3:Port-channel 98', 'core3:po98'],
    ['link', 'core1:te1/1 = core2:Te 1/2', 'core1:te1/1=core2:te1/2'],
    ['pair', 'node1:node2.x', 'node1:node2'],
    ['brick', 'gl1:/bricks/home0/b1', 'gl1.hpc.example.org:/bricks/home0/b1'],
    ['ost', 'scratch-OST001E', 'scratch-OST001e'],
    ['ost', 'scratch-OST001e_UUID', 'scratch-OST001e'],
    ['volume', 'home0', 'home0'],
    ['partition', 'batch', 'batch'],
    ['site', 'x', 'x'],
  ])('%s %s is %s', (kind, text, canonical) => {
    expect(view.resolve(kind, text)).toEqual({ kind, id: canonical });
  });

  it.each<[SubjectKind, string]>([
    ['node', 'node21'],
    ['node', ''],
    ['node', 'ALL'],
    ['node', 'node[1-20]'],
    ['node', 'node1,node2'],
    ['node', 'node*'],
    ['node', 'no\u200bde1'],
    ['node', 'node1\n'],
    ['node', '-node1'],
    ['host', 'gl1.other.example.org'],
    ['host', 'web'],
    ['port', 'core9:te1/1'],
    ['port', 'core3'],
    ['port', 'core3:'],
    ['port', 'core3:te1/1;reload'],
    ['port', 'core3:te1/1\nreload'],
    ['pair', 'node1'],
    ['pair', 'node1:node99'],
    ['brick', 'gl1:relative'],
    ['brick', 'gl1:/a b'],
    ['ost', 'scratch-OST001'],
    ['ost', 'much-too-long-OST0001'],
    ['volume', '-force'],
    ['volume', 'a b'],
    ['partition', 'ALL'],
    ['site', 'y'],
  ])('%s %j is nothing it knows', (kind, text) => {
    expect(view.resolve(kind, text)).toBeUndefined();
  });

  it('gives only ids that it gives for themselves again, and that hold nothing for a shell', () => {
    const kinds = fc.constantFrom(...subjectKinds);
    const texts = fc.array(
      fc.oneof(
        fc.constantFrom(
          'node1',
          'core3',
          'gl1',
          ':',
          '/',
          '=',
          'te 3/46',
          'OST0001',
          '-',
          '.',
          ' ',
          ';',
          '$(',
          '\n',
          '\u202e',
        ),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(kinds, texts, (kind, parts) => {
        const found = id(kind, parts.join(''));
        if (found === undefined) return;
        expect(id(kind, found)).toBe(found);
        expect(found).toMatch(/^[A-Za-z0-9_/][A-Za-z0-9._+@:=/-]*$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('canonicalPort', () => {
  it.each([
    ['TenGigabitEthernet 3/46', 'te3/46'],
    ['Te3/46', 'te3/46'],
    ['Eth1/1', 'eth1/1'],
    ['Ethernet1', 'eth1'],
    ['Et1', 'eth1'],
    ['GigabitEthernet1/0/24', 'gi1/0/24'],
    ['HundredGigE 1/49', 'hu1/49'],
    ['et-0/0/1', 'et-0/0/1'],
    ['xe-0/0/1.0', 'xe-0/0/1.0'],
    ['swp3s0', 'swp3s0'],
    ['Port-Channel98', 'po98'],
    ['1/1/1', '1/1/1'],
    ['Ten-GigabitEthernet1/0/1', 'te1/0/1'],
    ['XGE1/0/1', 'te1/0/1'],
    ['HGE1/0/25', 'hu1/0/25'],
    ['Twenty-FiveGigE1/0/3', 'twe1/0/3'],
    ['WGE1/0/3', 'twe1/0/3'],
    ['BAGG1', 'po1'],
    ['RAGG1', 'ragg1'],
    ['Route-Aggregation1', 'ragg1'],
    ['Fi1/0/1', 'fiv1/0/1'],
    ['FiveGigabitEthernet1/0/1', 'fiv1/0/1'],
    ['Fif1/0/1', 'fif1/0/1'],
    ['Bridge-Aggregation1', 'po1'],
    ['Eth-Trunk12', 'po12'],
    ['10GE1/0/1', 'te1/0/1'],
    ['100GE1/0/1', 'hu1/0/1'],
    ['10GigabitEthernet1/2/1', 'te1/2/1'],
    ['TwentyFiveGigE0/0/0/1', 'twe0/0/0/1'],
    ['Eth1/11 (Po21)', 'eth1/11'],
    ['M-GigabitEthernet0/0/0', 'ma0/0/0'],
  ])('%s is %s', (text, short) => {
    expect(canonicalPort(text)).toBe(short);
  });

  it('is not looked for in a text that is longer than any', () => {
    expect(canonicalPort(`Eth1/1${' '.repeat(80_000)}x`)).toBeUndefined();
  });

  it.each(['', ' ', '?', 'te1/1 | reload', 'x'.repeat(80)])('%j is no port', (text) => {
    expect(canonicalPort(text)).toBeUndefined();
  });
});
