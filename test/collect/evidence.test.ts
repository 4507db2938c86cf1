import { expect, it } from 'vitest';
import { evidenceOf } from '../../src/collect/evidence.ts';
import type { Subject } from '../../src/model/subject.ts';
import { switches } from '../../probes/switch/index.ts';
import { slurm } from '../../probes/slurm/index.ts';

type Look = Parameters<typeof evidenceOf>[0];

/** A collector that keeps one answer per source. */
const kept = (stdout: string, value: unknown, at: readonly number[] = [1]): Look => {
  const site = {
    host: (name: string) => (['core3', 'nfs-sw1', 'ctl1'].includes(name) ? { name } : undefined),
  };
  const answer = {
    stdout: new TextEncoder().encode(stdout),
    stderr: new Uint8Array(),
    exitCode: 0,
    truncated: false,
    stdoutBytes: stdout.length,
    timedOut: false,
    lost: false,
    cancelled: false,
    durationMs: 1,
  };
  return {
    systems: [switches, slurm],
    site,
    store: { source: () => ({ good: { value, notUnderstood: 0 } }) },
    raws: {
      findRecords: (probe: string, host: string) =>
        at.map((when) => ({ probe, host, command: 'c', at: when, answer })),
    },
  } as unknown as Look;
};

const marksOf = (
  look: Look,
  probe: string,
  host: string,
  about: readonly Subject[],
  words?: readonly string[],
) =>
  evidenceOf(look, [{ probe, host, about, ...(words && { words }) }]).flatMap(({ stdout }) =>
    stdout.parts.flatMap((part) =>
      'folded' in part ? [] : part.lines.flatMap(({ text, mark }) => (mark ? [text] : [])),
    ),
  );

const filler = Array.from({ length: 40 }, (_, at) => `filler ${at}`).join('\n');
const counters = `${filler}\n\nTenGigabitEthernet 3/46 is up\n   12 CRC, 0 runts\n\nTenGigabitEthernet 1/12 is up\n   0 CRC, 0 runts\n`;
const ports = {
  ports: [
    { port: 'te3/46', name: 'TenGigabitEthernet 3/46', counts: {} },
    { port: 'te1/12', name: 'TenGigabitEthernet 1/12', counts: {} },
  ],
};

it('a port is found by the spelling of its device, with the counters that findings rest on', () => {
  const look = kept(counters, ports);
  expect(marksOf(look, 'switch.screens', 'core3', [{ kind: 'port', id: 'core3:te3/46' }])).toEqual([
    'TenGigabitEthernet 3/46 is up',
    '   12 CRC, 0 runts',
  ]);
});

it('a port of another switch is not sought under its own name here: that is another port', () => {
  expect(
    marksOf(kept(counters, ports), 'switch.screens', 'core3', [{ kind: 'port', id: 'nfs-sw1:te1/12' }]),
  ).toEqual([]);
});

it('each member of a group is found; what the evidence names goes before what the probe names', () => {
  const nodes = `${filler}\nNodeName=n1\n   State=IDLE\n   Weight=1\nNodeName=n2\n   State=DOWN\n   Weight=2\nNodeName=n3\n   State=IDLE\n`;
  const group = [{ kind: 'node', id: 'n[1-2]' }] as const;
  expect(marksOf(kept(nodes, {}), 'slurm.nodes', 'ctl1', group).map((line) => line.trim())).toEqual([
    'NodeName=n1',
    'State=IDLE',
    'NodeName=n2',
    'State=DOWN',
  ]);
  expect(marksOf(kept(nodes, {}), 'slurm.nodes', 'ctl1', group, ['Weight'])).toContain('   Weight=2');
});

it('the newest answer is shown and the others named; whole, all of them', () => {
  const look = kept(counters, ports, [3, 2, 1]);
  const source = {
    probe: 'switch.screens',
    host: 'core3',
    about: [{ kind: 'port', id: 'core3:te3/46' }],
  } as const;
  expect(evidenceOf(look, [source])).toMatchObject([{ at: 3, others: [2, 1] }]);
  const whole = evidenceOf(look, [source], true);
  expect(whole.map(({ at }) => at)).toEqual([3, 2, 1]);
  expect(whole[0]?.stdout.parts).toHaveLength(1);
});
