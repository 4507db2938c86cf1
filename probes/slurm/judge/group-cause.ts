import type { FindingDraft } from '../../../src/model/finding.ts';
import { mountPlace, type Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Group } from './groups.ts';
import { placeOf } from './place.ts';

/**
 * Who does not respond is out of reach; who was drained for a lost mount goes without what is on its server, or, where the reasons name
 * only the path (`/work not mounted`), without what is mounted there: which of several paths that is, the dependencies tell.
 */
export const lacksOf = (
  { trouble, rawReason, nodes }: Pick<Group, 'trouble' | 'rawReason' | 'nodes'>,
  of: readonly Subject[],
  judgement: Judgement,
): Pick<FindingDraft, 'lacks'> => {
  if (trouble === 'notResponding' || trouble === 'down' || trouble === 'error')
    return { lacks: [{ what: 'reach', of }] };
  if (trouble !== 'drain' || !/nfs|mount|stale/i.test(rawReason)) return {};
  const servers = serversOf(nodes, judgement);
  const mounts = servers.length > 0 ? [] : pathsOf(nodes).map(mountPlace);
  return {
    lacks: [
      { what: 'data', of, from: servers },
      ...mounts.map((place) => ({ what: 'data' as const, of, from: [place] })),
    ],
  };
};

/** What is said beside the name of a mount that is lost; a server may be named for another reason (`reinstalled from nfs1:/images`). */
const wentWrong = /nfs|mount|stale|\bh[au]ng|lost|gone|respond|timed? ?out|reach|fail|dead|down|error/i;

/** Where the fault may lie when it is not in each of the nodes: in the place that they share, or on the servers of mounts that they lost. */
export const suspectsOf = (group: Group, judgement: Judgement): FindingDraft['suspects'] => {
  const together = placeOf(group, judgement);
  const servers =
    group.trouble === 'drain' && wentWrong.test(group.rawReason.replace(/\S+:\/\S*/g, ''))
      ? serversOf(group.nodes, judgement)
      : [];
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

/** What they were taken out for, each text once: those of a group may differ in figures (`/work1`, `/work2`). */
const reasonsOf = (nodes: Group['nodes']): string[] => [...new Set(nodes.map(({ reason = '' }) => reason))];

/** The servers that the reasons name, where each of them names one. */
const serversOf = (nodes: Group['nodes'], judgement: Judgement): Subject[] => {
  const found = reasonsOf(nodes).map((reason) => serversIn(reason, judgement));
  return found.some((servers) => servers.length === 0)
    ? []
    : [...new Map(found.flat().map((server) => [server.id, server])).values()];
};

/** `nfs1:/home` in a reason names the server of a mount, where it is a host of the site. */
const serversIn = (reason: string, { site }: Judgement): Subject[] =>
  [...reason.matchAll(/([A-Za-z0-9][A-Za-z0-9.-]*):\//g)].flatMap(
    ([, name]) => site.resolve('host', name ?? '') ?? [],
  );

/** Paths that the reasons of all of them name. */
const pathsOf = (nodes: Group['nodes']): readonly string[] => {
  const [first = [], ...others] = reasonsOf(nodes).map(pathsIn);
  return first.filter((path) => others.every((paths) => paths.includes(path)));
};

/** Whole paths: `/work` of `check_fs_mount: /work not mounted`, none of `nfs1:/work`. */
const paths = /(?<![\w:/.-])\/[\w./-]*\w/g;

/** Paths that a reason names. */
export const pathsIn = (reason: string): readonly string[] => [...new Set(reason.match(paths))];
