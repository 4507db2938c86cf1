import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { moment } from '../../../src/text/ages.ts';
import { count, grouped } from '../../../src/text/units.ts';
import type { HealReading } from '../readings.ts';
import { finding, healOf, healReadAt, volumesOf } from './pool.ts';

type Heal = HealReading['volumes'][number];

/**
 * How much of what waits on the bricks (`sum`) is in split-brain: as the bricks count it, where they do, else as many as are named.
 * Names are no count: one brick has a file by its path, another by its gfid.
 */
export const splitCount = ({ bricks, splitFiles = [] }: Heal): number => {
  const counts = bricks.flatMap(({ split }) => split ?? []);
  return counts.length > 0 ? Math.max(...counts) : splitFiles.length;
};

/** Files in split-brain, at least: each set of copies has its own count, and a file may be named twice, by path and by gfid. */
const filesAtLeast = (heal: Heal): number => {
  const { splitFiles = [], bricks } = heal;
  const byId = splitFiles.filter((name) => name.startsWith('<gfid:')).length;
  return Math.max(splitFiles.length - byId, byId, ...bricks.map(({ split }) => split ?? 0));
};

/** What was read before an answer that tells nothing is kept: said with its time. */
const lastRead = (heal: Heal, { now }: Judgement): string =>
  heal.error === undefined ? '' : `; last read ${moment(healReadAt(heal), now)}`;

/** Files whose copies accuse each other: no daemon decides which is right, and reading them fails. */
export const splitFindings = (judgement: Judgement): FindingDraft[] => {
  const started = (volumesOf(judgement)?.volumes ?? []).filter(({ status }) => status === 'Started');
  return started.flatMap(({ name }): FindingDraft[] => {
    const heal = healOf(judgement).get(name);
    const split = heal ? filesAtLeast(heal) : 0;
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
        summary: `${name}: ${count(split, 'file')} in split-brain (${named}): I/O errors, never heals by itself${lastRead(heal, judgement)}`,
        advice: `Compare the copies on the bricks (stat, checksum), and save the one that is to lose off its brick. Then one file at a time: gluster volume heal ${name} split-brain source-brick ${copy} ${file} (or latest-mtime ${file}, bigger-file ${file}). Never source-brick without a file: it decides for every file of the volume.`,
        evidence: [
          ...files.slice(0, 20).map((one) => ({
            text: `heal ${name} info split-brain: ${one}`,
            probe: 'gluster.heal',
            at: healReadAt(heal),
          })),
          ...(files.length > 20 ? [{ text: `and ${grouped(files.length - 20)} more` }] : []),
          ...heal.bricks.map(({ host = '?', path, split: own, connected }) => ({
            text: `${host}:${path}: ${connected ? `${own ?? '?'} in split-brain` : 'not connected'}`,
            probe: 'gluster.heal',
            at: healReadAt(heal),
          })),
        ],
      }),
    ];
  });
};
