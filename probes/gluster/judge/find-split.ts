import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, grouped } from '../../../src/text/units.ts';
import type { HealReading } from '../readings.ts';
import { finding, healOf, volumesOf } from './pool.ts';

type Heal = HealReading['volumes'][number];

/** Files of a volume in split-brain: as many as are named, or as the bricks count. */
export const splitCount = ({ bricks, splitFiles }: Heal): number =>
  Math.max(splitFiles?.length ?? 0, ...bricks.map(({ split }) => split ?? 0));

/** Files whose copies accuse each other: no daemon decides which is right, and reading them fails. */
export const splitFindings = (judgement: Judgement): FindingDraft[] => {
  const started = (volumesOf(judgement)?.volumes ?? []).filter(({ status }) => status === 'Started');
  return started.flatMap(({ name }): FindingDraft[] => {
    const heal = healOf(judgement).get(name);
    const split = heal ? splitCount(heal) : 0;
    if (!heal || split === 0) return [];
    const files = heal.splitFiles ?? [];
    const [first] = files;
    const named = first === undefined ? 'names not read' : `${first}${files.length > 1 ? ', ...' : ''}`;
    const brick = heal.bricks.find(({ host }) => host !== undefined);
    const copy = brick ? `${brick.host}:${brick.path}` : 'HOST:BRICK';
    const file = first ?? 'FILE';
    return [
      finding({
        kind: 'split-brain',
        key: name,
        severity: 'critical',
        subject: { kind: 'volume', id: name },
        summary: `${name}: ${count(split, 'file')} in split-brain (${named}): I/O errors, never heals by itself`,
        advice: `Compare the copies on the bricks (stat, checksum), and save the one that is to lose off its brick. Then one file at a time: gluster volume heal ${name} split-brain source-brick ${copy} ${file} (or latest-mtime ${file}, bigger-file ${file}). Never source-brick without a file: it decides for every file of the volume.`,
        evidence: [
          ...files.slice(0, 20).map((one) => ({
            text: `heal ${name} info split-brain: ${one}`,
            probe: 'gluster.heal',
            at: heal.at,
          })),
          ...(files.length > 20 ? [{ text: `and ${grouped(files.length - 20)} more` }] : []),
          ...heal.bricks.map(({ host = '?', path, split: own, connected }) => ({
            text: `${host}:${path}: ${connected ? `${own ?? '?'} in split-brain` : 'not connected'}`,
            probe: 'gluster.heal',
            at: heal.at,
          })),
        ],
      }),
    ];
  });
};
