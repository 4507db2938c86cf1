import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireShallow, findTooDeep } from '../../src/kit/json-depth.ts';
import { loadFormats } from '../../src/registries/formats.ts';

const formats = await loadFormats();

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('JSON that nests too deep', () => {
  it.each([
    ['iperf.result', `{"start":${lists(500_000)}}`],
    ['iperf.result', `{"start":{},"end":${objects(200_000)}}`],
    ['iperf.result', `{"start":{},"intervals":${'[[]'.repeat(200_000)}`],
    ['iperf.result', `{"event":"start","data":${lists(500_000)}}\n`],
  ])('%s says so and where', (format, stdout) => {
    expect(() => formats[format]?.({ stdout })).toThrow(/^JSON nested more than 200 levels deep$/);
  });

  it('is no row of Slurm, whose reader goes to known places only', () => {
    expect(formats['slurm.nodes']?.({ stdout: `{"nodes":${lists(500_000)}}` })).toMatchObject({
      nodes: [],
      notUnderstood: 1,
    });
    expect(() => formats['slurm.jobs']?.({ stdout: `{"jobs":${objects(200_000)}}` })).toThrow(
      'a JSON document without a list of jobs',
    );
    const node = (comment: string) => `{"nodes":[{"name":"n1","state":["IDLE"],"comment":${comment}}]}`;
    const deep = formats['slurm.nodes']?.({ stdout: node(lists(500_000)) });
    expect(deep).toEqual(formats['slurm.nodes']?.({ stdout: node('""') }));
    expect(deep).toMatchObject({ nodes: [{ name: 'n1' }] });
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
    expect(requireShallow(text)).toBe(text);
    expect(requireShallow(lists(200))).toBe(lists(200));
    expect(formats['iperf.result']?.({ stdout: text })).toMatchObject({ tool: 'iperf3' });
  });

  /** Character by character, as the grammar says it: RFC 8259. */
  const deepestAt = (json: string): number | undefined => {
    let depth = 0;
    let inString = false;
    for (let at = 0; at < json.length; at++) {
      const char = json.charAt(at);
      if (inString && char === '\\') at++;
      else if (char === '"') inString = !inString;
      else if (!inString && '[{'.includes(char)) depth++;
      else if (!inString && ']}'.includes(char)) depth--;
      if (depth > 200) return at;
    }
    return undefined;
  };

  it('is found where the 201st bracket opens, whatever stands around it', () => {
    const piece = fc.constantFrom(
      '[',
      '{',
      ']',
      '}',
      '"',
      '\\',
      '\\"',
      'a',
      ',',
      'Ż',
      'ś',
      lists(100),
      '['.repeat(150),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const json = pieces.join('');
        expect(findTooDeep(json)).toBe(deepestAt(json));
      }),
    );
  });
});
