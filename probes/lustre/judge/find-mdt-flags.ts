import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { hurtMounts } from './hurt-clients.ts';
import { lustreOf } from './join.ts';
import { finding, foldTargets, mdtSubject, proof, shortTarget, summary } from './names.ts';
import type { FileSystem, MdtRow } from './rows.ts';

/** MDTs that take no new files, by order or because their backend is read-only: as of OSTs, the server's word and the letters of `lfs df`. */
export const mdtFlagFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [
    ...readOnlyFinding(
      fs,
      fs.mdts.filter((mdt) => hasLetter(mdt, 'R')),
      judgement,
    ),
    ...noCreateFinding(fs, fs.mdts.filter(takesNone), judgement),
  ]);

const hasLetter = ({ letters }: MdtRow, letter: string): boolean => letters?.flags.includes(letter) ?? false;

/** What the MDS says itself outranks what a client saw of it. */
const takesNone = (row: MdtRow): boolean =>
  (row.stale ? undefined : row.mdt?.noCreate) ?? hasLetter(row, 'N');

const nameWithHost = (mdts: readonly MdtRow[]): string => {
  const [only] = mdts;
  const on = mdts.length === 1 && only?.host !== undefined ? ` on ${only.host}` : '';
  return `${foldTargets(mdts.map(({ name }) => name))}${on}`;
};

const letterProof = ({ name, letters }: MdtRow, judgement: Judgement) =>
  letters ? [proof(`${name}: flags ${letters.flags} in lfs df`, judgement, 'lustre.df', letters.host)] : [];

const readOnlyFinding = (fs: FileSystem, mdts: readonly MdtRow[], judgement: Judgement): FindingDraft[] =>
  mdts.length === 0
    ? []
    : [
        finding({
          key: fs.name,
          kind: 'mdt-read-only',
          severity: 'critical',
          subject: mdtSubject(foldTargets(mdts.map(({ name }) => name))),
          members: mdts.map(({ name }) => mdtSubject(name)),
          ...hurtMounts(fs),
          summary: summary(
            nameWithHost(mdts),
            ' read-only: nothing can be created, renamed or removed there',
          ),
          advice:
            'The backend of an MDT goes read-only after errors of its disks or its file system: look at the kernel lines of the MDS and at the disks below before anything is mounted anew; a check (e2fsck) may be due. What is read goes on.',
          evidence: mdts.flatMap((mdt) => letterProof(mdt, judgement)),
        }),
      ];

const noCreateFinding = (fs: FileSystem, mdts: readonly MdtRow[], judgement: Judgement): FindingDraft[] => {
  if (mdts.length === 0) return [];
  const others = fs.mdts.filter((mdt) => !mdts.includes(mdt));
  const where =
    others.length === 0
      ? 'no MDT is left for new files'
      : `new files and directories go to ${others.length === 1 ? shortTarget(others[0]?.name ?? '') : 'the others'}`;
  return [
    finding({
      key: fs.name,
      kind: 'mdt-no-create',
      severity: others.length === 0 ? 'warning' : 'notice',
      subject: mdtSubject(foldTargets(mdts.map(({ name }) => name))),
      members: mdts.map(({ name }) => mdtSubject(name)),
      summary: summary(nameWithHost(mdts), `: no_create is set, ${where}`),
      advice: `The flag looks deliberate (a migration, an MDT that is to be emptied); when the work is over: ${mdts.map(({ name }) => `lctl set_param mdt.${name}.no_create=0`).join(', ')} on its MDS.`,
      evidence: mdts.flatMap((mdt) => [
        ...(mdt.mdt?.noCreate === true
          ? [proof(`mdt.${mdt.name}.no_create=1`, judgement, 'lustre.mds', mdt.host)]
          : []),
        ...(hasLetter(mdt, 'N') ? letterProof(mdt, judgement) : []),
      ]),
      deliberate: true,
    }),
  ];
};
