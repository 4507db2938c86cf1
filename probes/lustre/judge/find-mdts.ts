import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { lustreOf, mdtOf } from './join.ts';
import type { FileSystem, MdtRow, MdtView } from './rows.ts';
import {
  shortTarget,
  finding,
  foldTargets,
  hostSubject,
  indexOf,
  mdtSubject,
  proof,
  summary,
  suspectsOf,
} from './names.ts';
import { hurtMounts } from './hurt-clients.ts';
import { isAway, isOut, mdtReachOf } from './reach.ts';
import { isUnserved } from './find-unserved.ts';
import { serversOf, unlistedAdvice, findMounts } from './servers.ts';

/** MDTs out of everybody's reach, mounted nowhere, or lost by one other MDT. What one client has lost is told of the client. */
export const mdtFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => {
    if (isUnserved(fs)) return [];
    const away = fs.mdts.filter((mdt) => isOut(mdt, fs));
    const groups = Map.groupBy(away, (mdt) => `${mdt.host ?? ''} ${whereOf(mdt, fs, judgement)}`);
    return [
      ...[...groups.values()].map((group) => unreachableFinding(fs, group, judgement)),
      ...unmountedFindings(fs, judgement),
      ...peerFindings(fs, judgement),
    ];
  });

const whereOf = ({ mdt, host, stale }: MdtRow, { served }: FileSystem, judgement: Judgement): string => {
  if (mdt && !stale)
    return mdt.stopping ? `being stopped on ${host} (device ST)` : `mounted on ${host}, which nobody reaches`;
  const { all, silent } = serversOf('lustre.mds', judgement);
  if (served && all > 0 && silent.length === 0) return 'mounted on no MDS';
  if (host !== undefined) return `was on ${host}, no answer from there`;
  return silent.length === 0 ? 'its MDS is not known' : `no answer from ${silent.slice(0, 3).join(', ')}`;
};

/** The root of a file system is on MDT0000: without it no path is found, without another one its directories are missed. */
const effectOf = (fs: string, mdts: readonly MdtRow[]): string =>
  mdts.some(({ name }) => indexOf(name) === 0) ? `file system ${fs} out of reach` : 'directories there hang';

const unreachableFinding = (fs: FileSystem, mdts: readonly MdtRow[], judgement: Judgement): FindingDraft => {
  const names = mdts.map(({ name }) => name);
  const [first] = mdts;
  const known = fs.served || serversOf('lustre.mds', judgement).silent.length > 0;
  const where = first ? whereOf(first, fs, judgement) : '';
  return finding({
    key: foldTargets(names),
    kind: 'mdt-unreachable',
    severity: 'critical',
    subject: mdtSubject(foldTargets(names)),
    members: names.map(mdtSubject),
    ...hurtMounts(fs),
    loss: 1,
    summary: summary(foldTargets(names), ` unreachable, ${effectOf(fs.name, mdts)}: ${where}`),
    advice: `Every open, create and remove there waits; clients go on by themselves when it is back and recovery is over. ${known ? 'Look at its MDS: power, network, LNet, whether the MDT is mounted or its partner should have taken it over.' : unlistedAdvice(fs.name)}`,
    evidence: [
      ...mdts.flatMap((mdt) => mdt.imports.slice(0, 8).map((seen) => importProof(mdt.name, seen, judgement))),
      ...findMounts('lustre.mds', 'MDT', judgement),
    ],
    breaks: [{ what: 'data', of: names.map(mdtSubject) }],
    lacks: [{ what: 'data', of: names.map(mdtSubject) }],
    ...suspectsAt(first, fs, judgement),
  });
};

/** The host where it is mounted, or was, or those that do not answer and may have it. */
const suspectsAt = (
  mdt: MdtRow | undefined,
  { served }: FileSystem,
  judgement: Judgement,
): Pick<FindingDraft, 'suspects'> => {
  if (mdt?.mdt?.stopping && !mdt.stale) return {};
  if (mdt?.mdt && !mdt.stale && mdt.host !== undefined)
    return suspectsOf('network', [hostSubject(mdt.host)], 'medium');
  const { silent, empty } = serversOf('lustre.mds', judgement);
  if (silent.length > 0) return suspectsOf('host-unreachable', silent.map(hostSubject), 'medium');
  return !served ? {} : suspectsOf('not-mounted', empty.map(hostSubject), 'medium');
};

const importProof = (
  name: string,
  { host, from, state, active }: MdtView,
  judgement: Judgement,
): EvidenceDraft =>
  proof(
    `${name} on ${from === undefined ? host : `${shortTarget(from)} (${host})`}: import ${state ?? 'not known'}${active === false ? ', inactive' : ''}`,
    judgement,
    from === undefined ? 'lustre.client' : 'lustre.mds',
    host,
  );

/** Known of by OSTs alone, while every MDS answers and none has an MDT of this file system: nobody was asked who would miss it. */
const unmountedFindings = ({ name: fs, mdts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const { all, silent } = serversOf('lustre.mds', judgement);
  const missing = mdts.filter(({ imports, mdt, stale }) => imports.length === 0 && (!mdt || stale));
  if (all === 0 || silent.length > 0 || missing.length === 0 || missing.length < mdts.length) return [];
  const names = missing.map(({ name }) => name);
  return [
    finding({
      key: foldTargets(names),
      kind: 'mdt-unmounted',
      severity: 'critical',
      subject: mdtSubject(foldTargets(names)),
      members: names.map(mdtSubject),
      summary: summary(foldTargets(names), ` mounted on no MDS: ${effectOf(fs, missing)}`),
      advice: 'The OSTs of this file system know the MDT, and no MDS of the site has it mounted.',
      evidence: findMounts('lustre.mds', 'MDT', judgement),
      breaks: [{ what: 'data', of: names.map(mdtSubject) }],
    }),
  ];
};

/** An MDT that can't reach another one which others reach: what spans both hangs. */
const peerFindings = ({ mdts }: FileSystem, judgement: Judgement): FindingDraft[] =>
  mdts
    .filter((mdt) => mdtReachOf(mdt) === 'cut')
    .flatMap((mdt) =>
      mdt.imports.flatMap((seen): FindingDraft[] => {
        const { from, host, state, active } = seen;
        if (from === undefined || state === undefined || active === false || !isAway({ state })) return [];
        const other = mdtOf(mdt.name, judgement)?.host;
        return [
          finding({
            key: `${from}:${mdt.name}`,
            kind: 'mdt-cut',
            severity: 'warning',
            subject: mdtSubject(from),
            summary: summary(
              from,
              ` on ${host} can't reach ${shortTarget(mdt.name)}${other === undefined ? '' : ` on ${other}`}, which others reach`,
            ),
            ...suspectsOf('network', [hostSubject(host)], 'medium'),
            advice: `Renames and directories that span both MDTs hang. Look at the network between ${host} and ${other ?? 'its MDS'}.`,
            evidence: mdt.imports.slice(0, 8).map((one) => importProof(mdt.name, one, judgement)),
          }),
        ];
      }),
    );
