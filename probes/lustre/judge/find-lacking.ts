import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { isProven } from '../read/words.ts';
import { lustreOf } from './join.ts';
import { finding, foldTargets, proof, shortTarget, subjectsOf, summary } from './names.ts';
import type { MdsReading } from '../readings.ts';
import type { FileSystem, OstRow } from './rows.ts';

/** OSTs that the MDTs fill and a client that has the file system mounted does not know: files with objects there can't be read on it. */
export const lackFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [...ofFileSystem(fs, judgement), ...ofMdts(fs, judgement)]);

/**
 * OSTs in use on one MDT and unknown to another that was read just now: it puts no files there. An MDT that knows none is being mounted,
 * and what its reading before did not lack was there.
 */
const ofMdts = ({ osts, mdts }: FileSystem, judgement: Judgement): FindingDraft[] =>
  mdts.flatMap(({ name, host, mdt, stale }): FindingDraft[] => {
    const knows = ({ mdts: all }: OstRow): boolean => all.some((one) => one.mdt === name && one.osp);
    if (!mdt || stale || host === undefined || mdt.stopping || !osts.some(knows)) return [];
    const lacking = osts.filter(
      (ost) =>
        !knows(ost) &&
        !wasKnown(name, ost.name, host, judgement) &&
        ost.mdts.some(({ osp, stale: old }) => !old && osp?.active === true && isFull(osp.state)),
    );
    if (lacking.length === 0) return [];
    const names = lacking.map((ost) => ost.name);
    const short = shortTarget(name);
    return [
      finding({
        key: name,
        kind: 'mdt-lacks',
        severity: 'warning',
        ...subjectsOf(names),
        summary: summary(foldTargets(names), ` not known to ${short} on ${host}: it puts no files there`),
        advice: `${short} learns of a new OST from the MGS: look at the MGC on ${host} (lctl get_param mgc.*.import) and at its kernel log; else mount ${short} again.`,
        evidence: [
          proof(`${host}: ${short} has no osp for ${foldTargets(names)}`, judgement, 'lustre.mds', host),
          ...lacking.flatMap(({ mdts: all }) =>
            all
              .filter(({ osp }) => osp !== undefined)
              .slice(0, 1)
              .map(({ mdt: other }) => {
                const at = mdts.find((one) => one.name === other)?.host;
                return proof(`${shortTarget(other)} fills it`, judgement, 'lustre.mds', at);
              }),
          ),
        ].slice(0, 12),
      }),
    ];
  });

const isFull = (state: string | undefined): boolean => state !== undefined && isProven(state);

/** Its MDS listed it in the reading before: a single answer that lacks it proves nothing. */
const wasKnown = (mdt: string, ost: string, host: string, { readings }: Judgement): boolean =>
  readings
    .source<MdsReading>('lustre.mds', host)
    ?.before[0]?.value.osps.some((one) => one.mdt === mdt && one.ost === ost) === true;

const ofFileSystem = ({ osts, clients: mounted }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const inUse = osts.filter(({ mdts }) =>
    mdts.some(
      ({ osp, stale }) => !stale && osp?.active === true && osp.state !== undefined && isProven(osp.state),
    ),
  );
  // A client none of whose OSTs could be read tells nothing of what it lacks.
  const telling = mounted.filter((host) =>
    osts.some(({ clients }) => clients.some((one) => one.host === host)),
  );
  const lacking = telling.flatMap((host) => {
    const names = inUse
      .filter(({ clients }) => !clients.some((one) => one.host === host))
      .map(({ name }) => name);
    return names.length === 0 ? [] : [{ host, names }];
  });
  return [...Map.groupBy(lacking, ({ names }) => foldTargets(names))].map(([targets, list]): FindingDraft => {
    const hosts = list.map(({ host }) => host);
    const names = list[0]?.names ?? [];
    return finding({
      key: fold(hosts),
      kind: 'client-lacks',
      severity: 'warning',
      ...subjectsOf(names),
      summary: summary(
        targets,
        ` not known to client ${fold(hosts)}: files there can't be read on ${hosts.length === 1 ? 'it' : 'them'}`,
      ),
      advice: `The MDTs put new objects there. A client learns of a new OST from the MGS: look at the MGC on ${fold(hosts)} (lctl get_param mgc.*.import), or mount the file system there again.`,
      evidence: [
        ...hosts.map((host) => proof(`${host}: no osc for ${targets}`, judgement, 'lustre.client', host)),
        ...osts
          .filter(({ name }) => names.includes(name))
          .flatMap(({ name, oss }) =>
            oss === undefined ? [] : [proof(`${name} is mounted on ${oss}`, judgement, 'lustre.oss', oss)],
          ),
      ].slice(0, 12),
      hurt: { nodes: hosts.length },
    });
  });
};
