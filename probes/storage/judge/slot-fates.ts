import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source, Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { SlotState } from '../arrays.ts';
import type { ControllersReading } from '../readings.ts';
import { controllerSources, freshValue, hostSubject } from './sources.ts';

const findingOf = findingsOf('storage');

/** A slot of a controller's array with the disk in it, of which the controller says a number of its own. */
interface NumberedSlot {
  source: Source<ControllersReading>;
  array: string;
  /** The slot's name: `c0 32:5`. */
  disk: string;
  state: SlotState;
  /** `serial ZL2PVFA8`, `WWN 5000C500E54F4EBB` */
  number: string;
  series: string;
}

const slotsOf = (judgement: Judgement): NumberedSlot[] =>
  controllerSources(judgement).flatMap((source) =>
    (freshValue(source)?.tools ?? []).flatMap(({ tool, arrays, numbers = [] }) =>
      arrays.flatMap(({ id, slots }) =>
        slots.flatMap(({ disk, state }): NumberedSlot[] => {
          const number = numbers.find((one) => one.disk === disk)?.number;
          if (disk === undefined || number === undefined) return [];
          const series = `storage.slot:${source.host}:${tool}:${disk}`;
          return [{ source, array: id, disk, state, number, series }];
        }),
      ),
    ),
  );

/** What became of the disk in each slot, by its number. */
export const slotTracks = (judgement: Judgement): Track[] =>
  slotsOf(judgement).map(({ series, state, number }) => ({ series, value: `${state} ${number}` }));

/** Whether a disk that does not work in its slot, or is being filled, is the one that worked there; if not, which did. */
type Fate = { is: 'other'; before: string } | { is: 'same' };

/** Undefined where it works, or nobody saw which disk worked there before. */
const fateOf = ({ series, state, number }: NumberedSlot, { history }: Judgement): Fate | undefined => {
  if (state !== 'filling' && state !== 'missing') return undefined;
  const before = history
    .changes(series, 0)
    .map(({ value }) => String(value))
    .findLast((value) => value.startsWith('good '))
    ?.slice('good '.length);
  if (before === undefined) return undefined;
  return before === number ? { is: 'same' } : { is: 'other', before };
};

const wordsOf = ({ number, state }: NumberedSlot, fate: Fate | undefined): string => {
  if (state === 'good') return number;
  return fate === undefined
    ? `${number}; which disk worked there before was not seen`
    : fate.is === 'other'
      ? `${number}, before it ${fate.before}: another disk`
      : `${number}, as before: the same disk`;
};

const onHost = (host: string, disk: string, judgement: Judgement): NumberedSlot | undefined =>
  slotsOf(judgement).find((slot) => slot.source.host === host && slot.disk === disk);

/** `serial B, before it serial A: another disk`; undefined where its controller says no number of it. */
export const fateWords = (host: string, disk: string, judgement: Judgement): string | undefined => {
  const slot = onHost(host, disk, judgement);
  return slot && wordsOf(slot, fateOf(slot, judgement));
};

/** A disk that was out of its array and is filled again: whatever put it out is still in it. */
export const sameDiskFindings = (judgement: Judgement): FindingDraft[] =>
  slotsOf(judgement).flatMap((slot) => {
    const fate = slot.state === 'filling' ? fateOf(slot, judgement) : undefined;
    if (fate?.is !== 'same') return [];
    const { source, disk, array, number } = slot;
    return [
      findingOf({
        kind: 'same-disk',
        key: `${source.host}:${disk}`,
        severity: 'notice',
        subject: hostSubject(source.host),
        summary: `${source.host}: ${disk} of ${array} is filled again, and is the disk that was out: ${number}`,
        advice:
          'If it failed by itself, put another one in: what made it fail is still there. If it was set offline or pulled by mistake, let it be filled.',
        suspects: [
          {
            subject: hostSubject(source.host),
            cause: 'disk-failed',
            confidence: 'medium',
            values: { disk },
          },
        ],
        evidence: [evidenceFrom(source, `${disk}: ${wordsOf(slot, fate)}`)],
      }),
    ];
  });
