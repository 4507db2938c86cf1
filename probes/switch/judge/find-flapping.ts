import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { sourceOf } from '../ask/sources.ts';
import { farSubject, type Link, type LinkEnd } from '../links/link.ts';
import { knownLinks } from '../links/links.ts';
import { platformOf } from '../platforms/index.ts';
import { nameOf } from '../verdict/case-of.ts';
import { suspect } from '../verdict/suspects.ts';
import { isFabricSwitch, isNodeAway } from './find-fabric.ts';
import { goingsOf } from './link-ups.ts';

const finding = findingsOf('switch');

/**
 * Least losses in an hour, and in a minute. A plug that is reseated goes down once. A host takes its link down at power-on, in PXE and when
 * its driver is loaded: twice within seconds, and as often again when it boots a second time.
 */
const least = { switches: { hour: 4, soon: 2 }, host: { hour: 8, soon: 4 } };
const soonSeconds = 60;

type Goings = ReturnType<typeof goingsOf>;

/** Told by a host of an InfiniBand fabric: the port is none of that host. */
const isOfFabric = (host: string, { site }: Judgement): boolean =>
  platformOf(site.host(host)?.platform)?.fabric !== undefined;

const isSwitch = ({ host, port = '' }: LinkEnd, judgement: Judgement): boolean => {
  if (host === undefined || !judgement.site.host(host)?.roles.includes('switch')) return false;
  return !isOfFabric(host, judgement) || isFabricSwitch(host, port, judgement);
};

/** Whoever is no switch of the site may be a host that boots. */
const isBetweenSwitches = ({ a, b }: Link, judgement: Judgement): boolean =>
  [a, b].every((end) => isSwitch(end, judgement));

export const isFlapping = ({ downs, seconds, hour }: Goings, link: Link, judgement: Judgement): boolean => {
  const { hour: perHour, soon } = isBetweenSwitches(link, judgement) ? least.switches : least.host;
  return hour >= perHour || (downs >= soon && seconds <= soonSeconds);
};

/** Its host boots, or is off as the site plans it. */
const isAway = ({ host, port }: LinkEnd, judgement: Judgement): boolean => {
  if (host !== undefined && isOfFabric(host, judgement)) return isNodeAway(port, judgement);
  const { facts } = judgement;
  const node = { kind: 'node', id: host ?? '' } as const;
  return (facts.find('node.rebooting', node) ?? facts.find('node.off', node)) !== undefined;
};

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
  knownLinks(judgement).flatMap((link): FindingDraft[] => {
    const ends = endsOf(link, judgement);
    const [worst] = ends;
    if (!worst || !isFlapping(worst.goings, link, judgement)) return [];
    if (ends.some(({ end, far }) => isAway(end, judgement) || isAway(far, judgement))) return [];
    const { end, far, goings } = worst;
    const subject = { kind: 'port', id: end.id } as const;
    return [
      finding({
        kind: 'flapping',
        key: link.id,
        severity: 'warning',
        subject,
        ...farSubject(far),
        summary: `${nameOf(end)} to ${nameOf(far)} flaps: down ${rateText(goings)}`,
        advice:
          'Reseat plug and optic at both ends, then swap the optic, then the cable. Bad frames of a link that just came up are not judged.',
        suspects: [suspect(end.id, 'flapping', { perHour: goings.hour }), suspect(far.id, 'flapping')],
        evidence: ends.map((one) =>
          evidenceFrom(
            one.end.host === undefined ? undefined : sourceOf(judgement.readings, 'counters', one.end.host),
            one.goings.hour === 0
              ? `${nameOf(one.end)} logs no change`
              : `${nameOf(one.end)} went down ${rateText(one.goings)}`,
          ),
        ),
        remedies: [{ action: 'switch.note', subjects: [subject] }],
      }),
    ];
  });
