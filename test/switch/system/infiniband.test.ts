import { describe, expect, it } from 'vitest';
import { ratesOf } from '../../../probes/switch/judge/rates.ts';
import { readFabricPeers } from '../../../probes/switch/platforms/infiniband/fabric.ts';
import { joinLinks } from '../../../probes/switch/links/join.ts';
import { linksTable } from '../../../probes/switch/view/links.ts';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const text = (errors: number): string => `Errors for "leaf-07 (MF0;leaf-07:MQM8700/U1)"
   GUID 0x1 port ALL: [SymbolErrorCounter == 65535] [PortRcvErrors == ${errors}]
   GUID 0x1 port 17: [SymbolErrorCounter == 65535] [LinkDownedCounter == 11] [PortRcvErrors == ${errors}]
         Link info:     33   17[  ] ==( 4X       53.125 Gbps Active/  LinkUp)==>  0x2     45    1[  ] "node0042 HCA-1" ( )

## Summary: 812 nodes checked, 1 bad nodes found
`;
const answer = (errors: number): Answer => answerOf(text(errors));

describe('a fabric asked from one of its hosts', () => {
  const site = siteOf([{ name: 'fab1', roles: ['switch'], platform: 'infiniband' }]);
  const host = site.host('fab1');
  if (!host) throw new Error('no host');

  it('ports by node, sums left out, what is saturated said so', () => {
    const { ports } = readCounters(answer(991), host, site).value;
    expect(ports).toHaveLength(1);
    expect(ports[0]).toMatchObject({ port: 'leaf-07/17', saturated: ['symbolErrorCounter'] });
    const [later] = readCounters(answer(1091), host, site).value.ports;
    const [first] = ports;
    if (!first || !later) throw new Error('no port');
    expect(ratesOf(first, later, 10, 0)).toMatchObject({ rxBad: 10, rxBadCount: 100n });
  });

  it('a fabric without errors is no failure', () => {
    const quiet = { ...answer(0), stdout: '\n## Summary: 812 nodes checked, 0 bad nodes found\n' };
    expect(readCounters(quiet, host, site).value.ports).toEqual([]);
  });

  const topology = `SW    51 81 0x3 4x HDR - CA    78  1 0x4 ( 'leaf-07' - 'worker20 mlx5_0' )
SW    51 82 0x3 4x HDR - CA    79  1 0x5 ( 'leaf-07' - 'worker20 mlx5_1' )
SW    51 17 0x3 4x HDR - CA    45  1 0x2 ( 'leaf-07' - 'node0042 HCA-1' )
SW    51 40 0x3 4x SDR                       'leaf-07'
`;
  const links = { ...answer(0), stdout: topology };

  it('adapters of one host are ports of their own', () => {
    const { neighbors } = readFabricPeers(links, host, site).value;
    const told = neighbors.map((row) => ({ host: 'fab1', port: row.port, row }));
    expect(joinLinks(told, new Map(), site).map(({ id }) => id)).toEqual([
      'fab1:leaf-07/81=fab1:worker20/1',
      'fab1:leaf-07/82=fab1:worker20-mlx5_1/1',
      'fab1:leaf-07/17=fab1:node0042/1',
    ]);
  });

  it('links without errors are listed, and not as unknown: the fabric names only bad ports', () => {
    const readings = new Sources();
    const { value } = readCounters(answer(991), host, site);
    readings.good('switch.counters', 'fab1', value, start);
    readings.good('switch.neighbors', 'fab1', readFabricPeers(links, host, site).value, start);
    const { rows } = linksTable(judgementOf({ readings, site, now: start, mono: 0 }), '');
    const told = rows.map(({ key, sign, cells }) => [key, sign, cells['verdict']?.text]);
    expect(told).toContainEqual(['fab1:leaf-07/81=fab1:worker20/1', 'fine', 'error counters not printed']);
    expect(told).toContainEqual(['fab1:leaf-07/17=fab1:node0042/1', 'unknown', 'one sample so far']);
  });
});
