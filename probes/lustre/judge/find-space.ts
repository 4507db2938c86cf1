import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { percent } from '../../../src/text/units.ts';
import { hurtClients } from './hurt-clients.ts';
import { lustreOf } from './join.ts';
import type { FileSystem, OstRow } from './rows.ts';
import {
  finding,
  shortTarget,
  foldTargets,
  fsOf,
  fsSubject,
  ostSubject,
  proof,
  subjectsOf,
  summary,
} from './names.ts';
import { limitsOf } from '../settings.ts';

/** OSTs nearly full, free space so uneven that the allocator weighs it, read-only OSTs. */
export const spaceFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [
    ...fullFinding(fs, judgement),
    ...imbalanceFinding(fs, judgement),
    ...readOnlyFinding(fs, judgement),
  ]);

/** Over the fill limit, or without any space. */
export const isSpaceShort = ({ name, used, kbAvail }: OstRow, { site }: Judgement): boolean =>
  (used ?? 0) >= limitsOf(site, fsOf(name)).full || kbAvail === 0;

/** From here on an OST counts as full when all are: what is left goes in minutes, and no other one takes the rest. */
const wholeFull = 0.99;

const fullFinding = ({ name, osts: all }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const osts = all.filter(({ retired }) => !retired);
  const full = osts.filter((ost) => isSpaceShort(ost, judgement));
  const [first] = full;
  if (!first) return [];
  const worst = full.reduce((a, b) => ((b.used ?? 1) > (a.used ?? 1) ? b : a));
  const noSpace = full.some(
    ({ mdts, kbAvail }) => kbAvail === 0 || mdts.some(({ osp }) => osp?.prealloc === -28),
  );
  const whole = osts.every(({ used, kbAvail }) => (used ?? 0) >= wholeFull || kbAvail === 0);
  const least = Math.min(...full.map(({ used }) => used ?? 1));
  return [
    finding({
      key: name,
      kind: 'full',
      severity: noSpace || whole ? 'critical' : 'warning',
      ...subjectsOf(full.map((ost) => ost.name)),
      // Nearly full hurts nobody yet.
      ...(noSpace || whole
        ? hurtClients(
            full.map((ost) => ost.name),
            judgement,
          )
        : {}),
      summary: summary(
        foldTargets(full.map((ost) => ost.name)),
        whole
          ? `: file system ${name} is full, every OST ${percent(least)} used or more`
          : ` ${noSpace ? 'full' : 'nearly full'}: ${percent(worst.used ?? 1)} used${full.length > 1 ? ' at most' : ''}`,
      ),
      advice: whole
        ? `No OST has room: files must be removed, or OSTs added. Nothing is gained by moving files.`
        : 'Files striped over a full OST get ENOSPC while others have room: stop creates there and move files off it.',
      evidence: full
        .slice(0, 12)
        .map((ost) => proof(`${ost.name}: ${percent(ost.used ?? 1)} used`, judgement, 'lustre.oss', ost.oss)),
      remedies: whole
        ? []
        : [{ action: 'lustre.stop-creates', subjects: full.map((ost) => ostSubject(ost.name)) }],
    }),
  ];
};

const imbalanceFinding = ({ name, mdts, osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const weighing = mdts.filter(({ qos }) => qos.inUse === true);
  const [first] = weighing;
  if (!first) return [];
  const [emptiest] = osts
    .filter(({ retired, mdts: all }) => !retired && all.some(({ osp }) => osp !== undefined))
    .toSorted((a, b) => (a.used ?? 1) - (b.used ?? 1));
  return [
    finding({
      key: name,
      kind: 'imbalance',
      severity: 'notice',
      subject: fsSubject(name),
      summary: summary(name, `: free space is uneven, ${first.qos.text}`),
      advice:
        'The allocator prefers the emptier OSTs; what was written before stays where it is until it is migrated.',
      evidence: [
        ...weighing.map((mdt) =>
          proof(`${shortTarget(mdt.name)}: ${mdt.qos.text}`, judgement, 'lustre.mds', mdt.host),
        ),
        ...(emptiest?.used === undefined
          ? []
          : [
              {
                ...proof(
                  `emptiest: ${emptiest.name}, ${percent(emptiest.used)} used`,
                  judgement,
                  'lustre.oss',
                  emptiest.oss,
                ),
                about: [ostSubject(emptiest.name)],
              },
            ]),
      ],
    }),
  ];
};

const readOnlyFinding = ({ name, osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const found = osts.filter((ost) => ost.readOnly && !ost.retired);
  if (found.length === 0) return [];
  const set = found.some((ost) => ost.own?.readOnly);
  return [
    finding({
      key: name,
      kind: 'read-only',
      severity: 'warning',
      ...subjectsOf(found.map((ost) => ost.name)),
      summary: summary(
        foldTargets(found.map((ost) => ost.name)),
        set
          ? ' read-only: set on its OSS (obdfilter readonly=1)'
          : ' read-only: its backend is (flag R in lfs df)',
      ),
      advice: set
        ? 'A person set read-only; writes to files there fail.'
        : 'A backend goes read-only after errors of the disks or of its file system: look at the kernel lines of the OSS.',
      evidence: found.flatMap((ost) => [
        ...(ost.own?.readOnly
          ? [proof(`obdfilter.${ost.name}.readonly=1`, judgement, 'lustre.oss', ost.oss)]
          : []),
        ...ost.clients
          .filter(({ flags }) => flags?.includes('R'))
          .map(({ host, flags = '' }) =>
            proof(`${ost.name}: flags ${flags} in lfs df`, judgement, 'lustre.df', host),
          ),
      ]),
    }),
  ];
};
