import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { groupThousands, percent } from '../../../src/text/units.ts';
import { limitsOf } from '../settings.ts';
import { isSpaceShort } from './find-space.ts';
import { hurtMounts } from './hurt-clients.ts';
import { lustreOf } from './join.ts';
import type { FileSystem, MdtRow, OstRow } from './rows.ts';
import {
  finding,
  foldTargets,
  fsSubject,
  mdtSubject,
  ostSubject,
  proof,
  subjectsOf,
  summary,
  suspectsOf,
} from './names.ts';

/** MDTs short of space or inodes, and OSTs short of inodes. */
export const inodeFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [
    ...fs.mdts.flatMap((mdt) => mdtFinding(mdt, fs, judgement)),
    ...ostFinding(fs, judgement),
  ]);

/** An MDT without space or inodes takes no new file: every file has an inode there, whatever room its OSTs have. */
const mdtFinding = ({ name, host, usage }: MdtRow, fs: FileSystem, judgement: Judgement): FindingDraft[] => {
  const limit = limitsOf(judgement.site, fs.name).full;
  const { used, kbAvail, filesUsed, filesFree, probe = 'lustre.mds' } = usage;
  const noSpace = kbAvail === 0;
  const noInodes = filesFree === 0 && filesUsed !== undefined;
  const short = [
    ...(noSpace || (used ?? 0) >= limit ? [`${percent(used ?? 1)} of its space used`] : []),
    ...(noInodes || (filesUsed ?? 0) >= limit ? [`${percent(filesUsed ?? 1)} of its inodes used`] : []),
  ];
  if (short.length === 0) return [];
  const full = noSpace || noInodes;
  const only = fs.mdts.length === 1;
  const effect = full ? `: nothing can be created ${only ? `on ${fs.name}` : 'there'}` : '';
  return [
    finding({
      key: name,
      kind: 'mdt-full',
      severity: full ? 'critical' : 'warning',
      subject: mdtSubject(name),
      ...(full && { ...hurtMounts(fs), loss: 1 }),
      summary: summary(
        `${name}${host === undefined ? '' : ` on ${host}`}`,
        ` ${full ? 'full' : 'nearly full'} (${short.join(', ')})${effect}`,
      ),
      advice:
        'Every file and directory takes an inode and a little space on its MDT, however large it is. Remove many small files, deregister changelog users that nobody reads (lctl get_param mdd.*.changelog_users), or give new directories to another MDT (lfs mkdir -i).',
      evidence: [
        proof(
          `${name}: ${short.join(', ')}${kbAvail === undefined ? '' : `, ${groupThousands(kbAvail)} KiB available`}${filesFree === undefined ? '' : `, ${groupThousands(filesFree)} inodes free`}`,
          judgement,
          probe,
          usage.host,
        ),
      ],
      ...suspectsOf(noSpace || (!noInodes && (used ?? 0) >= limit) ? 'full' : 'inodes-full', [
        mdtSubject(name),
      ]),
      breaks: full ? [{ what: 'space', of: [fsSubject(fs.name)] }] : undefined,
    }),
  ];
};

/** 0 of 0: a backend that tells no number of inodes. Without a total 0 free is the letter I of `lfs df`: there are none. */
const shareOf = ({ filesTotal, filesFree }: OstRow): number => {
  if (filesFree === undefined || filesTotal === 0) return 0;
  if (filesFree === 0) return 1;
  return filesTotal === undefined ? 0 : (filesTotal - filesFree) / filesTotal;
};

/** OSTs short of inodes that have room: where the room is short too, that is told (on ZFS the one follows from the other). */
const ostFinding = ({ name: fs, osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const limit = limitsOf(judgement.site, fs).full;
  const short = osts.filter((ost) => !ost.retired && shareOf(ost) >= limit && !isSpaceShort(ost, judgement));
  const none = short.filter(({ filesFree }) => filesFree === 0);
  const shown = none.length > 0 ? none : short;
  if (shown.length === 0) return [];
  const names = shown.map(({ name }) => name);
  const worst = Math.max(...shown.map(shareOf));
  return [
    finding({
      key: fs,
      kind: 'inodes',
      severity: none.length > 0 ? 'critical' : 'warning',
      ...subjectsOf(names),
      summary: summary(
        foldTargets(names),
        none.length > 0
          ? ` out of inodes (0 free): no new objects there, though there is space`
          : ` nearly out of inodes: ${percent(worst)} used${names.length > 1 ? ' at most' : ''}`,
      ),
      advice:
        'Each object takes an inode of the OST: move files with many objects off it, or remove small ones. The number of inodes is set when an ldiskfs OST is formatted.',
      ...suspectsOf('inodes-full', names.map(ostSubject)),
      evidence: short
        .slice(0, 12)
        .map((ost) =>
          proof(
            `${ost.name}: ${groupThousands(ost.filesFree ?? 0)} of ${ost.filesTotal === undefined ? '?' : groupThousands(ost.filesTotal)} inodes free`,
            judgement,
            ost.ownStale ? 'lustre.mds' : 'lustre.oss',
            ost.ownStale ? undefined : ost.oss,
          ),
        ),
    }),
  ];
};
