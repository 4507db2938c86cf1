import type { Track } from '../../src/model/history.ts';
import type { Judgement } from '../../src/model/system.ts';
import { spreadOf } from './interrupts.ts';
import { allRuns, factsOf } from './pairs.ts';
import { samplesOf } from './samples.ts';
import { bpsSeries, factsSeries } from './series.ts';

/** What history keeps: each direction's last figure, each host's facts. */
export const tracks = (judgement: Judgement): readonly Track[] => {
  const figures = new Map<string, number>();
  for (const run of allRuns(judgement)) {
    if (run.status !== 'ok') continue;
    for (const direction of ['there', 'back'] as const) {
      const id = direction === 'there' ? `${run.client}:${run.server}` : `${run.server}:${run.client}`;
      const total = samplesOf(run, direction)?.total;
      if (total !== undefined && total > 0 && !figures.has(id)) figures.set(id, Math.round(total));
    }
  }
  const facts = judgement.site.withRole('iperf').flatMap(({ name }): Track[] => {
    const one = factsOf(judgement.readings, name);
    if (!one) return [];
    const adaptive = one.adaptiveRx === undefined ? '' : ` adaptive-rx ${one.adaptiveRx ? 'on' : 'off'}`;
    const text = `${one.kernel ?? ''} ${one.driver ?? ''} ${one.firmware ?? ''} mtu ${one.mtu ?? '?'}${adaptive} ${spreadOf(one)}`;
    return [{ series: factsSeries(name), value: text }];
  });
  return [...[...figures].map(([id, value]) => ({ series: bpsSeries(id), value })), ...facts];
};
