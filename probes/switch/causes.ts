import type { Cause, CauseSite } from '../../src/model/dependency.ts';
import type { Finding } from '../../src/model/finding.ts';

const hostOf = (id: string): string => id.split(':')[0] ?? id;

/** The switches at both ends of a bad link: that of its subject, and those whose counters are its evidence. */
const endsOf = ({ subject, evidence }: Finding): ReadonlySet<string> =>
  new Set([hostOf(subject.id), ...evidence.flatMap(({ host }) => host ?? [])]);

/**
 * Whether what one host misses from another may be lost on the bad link. Where the way between them is known it must cross the link: a
 * way beside it is another fault, also for hosts on the link's own switch. Else one of the two hangs on an end of it.
 */
const isOnTheWay = (cause: Finding, from: string, to: string | undefined, site: CauseSite): boolean => {
  const way = to === undefined ? 'not known' : site.mayCross(cause.subject.id, from, to);
  if (way !== 'not known') return way === 'yes';
  const ends = endsOf(cause);
  return [from, to].some((name) => name !== undefined && site.switchesOf(name).some((one) => ends.has(one)));
};

/** Whether a port is an end of the link that a finding is about. */
const isAtLink = ({ subject, beside = [], suspects = [] }: Finding, port: string): boolean =>
  [subject, ...beside, ...suspects.slice(0, 1).map((one) => one.subject)].some(({ id }) => id === port);

/** What explains what on the network. */
export const causes: readonly Cause[] = [
  {
    name: 'shut-member',
    causes: ['shut-by-us', 'not-restored'],
    effects: ['lag-member-out'],
    explain: ({ subject }, { evidence }) =>
      evidence.some(({ about = [] }) => about.some(({ id }) => id === subject.id))
        ? `${subject.id} is shut by a console`
        : undefined,
  },
  {
    name: 'same-links',
    causes: ['lag-member-out'],
    effects: ['lag-member-out'],
    explain: (cause, { subject }) =>
      cause.evidence.some(
        ({ values, about = [] }) =>
          values?.['sameLinks'] === true && about.some(({ id }) => id === subject.id),
      )
        ? `${subject.id} is the other end of the same links`
        : undefined,
  },
  {
    // A switch that cuts through sends damaged frames on: they are counted again at every port behind it.
    name: 'passed-on',
    causes: ['bad-link'],
    effects: ['bad-link'],
    explain: (cause, { suspects: [first] = [] }) =>
      first?.cause === 'upstream' &&
      cause.suspects?.[0]?.cause !== 'upstream' &&
      isAtLink(cause, first.subject.id)
        ? `the frames are damaged before ${cause.subject.id} and sent on`
        : undefined,
  },
  {
    name: 'shared-part',
    causes: ['shared-part'],
    effects: ['bad-link'],
    explain: (cause, { suspects: [first] = [] }) =>
      first?.cause === 'shared-part' && cause.members?.some(({ id }) => id === first.subject.id)
        ? `the link shares a bad part of ${cause.subject.id} with others`
        : undefined,
  },
  {
    // One bad member of a LAG: small packets are luckier than jumbo ones, and only some pairs hash onto it.
    name: 'bad-link',
    causes: ['bad-link'],
    effects: ['matrix-jumbo', 'fec'],
    explain: () => 'damaged frames are lost, large ones first',
  },
  {
    name: 'bad-link',
    causes: ['bad-link'],
    effects: 'any',
    explain: (cause, { lacks = [] }, site) => {
      const lost = lacks.some(
        ({ what, of, from }) =>
          what === 'data' &&
          from !== undefined &&
          of.every(({ id }) =>
            from.length === 0
              ? isOnTheWay(cause, id, undefined, site)
              : from.every((one) => isOnTheWay(cause, id, one.id, site)),
          ),
      );
      return lost ? `the way may lead over ${cause.subject.id}` : undefined;
    },
  },
];
