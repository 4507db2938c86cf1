import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { lustreOf } from './join.ts';
import {
  finding,
  fsSubject,
  hostSubject,
  mdtSubject,
  ostSubject,
  proof,
  summary,
  suspectsOf,
} from './names.ts';
import { awayStates, isAway, isOut, reachOf, witnessesOf } from './reach.ts';
import type { FileSystem, MdtRow, OstRow } from './rows.ts';
import { serversOf, unlistedAdvice, findMounts } from './servers.ts';

/** File systems of which no target at all is mounted or reached: one thing happened, and it is told once. */
export const unservedFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => (isUnserved(fs) ? [unservedFinding(fs, judgement)] : []));

/** Whether nobody reaches any target of a file system and no server that was read has one: retired OSTs are not missed. */
export const isUnserved = (fs: FileSystem): boolean => {
  const osts = inUse(fs);
  return (
    fs.mdts.length > 0 &&
    osts.length > 0 &&
    fs.mdts.every((mdt) => (!mdt.mdt || mdt.stale) && isOut(mdt, fs)) &&
    osts.every((ost) => (!ost.own || ost.ownStale) && reachOf(ost) === 'unreachable')
  );
};

const inUse = ({ osts }: FileSystem): readonly OstRow[] => osts.filter(({ retired }) => !retired);

const unservedFinding = (fs: FileSystem, judgement: Judgement): FindingDraft => {
  const osts = inUse(fs);
  const targets = [
    ...fs.mdts.map(({ name }) => mdtSubject(name)),
    ...osts.map(({ name }) => ostSubject(name)),
  ];
  const servers = [serversOf('lustre.mds', judgement), serversOf('lustre.oss', judgement)];
  const silent = [...new Set(servers.flatMap((one) => one.silent))];
  const empty = [...new Set(servers.flatMap((one) => one.empty))];
  const all = `${count(fs.mdts.length, 'MDT')} and ${count(osts.length, 'OST')}`;
  return finding({
    key: fs.name,
    kind: 'unserved',
    severity: 'critical',
    subject: fsSubject(fs.name),
    members: targets,
    summary: summary(
      `file system ${fs.name}`,
      silent.length > 0
        ? ` out of reach: none of its ${all} answers; no answer from ${fold(silent)}`
        : fs.served
          ? ` served by nobody: none of its ${all} is mounted`
          : ` out of reach: none of its ${all} answers, no server here has them mounted`,
    ),
    advice: `Everything there waits; clients go on by themselves when it is back and recovery is over. ${adviceOf(fs, silent, empty)}`,
    evidence: [
      ...fs.mdts.slice(0, 4).flatMap((mdt) => mdtProofs(mdt, judgement)),
      ...osts.slice(0, 8).flatMap((ost) => ostProofs(ost, judgement)),
      ...findMounts('lustre.mds', 'MDT', judgement),
      ...findMounts('lustre.oss', 'OST', judgement),
    ],
    breaks: [{ what: 'data', of: targets }],
    lacks: [{ what: 'data', of: targets }],
    ...(silent.length > 0
      ? suspectsOf('host-unreachable', silent.map(hostSubject), 'medium')
      : fs.served
        ? suspectsOf('not-mounted', empty.map(hostSubject), 'medium')
        : {}),
  });
};

/** Operations Manual, "Mounting the file system": the MGS, then MDTs, then OSTs; clients last. */
const adviceOf = (fs: FileSystem, silent: readonly string[], empty: readonly string[]): string => {
  const look = silent.length === 0 ? '' : `Look at ${fold(silent)} first: power, network.`;
  if (!fs.served) return `${unlistedAdvice(fs.name)} ${look}`.trim();
  if (look !== '') return look;
  const where =
    empty.length === 0 ? '' : ` (${fold(empty)} ${empty.length === 1 ? 'has' : 'have'} nothing mounted)`;
  return `If that is not meant, mount the MDTs, then the OSTs${where}.`;
};

const mdtProofs = ({ name, imports }: MdtRow, judgement: Judgement) =>
  imports
    .slice(0, 3)
    .map(({ host, from, state = 'not known' }) =>
      proof(
        `${name} on ${host}: import ${state}`,
        judgement,
        from === undefined ? 'lustre.client' : 'lustre.mds',
        host,
      ),
    );

const ostProofs = (ost: OstRow, judgement: Judgement) => {
  const away = witnessesOf(ost).filter(isAway);
  const host = away.find((one) => one.host !== undefined)?.host;
  return host === undefined
    ? [{ text: `${ost.name}: imports ${awayStates(away)}` }]
    : [proof(`${ost.name} on ${host}: import ${awayStates(away)}`, judgement, 'lustre.client', host)];
};
