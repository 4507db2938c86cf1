import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { linksOf } from '../../../probes/switch/links/links.ts';
import { readFabricLinks, readFabricPeers } from '../../../probes/switch/platforms/infiniband/fabric.ts';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import { answerOf } from '../../helpers/answer.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';
import { fabric, withStates } from './fabric-world.ts';

/** Two fabrics with switches of the same names, each told by a host of its own. */
const site = siteOf([
  { name: 'fab1', roles: ['switch', 'switch-helper'], platform: 'infiniband' },
  { name: 'fab2', roles: ['switch', 'switch-helper'], platform: 'infiniband' },
]);

const errors = (symbols: number): string =>
  `Errors for "leaf-07"\n   GUID 0x506b4b0300000001 port 29: [SymbolErrorCounter == ${symbols}]\n\n## Summary: 4 nodes checked, 1 bad nodes found\n`;

/** Ports of the switches without a link in each fabric, and how many symbol errors port 29 shows in each sample. */
const judged = (
  fabrics: Readonly<Record<string, { down?: readonly number[]; symbols?: readonly number[] }>>,
) => {
  const readings = new Sources();
  for (const [name, { down = [], symbols = [0, 0] }] of Object.entries(fabrics)) {
    const host = site.host(name);
    if (!host) throw new Error(`no host ${name}`);
    const text = fabric(down);
    readings.good(
      'switch.fabric',
      name,
      readFabricLinks(
        answerOf(withStates(text, Object.fromEntries(down.map((one) => [one, 'Down/ Polling'])))),
        host,
        site,
      ).value,
      start,
    );
    const links = text.split('--- ibstat')[0] ?? '';
    readings.good('switch.neighbors', name, readFabricPeers(answerOf(links), host, site).value, start);
    readings.good('switch.timers', name, { timers: [] }, start);
    for (const [index, count] of symbols.entries()) {
      const { value } = readCounters(answerOf(errors(count)), host, site);
      readings.good('switch.counters', name, value, start + index * 10_000, 20, 3);
    }
  }
  // Both were seen whole an hour ago.
  const up = (id: string) =>
    [
      [
        `switch/port/${id}/link`,
        [
          { at: start - 3_600_000, value: 'up' },
          { at: start - 60_000, value: 'down' },
        ],
      ],
      [`switch/link/${id}/far`, [{ at: start - 3_600_000, value: `${id.split(':')[0]}:spine-02/50` }]],
    ] as const;
  const history = historyOf(Object.fromEntries(['fab1:leaf-07/30', 'fab2:leaf-07/30'].flatMap(up)));
  return judgementOf({ readings, site, history, now: start + 10_000 });
};

const parallel = (judgement: ReturnType<typeof judged>, id: string) => {
  const plan = shutAction.plan([{ kind: 'port', id }], {}, { judgement, operator: 'alice' });
  if ('refused' in plan) throw new Error(plan.reason);
  return plan.targets[0]?.guards.find((guard) => guard.id === '6 parallel link')?.check(judgement);
};

describe('two fabrics of one site', () => {
  it('have no link between them, though their switches are called alike', () => {
    const { readings } = judged({ fab1: {}, fab2: {} });
    const between = linksOf(readings, site).map(({ a, b }) => `${a.host} ${b.host}`);
    expect(new Set(between)).toEqual(new Set(['fab1 fab1', 'fab2 fab2']));
    expect(between.length % 2).toBe(0);
  });

  it('do not count for each other: what is Active in the one saves no link of the other', () => {
    const judgement = judged({ fab1: { down: [30] }, fab2: {} });
    expect(parallel(judgement, 'fab1:leaf-07/29')).toMatchObject({ ok: false });
    expect(parallel(judgement, 'fab2:leaf-07/29')).toMatchObject({ ok: true });
  });

  it('are told each with its own links and errors', () => {
    const found = findings(judged({ fab1: { down: [30] }, fab2: { symbols: [10, 900] } }));
    expect(found.map(({ kind, subject }) => `${kind} ${subject.id}`).toSorted()).toEqual([
      'link-down fab1:leaf-07/30',
      'weak-signal fab2:leaf-07/29',
    ]);
  });
});
