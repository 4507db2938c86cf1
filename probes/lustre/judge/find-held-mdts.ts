import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { lustreOf } from './join.ts';
import { shortTarget, finding, mdtSubject, proof, summary } from './names.ts';
import type { FileSystem, MdtRow } from './rows.ts';

/**
 * MDTs that other MDTs hold inactive (`osp.FS-MDTxxxx-osp-MDTyyyy.active=0`), as before one is removed (Operations Manual, "Removing an
 * MDT from the File System") or as left behind: renames and links to it fail. Held by some and used by others it is half done.
 */
export const heldMdtFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => fs.mdts.flatMap((mdt) => heldFinding(mdt, fs, judgement)));

const heldFinding = ({ name, imports }: MdtRow, fs: FileSystem, judgement: Judgement): FindingDraft[] => {
  const seen = imports.filter(({ from, active }) => from !== undefined && active !== undefined);
  const namesByHeld = (held: boolean): string[] =>
    seen.flatMap(({ from, active }) => (from !== undefined && active === !held ? [from] : []));
  const [holding, using] = [namesByHeld(true), namesByHeld(false)];
  if (holding.length === 0) return [];
  const silent = fs.mdts
    .map((one) => one.name)
    .filter((one) => one !== name && !holding.includes(one) && !using.includes(one));
  const names = (list: readonly string[]): string => fold(list.map(shortTarget));
  const rest = [
    ...(using.length > 0 ? [`${names(using)} ${using.length === 1 ? 'uses' : 'use'} it`] : []),
    ...(silent.length > 0 ? [`${names(silent)} not read`] : []),
  ];
  return [
    finding({
      key: name,
      kind: 'mdt-inactive',
      severity: using.length > 0 ? 'warning' : 'notice',
      subject: mdtSubject(name),
      summary: summary(
        name,
        ` held inactive by ${names(holding)} (active=0)${rest.length > 0 ? `; ${rest.join(', ')}` : ''}`,
      ),
      advice:
        'Renames and hard links between it and these MDTs fail, and they put no new directories there. If it is not to be removed, set osp.*.active=1 for it on their MDSs.',
      evidence: seen.map(({ host, from, active, state }) =>
        proof(
          `${name} on ${shortTarget(from ?? '')} (${host}): active=${Number(active)}, import ${state ?? 'not known'}`,
          judgement,
          'lustre.mds',
          host,
        ),
      ),
    }),
  ];
};
