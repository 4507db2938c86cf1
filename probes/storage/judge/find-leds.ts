import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { EnclosuresReading } from '../enclosures.ts';
import { freshValue, hostSubject } from './sources.ts';

const findingOf = findingsOf('storage');

/** Nobody looks for a disk this long. */
const LONG_MS = 3_600_000;

const litSlots = ({ enclosures }: EnclosuresReading): Map<string, string | undefined> =>
  new Map(
    enclosures.flatMap(({ id, slots }) =>
      slots.flatMap(({ name, disk, lit }): [string, string | undefined][] =>
        lit === true ? [[`${id} ${name}`, disk]] : [],
      ),
    ),
  );

/** Locate LEDs that shine on without a timer: whoever looks for the next disk finds the wrong one. */
export const ledFindings = ({ readings, now }: Judgement): FindingDraft[] =>
  readings.sources<EnclosuresReading>('storage.enclosures').flatMap((source) => {
    const reading = freshValue(source);
    const oldest = source.before.findLast(({ at }) => now - at >= LONG_MS);
    if (!reading?.timers || !oldest) return [];
    const since = source.before.filter(({ at }) => at >= oldest.at).map(({ value }) => litSlots(value));
    const left = [...litSlots(reading)].filter(
      ([slot, disk]) =>
        since.every((lit) => lit.has(slot)) &&
        (disk === undefined || reading.timers?.some((timer) => timer === disk) !== true),
    );
    return left.map(([slot, disk]) =>
      findingOf({
        kind: 'led-left-on',
        key: `${source.host}:${slot}`,
        severity: 'notice',
        subject: hostSubject(source.host),
        summary: `${source.host}: locate LED of ${disk ?? 'an empty slot'} (${slot}) lit for over an hour, no timer puts it out`,
        advice: 'Ask who is looking for this disk, then put the LED out.',
        suspects: [{ subject: hostSubject(source.host), cause: 'led', confidence: 'medium' }],
        evidence: [evidenceFrom(source, `${slot}: locate 1`)],
      }),
    );
  });
