import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { lustreOf } from './join.ts';
import { finding, foldTargets, proof, subjectsOf, summary } from './names.ts';
import type { OssReading } from '../readings.ts';
import type { FileSystem, MdtRow, OstRow } from './rows.ts';

/** Every MDT that anybody names answers, is not being stopped, and lists OSTs: one that lists none is being mounted. */
const areTelling = (mdts: readonly MdtRow[], osts: readonly OstRow[]): boolean =>
  mdts.length > 0 &&
  mdts.every(
    ({ name, mdt, stale }) =>
      mdt !== undefined &&
      !stale &&
      !mdt.stopping &&
      osts.some(({ mdts: all }) => all.some((one) => one.mdt === name && one.osp !== undefined)),
  );

/** Its server had it in the readings before, too: the MGS tells MDTs and clients of a new one within seconds. */
const isSettled = ({ name, oss = '' }: OstRow, { readings }: Judgement): boolean => {
  const { before = [] } = readings.source<OssReading>('lustre.oss', oss) ?? {};
  return before.length > 0 && before.every(({ value }) => value.osts.some((one) => one.name === name));
};

const isUnused = ({ own, ownStale, mdts, clients }: OstRow): boolean =>
  own !== undefined &&
  !ownStale &&
  !own.stopping &&
  mdts.every(({ osp }) => osp === undefined) &&
  clients.length === 0;

/** OSTs that a server has mounted and that no MDT and no client has: nothing is ever put there, and no count of theirs lacks them. */
export const unusedFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap(({ osts, mdts }: FileSystem) => {
    const unused = areTelling(mdts, osts)
      ? osts.filter((ost) => isUnused(ost) && isSettled(ost, judgement))
      : [];
    return [...Map.groupBy(unused, ({ oss = '' }) => oss)].map(([oss, group]) => {
      const names = group.map(({ name }) => name);
      return finding({
        key: oss,
        kind: 'ost-unused',
        severity: 'notice',
        ...subjectsOf(names),
        summary: summary(
          foldTargets(names),
          ` mounted on ${oss}, but in nobody's configuration: no MDT and no client knows it`,
        ),
        advice: `A new OST is told to MDTs and clients by the MGS: look at the MGC on ${oss} (lctl get_param mgc.*.import) and at the logs of ${oss} and the MGS; mounted again it registers again. One that was taken out (lctl del_ost) can be unmounted.`,
        evidence: [
          ...names.map((name) => proof(`${oss}: ${name} is mounted`, judgement, 'lustre.oss', oss)),
          ...mdts.map(({ name, host, mdt }) =>
            proof(
              `${name} has no osp for it${mdt?.numobd === undefined ? '' : `, and counts ${mdt.numobd} OSTs`}`,
              judgement,
              'lustre.mds',
              host,
            ),
          ),
        ].slice(0, 12),
      });
    });
  });
