import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { lustreOf } from './join.ts';
import type { FileSystem, OstRow } from './rows.ts';
import {
  finding,
  shortTarget,
  foldTargets,
  fsSubject,
  ostSubject,
  proof,
  subjectsOf,
  summary,
} from './names.ts';

/** Views that differ: MDTs among themselves, all from the number that the MDTs count. */
export const viewFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [
    ...findDisagreeing(fs, judgement),
    ...findUnnamed(fs, judgement),
  ]);

/** What an MDT was told about an OST, in words. */
const toldText = ({ osp }: OstRow['mdts'][number]): string | undefined => {
  if (!osp) return undefined;
  if (osp.active === false) return 'active=0';
  return osp.maxCreateCount === 0 ? 'max_create_count=0' : 'in use';
};

const findDisagreeing = ({ name, osts, mdts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const hostOf = (mdt: string): string | undefined => mdts.find((one) => one.name === mdt)?.host;
  const differing = osts.filter((ost) => new Set(ost.mdts.flatMap((one) => toldText(one) ?? [])).size > 1);
  const thresholds = new Map(
    mdts.flatMap((one) => (one.mdt?.thresholdPct === undefined ? [] : [[one.name, one.mdt.thresholdPct]])),
  );
  const [first] = differing;
  return [
    ...(first
      ? [
          finding({
            key: name,
            kind: 'mdts-disagree',
            severity: 'warning',
            ...subjectsOf(differing.map((ost) => ost.name)),
            summary: summary(
              foldTargets(differing.map((ost) => ost.name)),
              `: MDTs disagree: ${first.mdts.map((one) => `${shortTarget(one.mdt)} ${toldText(one) ?? '?'}`).join(', ')}`,
            ),
            advice:
              'A parameter set on one MDS counts for the MDTs of that server only: set it on all, or take it back.',
            evidence: differing
              .slice(0, 8)
              .flatMap((ost) =>
                ost.mdts.map((one) =>
                  proof(
                    `${ost.name} on ${shortTarget(one.mdt)}: ${toldText(one) ?? 'not read'}`,
                    judgement,
                    'lustre.mds',
                    hostOf(one.mdt),
                  ),
                ),
              ),
            remedies: [
              { action: 'lustre.stop-creates', subjects: differing.map((ost) => ostSubject(ost.name)) },
              { action: 'lustre.resume-creates', subjects: differing.map((ost) => ostSubject(ost.name)) },
            ],
          }),
        ]
      : []),
    ...(new Set(thresholds.values()).size > 1
      ? [
          finding({
            key: `${name}:qos`,
            kind: 'mdts-disagree',
            severity: 'warning',
            subject: fsSubject(name),
            summary: summary(
              name,
              `: MDTs disagree on qos_threshold_rr: ${[...thresholds].map(([mdt, value]) => `${shortTarget(mdt)} ${value} %`).join(', ')}`,
            ),
            evidence: [...thresholds].map(([mdt, value]) =>
              proof(`${shortTarget(mdt)}: qos_threshold_rr=${value}%`, judgement, 'lustre.mds', hostOf(mdt)),
            ),
            remedies: [{ action: 'lustre.qos', subjects: [fsSubject(name)] }],
          }),
        ]
      : []),
  ];
};

const findUnnamed = ({ name, unnamed: missing, mdts }: FileSystem, judgement: Judgement): FindingDraft[] =>
  missing === 0
    ? []
    : [
        finding({
          key: name,
          kind: 'unnamed',
          severity: 'notice',
          subject: fsSubject(name),
          summary: summary(name, `: the MDTs count ${count(missing, 'OST')} that no server or client names`),
          evidence: mdts.map((mdt) =>
            proof(
              `${shortTarget(mdt.name)}: numobd=${mdt.mdt?.numobd ?? '?'}`,
              judgement,
              'lustre.mds',
              mdt.host,
            ),
          ),
        }),
      ];
