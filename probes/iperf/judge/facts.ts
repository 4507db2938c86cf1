import type { Fact } from '../../../src/model/fact.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { allRuns, factsOf } from './pairs.ts';
import { factNames, nameFacts } from './host-facts.ts';
import { samplesOf } from './samples.ts';
import { bpsSeries, factsSeries, testSeries, testValue } from './past-tests.ts';

/** What history keeps: each direction's last test with the facts of both ends at that time, and each host's facts. */
export const tracks = (judgement: Judgement): readonly Track[] => {
  const seen = new Set<string>();
  const tests: Track[] = [];
  for (const run of allRuns(judgement)) {
    if (run.status !== 'ok') continue;
    for (const direction of ['there', 'back'] as const) {
      const id = direction === 'there' ? `${run.client}:${run.server}` : `${run.server}:${run.client}`;
      const bps = Math.round(samplesOf(run, direction)?.total ?? 0);
      if (bps <= 0 || seen.has(id)) continue;
      seen.add(id);
      tests.push({ series: bpsSeries(id), value: bps });
      const value = testValue(id, run, bps, judgement);
      if (value !== undefined) tests.push({ series: testSeries(id), value });
    }
  }
  const facts = judgement.site.hostsWithRole('iperf').flatMap(({ name }): Track[] => {
    const one = factsOf(judgement.readings, name);
    if (!one) return [];
    // Load changes with every reading; it is kept with the tests.
    const known = nameFacts(one);
    const words = factNames.flatMap((fact) =>
      fact === 'load' || known[fact] === undefined ? [] : [`${fact} ${known[fact]}`],
    );
    return [{ series: factsSeries(name), value: words.join(', ') }];
  });
  return [...tests, ...facts];
};

/** Kernel and NIC of each host, for those who compare hosts. */
export const facts = ({ readings, site }: Judgement): readonly Fact[] =>
  site.hostsWithRole('iperf').flatMap(({ name }): Fact[] => {
    const one = factsOf(readings, name);
    if (!one) return [];
    const nic = [one.driver, one.firmware].filter((text) => text !== undefined).join(' ');
    return [
      {
        name: 'host.facts',
        subject: { kind: 'host', id: name },
        value: { ...(one.kernel !== undefined && { kernel: one.kernel }), ...(nic !== '' && { nic }) },
      },
    ];
  });
