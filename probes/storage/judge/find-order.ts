import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { predictedDisks } from './find-disks.ts';
import { safeDisksOf } from './safe-disks.ts';
import type { Choice, SafeSet } from './safe-set.ts';
import { arraySources, controllerSources, freshValue, hostSubject, seenArrays } from './sources.ts';

const findingOf = findingsOf('storage');

/** Of one disk the finding on it says all. */
const FEWEST = 2;
/** Names in the line; the evidence has them all. */
const NAMED = 4;

const namesOf = (choices: readonly Choice[]): string =>
  choices.length > NAMED ? `${count(choices.length, 'disk')}` : choices.map(({ disk }) => disk).join(', ');

const summaryOf = (host: string, { now, later }: SafeSet): string => {
  const all = count(now.length + later.length, 'failed or suspect disk');
  const first = now.length === 0 ? 'none may be pulled now' : `pull now: ${namesOf(now)}`;
  return `${host}: ${all}; ${first}${later.length === 0 ? '' : `; then ${namesOf(later)}`}`;
};

/** `sdab, serial ZA14HK3` as far as it is known; names of controllers say the slot themselves. */
const diskText = (disk: string, source: Source | undefined, judgement: Judgement): string => {
  const disks = arraySources(judgement).find(({ host }) => host === source?.host);
  const serial = freshValue(disks)?.disks.find(({ name }) => name === disk)?.serial;
  return serial === undefined ? disk : `${disk}, serial ${serial}`;
};

const orderOf = (host: string, judgement: Judgement): FindingDraft[] => {
  const safe = safeDisksOf(host, judgement);
  if (!safe || safe.now.length + safe.later.length < FEWEST) return [];
  const sources: readonly Source[] = [...arraySources(judgement), ...controllerSources(judgement)];
  const source = sources.find((one) => one.host === host && freshValue(one) !== undefined);
  const { now, later } = safe;
  const critical = predictedDisks(judgement).some(
    (one) => one.host === host && one.signs.some((sign) => sign.critical === true),
  );
  const arrays = seenArrays(judgement).filter((one) => one.host === host);
  const line = (text: string, disk: string): EvidenceDraft => {
    const own = arrays.find(
      ({ array }) => array.slots.some((slot) => slot.disk === disk) || array.out?.includes(disk),
    );
    // What a controller says is older than what the kernel does.
    return {
      ...evidenceFrom(own?.source ?? source, text),
      values: { disk, ...(own && { array: own.array.id }) },
    };
  };
  const isWorking = now.some(({ disk }) =>
    arrays.some(({ array }) => array.slots.some((slot) => slot.disk === disk && slot.state === 'good')),
  );
  return [
    findingOf({
      kind: 'disks-to-replace',
      key: host,
      severity: critical ? 'critical' : 'warning',
      subject: hostSubject(host),
      summary: summaryOf(host, safe),
      advice: `${
        now.length === 0
          ? 'Pull none of them now.'
          : `Pull ${now.map(({ disk }) => disk).join(' and ')}: find each by its serial number, and put a new disk into its place.${isWorking ? ' Take one that still works out of its array first.' : ''}`
      }${later.length === 0 ? '' : ' Take the others in this order, each once its reason has gone: read this list again after every disk.'}`,
      suspects: [...now, ...later].slice(0, 8).map(({ disk }) => ({
        subject: hostSubject(host),
        cause: 'disk-failing' as const,
        confidence: 'medium' as const,
        values: { disk },
      })),
      evidence: [
        ...now.map(({ disk, why }) => line(`now: ${diskText(disk, source, judgement)}: ${why}`, disk)),
        ...later.map(({ disk, why, instead }, at) =>
          line(`${at + 1 + now.length}. ${instead}: ${diskText(disk, source, judgement)}: ${why}`, disk),
        ),
      ],
    }),
  ];
};

/** Of each host with several failed or suspect disks: which may be pulled now, and the order of the others. */
export const orderFindings = (judgement: Judgement): FindingDraft[] => {
  const hosts = [...arraySources(judgement), ...controllerSources(judgement)].map(({ host }) => host);
  return [...new Set(hosts)].flatMap((host) => orderOf(host, judgement));
};
