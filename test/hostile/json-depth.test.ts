import { describe, expect, it } from 'vitest';
import { shallowJson } from '../../src/kit/json-depth.ts';
import { formats } from '../../src/registries/formats.ts';

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('JSON that nests too deep', () => {
  it.each([
    ['iperf.result', `{"start":${lists(500_000)}}`],
    ['iperf.result', `{"start":{},"end":${objects(200_000)}}`],
    ['iperf.result', `{"start":{},"intervals":${'[[]'.repeat(200_000)}`],
    ['iperf.result', `{"event":"start","data":${lists(500_000)}}\n`],
    ['slurm.nodes', `{"nodes":${lists(500_000)}}`],
    ['slurm.jobs', `{"jobs":${objects(200_000)}}`],
  ])('%s says so and where', (format, stdout) => {
    expect(() => formats[format]?.({ stdout })).toThrow(/^JSON nested more than 200 levels deep$/);
  });

  it('a switch answer of that kind is not of its format', () => {
    const parse = (stdout: string) => formats['switch.neighbors']?.({ stdout, platform: 'arista_eos' });
    expect(() => parse(`{"lldpNeighbors":${lists(500_000)}}`)).toThrow(/does not print neighbors so/);
  });

  it('is silent on brackets within strings, and on what is not too deep', () => {
    const text = JSON.stringify({
      start: { cookie: `\\"${'[{'.repeat(5000)}` },
      many: Array.from({ length: 5000 }, () => [{}]),
    });
    expect(shallowJson(text)).toBe(text);
    expect(shallowJson(lists(200))).toBe(lists(200));
    expect(formats['iperf.result']?.({ stdout: text })).toMatchObject({ tool: 'iperf3' });
  });
});
