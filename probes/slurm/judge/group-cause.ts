import type { FindingDraft } from '../../../src/model/finding.ts';
import { mountPlace, type Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Group } from './groups.ts';
import { placeOf } from './place.ts';

/**
 * Who does not respond is out of reach; who was drained for a lost mount goes without what is on its server, or, where the reason names
 * only the path (`/work not mounted`), without what is mounted there: which of several paths that is, the dependencies tell.
 */
export const lacksOf = (
  { trouble, rawReason }: Group,
  of: readonly Subject[],
  judgement: Judgement,
): Pick<FindingDraft, 'lacks'> => {
  if (trouble === 'notResponding' || trouble === 'down' || trouble === 'error')
    return { lacks: [{ what: 'reach', of }] };
  if (trouble !== 'drain' || !/nfs|mount|stale/i.test(rawReason)) return {};
  const servers = serversIn(rawReason, judgement);
  const mounts = servers.length > 0 ? [] : pathsIn(rawReason).map(mountPlace);
  return {
    lacks: [
      { what: 'data', of, from: servers },
      ...mounts.map((place) => ({ what: 'data' as const, of, from: [place] })),
    ],
  };
};

/** Where the fault may lie when it is not in each of the nodes: in the place that they share, or on the server of a mount that they lost. */
export const suspectsOf = (group: Group, judgement: Judgement): FindingDraft['suspects'] => {
  const together = placeOf(group, judgement);
  const servers = group.trouble === 'drain' ? serversIn(group.rawReason, judgement) : [];
  const found = [
    ...servers.map((subject) => ({ subject, cause: 'mount-lost', confidence: 'medium' as const })),
    ...(together
      ? [
          {
            subject: { kind: 'place' as const, id: together.id },
            cause: 'place-lost',
            confidence: together.withinMs === undefined ? ('low' as const) : ('medium' as const),
          },
        ]
      : []),
  ];
  return found.length > 0 ? found : undefined;
};

/** `nfs1:/home` in a reason names the server of a mount, where it is a host of the site. */
const serversIn = (reason: string, { site }: Judgement): Subject[] =>
  [...reason.matchAll(/([A-Za-z0-9][A-Za-z0-9.-]*):\//g)].flatMap(
    ([, name]) => site.resolve('host', name ?? '') ?? [],
  );

/** Whole paths: `/work` of `check_fs_mount: /work not mounted`, none of `nfs1:/work`. */
const paths = /(?<![\w:/.-])\/[\w./-]*\w/g;

/** Paths that a reason names. */
export const pathsIn = (reason: string): readonly string[] => [...new Set(reason.match(paths))];
