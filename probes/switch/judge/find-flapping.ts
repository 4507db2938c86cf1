import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { sourceOf } from '../ask/sources.ts';
import { besideOf, type Link, type LinkEnd } from '../links/link.ts';
import { linksKnown } from '../links/links.ts';
import { nameOf } from '../verdict/case-of.ts';
import { suspect } from '../verdict/suspects.ts';
import { goingsOf } from './link-ups.ts';

const finding = findingsOf('switch');

/** A plug that is reseated goes down once, a node that boots twice or thrice: more in an hour, or two in a minute, is flapping. */
const least = { hour: 4, soon: 2, soonSeconds: 60 };

type Goings = ReturnType<typeof goingsOf>;

export const isFlapping = ({ downs, seconds, hour }: Goings): boolean =>
  hour >= least.hour || (downs >= least.soon && seconds <= least.soonSeconds);

const isRebooting = ({ host }: LinkEnd, { facts }: Judgement): boolean =>
  host !== undefined && facts.of('node.rebooting', { kind: 'node', id: host }) !== undefined;

/** `3 times in 2 s`, or of the last hour. */
const rateText = ({ downs, seconds, hour }: Goings): string =>
  hour > downs
    ? `${count(hour, 'time')} in the last hour`
    : `${count(downs, 'time')} in ${Math.round(seconds)} s`;

/** The ends whose device tells how often it went, the one that tells more first. */
const endsOf = ({ a, b }: Link, judgement: Judgement) =>
  [
    { end: a, far: b },
    { end: b, far: a },
  ]
    .filter(({ end }) => end.port !== undefined)
    .map(({ end, far }) => ({ end, far, goings: goingsOf(end.id, judgement, far.id) }))
    .toSorted((one, two) => two.goings.hour - one.goings.hour);

/** Links that go down and come up again and again, with bad frames or without. */
export const flappingFindings = (judgement: Judgement): readonly FindingDraft[] =>
  linksKnown(judgement).flatMap((link): FindingDraft[] => {
    const ends = endsOf(link, judgement);
    const [worst] = ends;
    if (!worst || !isFlapping(worst.goings)) return [];
    if (ends.some(({ end, far }) => isRebooting(end, judgement) || isRebooting(far, judgement))) return [];
    const { end, far, goings } = worst;
    const subject = { kind: 'port', id: end.id } as const;
    return [
      finding({
        kind: 'flapping',
        key: link.id,
        severity: 'warning',
        subject,
        ...besideOf(far),
        summary: `${nameOf(end)} to ${nameOf(far)} flaps: down ${rateText(goings)}`,
        advice:
          'Reseat plug and optic at both ends, then swap the optic, then the cable. Bad frames of a link that just came up are not judged.',
        suspects: [suspect(end.id, 'flapping', { perHour: goings.hour }), suspect(far.id, 'flapping')],
        evidence: ends.map((one) =>
          evidenceFrom(
            one.end.host === undefined ? undefined : sourceOf(judgement.readings, 'counters', one.end.host),
            one.goings.hour === 0
              ? `${nameOf(one.end)} tells of no change`
              : `${nameOf(one.end)} went down ${rateText(one.goings)}`,
          ),
        ),
        remedies: [{ action: 'switch.note', subjects: [subject] }],
      }),
    ];
  });
