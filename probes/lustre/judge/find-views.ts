import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { reachOf } from './find-reach.ts';
import { lustreOf } from './join.ts';
import type { FileSystem, OstRow } from './rows.ts';
import { finding, bare, foldTargets, fsSubject, ostSubject, proof, subjectsOf, summary } from './names.ts';

/** Views that differ: MDTs among themselves, clients from the MDTs, both from the list that is expected. */
export const viewFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [
    ...disagreeing(fs, judgement),
    ...clientInactive(fs, judgement),
    ...clientCut(fs, judgement),
    ...unnamed(fs, judgement),
  ]);

/** What an MDT was told about an OST, in words. */
const told = ({ osp }: OstRow['mdts'][number]): string | undefined => {
  if (!osp) return undefined;
  if (osp.active === false) return 'active=0';
  return osp.maxCreateCount === 0 ? 'max_create_count=0' : 'in use';
};

const disagreeing = ({ name, osts, mdts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const hostOf = (mdt: string): string | undefined => mdts.find((one) => one.name === mdt)?.host;
  const differing = osts.filter((ost) => new Set(ost.mdts.flatMap((one) => told(one) ?? [])).size > 1);
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
              `: MDTs disagree: ${first.mdts.map((one) => `${bare(one.mdt)} ${told(one) ?? '?'}`).join(', ')}`,
            ),
            advice:
              'A parameter set on one MDS counts for the MDTs of that server only: set it on all, or take it back.',
            evidence: differing
              .slice(0, 8)
              .flatMap((ost) =>
                ost.mdts.map((one) =>
                  proof(
                    `${ost.name} on ${bare(one.mdt)}: ${told(one) ?? 'not read'}`,
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
              `: MDTs disagree on qos_threshold_rr: ${[...thresholds].map(([mdt, value]) => `${bare(mdt)} ${value} %`).join(', ')}`,
            ),
            evidence: [...thresholds].map(([mdt, value]) =>
              proof(`${bare(mdt)}: qos_threshold_rr=${value}%`, judgement, 'lustre.mds', hostOf(mdt)),
            ),
            remedies: [{ action: 'lustre.qos', subjects: [fsSubject(name)] }],
          }),
        ]
      : []),
  ];
};

const clientInactive = ({ osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const pairs = osts.flatMap((ost) =>
    ost.clients.filter(({ active }) => active === false).map(({ host }) => ({ host, ost })),
  );
  return [...Map.groupBy(pairs, ({ host }) => host)].map(([host, list]): FindingDraft => {
    const names = list.map(({ ost }) => ost.name);
    const alone = list.every(({ ost }) => ost.mdts.every(({ osp }) => osp?.active !== false));
    return finding({
      key: host,
      kind: 'client-inactive',
      severity: 'warning',
      ...subjectsOf(names),
      summary: summary(
        foldTargets(names),
        ` inactive on client ${host}: files there give I/O errors${alone ? '; the MDTs still use it' : ''}`,
      ),
      advice: `If nobody means it so: set osc.*.active=1 on ${host} for it.`,
      evidence: list
        .slice(0, 12)
        .map(({ ost }) => proof(`${ost.name}: osc active=0 on ${host}`, judgement, 'lustre.client', host)),
      hurt: { nodes: 1 },
    });
  });
};

/** A client that has lost OSTs which everybody else reaches. */
const clientCut = ({ osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const pairs = osts
    .filter((ost) => reachOf(ost) === 'fine')
    .flatMap((ost) =>
      ost.clients
        .filter(
          ({ state, active }) =>
            state !== undefined && state !== 'FULL' && state !== 'IDLE' && active !== false,
        )
        .map(({ host, state }) => ({ host, state, ost })),
    );
  return [...Map.groupBy(pairs, ({ host }) => host)].map(([host, list]): FindingDraft => {
    const names = list.map(({ ost }) => ost.name);
    return finding({
      key: host,
      kind: 'client-cut',
      severity: 'warning',
      ...subjectsOf(names),
      summary: summary(
        foldTargets(names),
        ` out of reach of ${host} only: everybody else reaches ${names.length === 1 ? 'it' : 'them'}`,
      ),
      evidence: list
        .slice(0, 12)
        .map(({ ost, state }) =>
          proof(`${ost.name}: import ${state} on ${host}`, judgement, 'lustre.client', host),
        ),
      lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }],
      hurt: { nodes: 1 },
    });
  });
};

const unnamed = ({ name, unnamed: missing, mdts }: FileSystem, judgement: Judgement): FindingDraft[] =>
  missing === 0
    ? []
    : [
        finding({
          key: name,
          kind: 'unnamed',
          severity: 'notice',
          subject: fsSubject(name),
          summary: summary(name, `: the MDTs count ${count(missing, 'OST')} more than anybody names`),
          evidence: mdts.map((mdt) =>
            proof(`${bare(mdt.name)}: numobd=${mdt.mdt?.numobd ?? '?'}`, judgement, 'lustre.mds', mdt.host),
          ),
        }),
      ];
