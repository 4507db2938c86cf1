import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { ControllersReading, RaidToolReading } from '../readings.ts';
import { hostSubject } from './sources.ts';

const findingOf = findingsOf('storage');

/** A disk that was pulled and put back, or comes from another array: the controller rebuilds nothing onto it until somebody decides. */
export const foreignFindings = (
  source: Source<ControllersReading>,
  tool: RaidToolReading,
): FindingDraft[] => {
  const { host } = source;
  const { foreign = [] } = tool;
  if (foreign.length === 0) return [];
  // `c0` of `c0 32:5` and of `c0/0/239 home`: an array waits for no disk of another controller.
  const controllers = new Set(foreign.map((disk) => disk.split(' ')[0]));
  const open = tool.arrays.filter(
    ({ id, slots }) => controllers.has(id.split('/')[0]) && slots.some(({ state }) => state === 'missing'),
  );
  const waits = open.length > 0 ? `: ${open[0]?.id ?? ''} waits for a disk and does not rebuild` : '';
  return [
    findingOf({
      kind: 'disk-foreign',
      key: `${host}:${tool.tool}`,
      severity: open.length > 0 ? 'warning' : 'notice',
      subject: hostSubject(host),
      summary: `${host}: ${foreign.length === 1 ? `disk ${foreign[0]} is` : `disks ${foreign.join(', ')} are`} foreign${waits}`,
      advice:
        'Look first what the foreign configuration holds (storcli /cX/fall show). A disk of this array that was pulled and put back is given back to it by clearing that mark and making it a spare; one of another array may hold data.',
      suspects: foreign.slice(0, 4).map((disk) => ({
        subject: hostSubject(host),
        cause: 'disk-failed' as const,
        confidence: 'medium' as const,
        values: { disk },
      })),
      evidence: [evidenceFrom(source, `${tool.tool}: foreign: ${foreign.join(', ')}`)],
    }),
  ];
};
