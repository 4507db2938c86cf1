import { describe, expect, it } from 'vitest';
import { ratesOf } from '../../../probes/switch/rates.ts';
import { readFabric } from '../../../probes/switch/read-infiniband.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { siteOf } from '../../slurm/world.ts';

const text = (errors: number): string => `Errors for "leaf-07 (MF0;leaf-07:MQM8700/U1)"
   GUID 0x1 port ALL: [SymbolErrorCounter == 65535] [PortRcvErrors == ${errors}]
   GUID 0x1 port 17: [SymbolErrorCounter == 65535] [LinkDownedCounter == 11] [PortRcvErrors == ${errors}]
         Link info:     33   17[  ] ==( 4X       53.125 Gbps Active/  LinkUp)==>  0x2     45    1[  ] "node0042 HCA-1" ( )

## Summary: 812 nodes checked, 1 bad nodes found
`;
const answer = (errors: number): Answer =>
  ({ stdout: text(errors), stderr: '', exitCode: 0 }) as unknown as Answer;

describe('a fabric asked from one of its hosts', () => {
  const site = siteOf([{ name: 'fab1', roles: ['switch'], platform: 'infiniband' }]);
  const host = site.host('fab1');
  if (!host) throw new Error('no host');

  it('ports by node, sums left out, what is saturated said so', () => {
    const { ports } = readFabric(answer(991), host, site).value;
    expect(ports).toHaveLength(1);
    expect(ports[0]).toMatchObject({ port: 'leaf-07/17', saturated: ['symbolErrorCounter'] });
    const [later] = readFabric(answer(1091), host, site).value.ports;
    const [first] = ports;
    if (!first || !later) throw new Error('no port');
    expect(ratesOf(first, later, 10, 0)).toMatchObject({ rxBad: 10, rxBadCount: 100n });
  });

  it('a fabric without errors is no failure', () => {
    const quiet = { ...answer(0), stdout: '\n## Summary: 812 nodes checked, 0 bad nodes found\n' };
    expect(readFabric(quiet, host, site).value.ports).toEqual([]);
  });
});
