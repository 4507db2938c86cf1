import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { eachPool, type PoolView } from '../pools.ts';
import { finding, peersOf, volumesOf } from './pool.ts';

/** `gl1, gl2, gl3 (home0, data1)`. */
const textOf = ({ pool, judgement }: PoolView): string => {
  const isHeard = peersOf(judgement).some(({ reading }) => reading?.pool !== undefined);
  const volumes = volumesOf(judgement)?.volumes.map(({ name }) => name);
  const what = isHeard
    ? volumes === undefined
      ? 'volumes not read'
      : volumes.join(', ') || 'no volumes'
    : 'whose pool is not known';
  return `${pool.hosts.join(', ')} (${what})`;
};

/** A host that is in no pool with others and has no volumes: detached, or not probed yet. */
const isAlone = ({ pool, judgement }: PoolView): boolean =>
  pool.hosts.length === 1 &&
  (volumesOf(judgement)?.volumes ?? []).length === 0 &&
  peersOf(judgement).every(({ reading }) => reading?.pool?.length === 1);

/** Several pools in one site file are no fault; which hosts are one is said, for one that was cut off from its pool looks like another. */
export const poolFindings = (judgement: Judgement): FindingDraft[] => {
  const pools = eachPool(judgement).filter((one) => !isAlone(one));
  const hosts = pools.flatMap(({ pool }) => pool.hosts);
  return pools.length < 2
    ? []
    : [
        finding({
          kind: 'several-pools',
          key: pools
            .slice(1)
            .map(({ pool }) => pool.name)
            .join(','),
          severity: 'notice',
          subject: { kind: 'host', id: pools[1]?.pool.name ?? '' },
          beside: hosts
            .filter((host) => host !== pools[1]?.pool.name)
            .map((id) => ({ kind: 'host' as const, id })),
          summary: `${count(pools.length, 'Gluster pool')} in one site file: ${pools.map(textOf).join('; ')}`,
          advice:
            'Each is judged and acted on by itself. A volume whose name two pools have is VOLUME@HOST here. A host that should be in a pool with others is probed from one of its peers (gluster peer probe).',
          evidence: pools.map((one) => ({
            text: `pool of ${textOf(one)}`,
            probe: 'gluster.peer',
            host: one.pool.name,
          })),
        }),
      ];
};
