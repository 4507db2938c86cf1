import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { MdsReading, OssReading } from '../readings.ts';
import { readingsBefore } from './connecting.ts';
import { finding, hostSubject, isMdt, mdtSubject, ostSubject, proof, summary, suspectsOf } from './names.ts';

interface Mounted {
  name: string;
  host: string;
  /** In an earlier reading as well: no fail-over that passed between two answers. */
  lasts: boolean;
  /** Its connections to management servers (MGC10.10.0.1@o2ib): a file system has one, whose name all its servers have. */
  mgcs: ReadonlySet<string>;
}

/**
 * A target that two servers have mounted at once: both write to one disk. Multiple mount protection (ldiskfs `mmp`, ZFS `multihost`)
 * prevents it where it is on. During a fail-over the answer of one server may be older than the mount on the other.
 */
export const twiceFindings = (judgement: Judgement): FindingDraft[] => {
  const mounted = ['lustre.mds', 'lustre.oss'].flatMap((probe) =>
    judgement.readings.sources<MdsReading | OssReading>(probe).flatMap(mountedOn),
  );
  return [...Map.groupBy(mounted, ({ name }) => name)].flatMap(([name, list]): FindingDraft[] => {
    const hosts = [...new Set(list.map(({ host }) => host))];
    if (hosts.length < 2) return [];
    const apart = haveNoMgsInCommon(list);
    const lasts = !apart && list.every((one) => one.lasts);
    return [
      finding({
        key: name,
        kind: 'mounted-twice',
        severity: lasts ? 'critical' : 'notice',
        subject: isMdt(name) ? mdtSubject(name) : ostSubject(name),
        summary: summary(
          name,
          lasts
            ? ` mounted on ${hosts.join(' and ')} at once: both write to its disk`
            : apart
              ? ` listed by ${hosts.join(' and ')}, which have different MGS: two file systems of one name?`
              : ` listed by ${hosts.join(' and ')}: fail-over under way, or mounted twice`,
        ),
        advice: lasts
          ? `Unmount it on the server where clients do not use it, now, and check it (e2fsck -fn, zpool status) before it is mounted again; see why multiple mount protection let it pass.`
          : apart
            ? 'Compare their disks (mount -t lustre). If these are two file systems, give each a site file of its own: targets of one name count as one here.'
            : 'Seen once: a fail-over looks like this. The next reading decides.',
        evidence: hosts.map((host) =>
          proof(`${host} has ${name} mounted`, judgement, isMdt(name) ? 'lustre.mds' : 'lustre.oss', host),
        ),
        ...(lasts && suspectsOf('mounted-twice', hosts.map(hostSubject), 'medium')),
      }),
    ];
  });
};

/** Whether each of them names an MGS, and two name none that is the same. */
const haveNoMgsInCommon = (list: readonly Mounted[]): boolean =>
  list.every(({ mgcs }) => mgcs.size > 0) &&
  list.some((one) => list.some((other) => one.mgcs.isDisjointFrom(other.mgcs)));

const mountedOn = ({ host, state, good, before }: Source<MdsReading | OssReading>): Mounted[] => {
  if (state !== 'fresh' || !good) return [];
  const earlier = readingsBefore(good, before).map(({ value }) => new Set(namesIn(value)));
  const mgcs = new Set(good.value.mgcs.map(({ name }) => name));
  return namesIn(good.value).map((name) => ({
    name,
    host,
    lasts: earlier.some((names) => names.has(name)),
    mgcs,
  }));
};

const namesIn = (value: MdsReading | OssReading): string[] =>
  ('mdts' in value ? value.mdts : value.osts).map(({ name }) => name);
