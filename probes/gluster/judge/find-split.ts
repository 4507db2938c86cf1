import type { FindingDraft, Remedy } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { quote } from '../../../src/text/shell.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { copyPath, nameToHeal } from '../read/read-copies.ts';
import { pieceProblem, parseShard } from '../read/shards.ts';
import type { GlusterVolume, HealReading } from '../readings.ts';
import { finding, healOf, healReadAt, volumesOf } from './pool.ts';
import { copiesOf, namesInDispute } from './split-copies.ts';

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
  heal.error === undefined ? '' : `; last read ${clockTime(healReadAt(heal), now)}`;

/** A folder in split-brain is one whose names stand for different files on the bricks; which ones, where its copies were looked at. */
const inFolder = (volume: GlusterVolume, listed: string, judgement: Judgement): string => {
  const file = nameToHeal(listed);
  const names = file === undefined ? [] : namesInDispute(copiesOf(volume, file, judgement).copies);
  if (names.length > 0)
    return `: a folder; another file (gfid) on each brick: ${names.slice(0, 5).join(', ')}`;
  return listed === '/' ? ': a folder; a name in it is another file (gfid) on each brick' : '';
};

const isPiece = (listed: string, options: GlusterVolume['options']): boolean =>
  pieceProblem(nameToHeal(listed) ?? listed, options) !== undefined;

/** Names that one command heals: of a sharded volume no piece of a file. */
const wholeFiles = (files: readonly string[], options: GlusterVolume['options']): string[] =>
  files.flatMap((one) => (isPiece(one, options) ? [] : (nameToHeal(one) ?? [])));

/** What a name stands for, where it is no file of a user: pieces of files by their number in the file. */
const pieceText = (listed: string, { options, bricks }: GlusterVolume): string => {
  const shard = parseShard(listed);
  if (!shard) return isPiece(listed, options) ? ': a file, or a piece of one' : '';
  const { gfid, number } = shard;
  const brick = bricks[0]?.path ?? 'BRICK';
  const handle = copyPath(brick, `gfid:${gfid}`);
  return `: block ${number} of the file with the gfid ${gfid}; its name, on a brick that has it: find ${quote(brick)} -samefile ${quote(handle)}`;
};

const advicePieces =
  'The volume is sharded: what is named are pieces of files (gfid.N is block N of the file with that gfid). Never heal pieces one by one by size or time: each may choose another copy, and the file is then one that never was. Stop what writes it, choose one brick for all its pieces, save them, and heal each from that brick (source-brick).';

/** Of one file each way in which the copies themselves tell which wins; of several, which one is first is the operator's choice. */
const remediesOf = ({ name: volume, options }: GlusterVolume, files: readonly string[]): Remedy[] => {
  const healable = wholeFiles(files, options);
  if (files.length > 0 && healable.length === 0 && files.some((one) => isPiece(one, options))) return [];
  const [file, another] = healable;
  const remedy = { action: 'gluster.heal-split-brain', subjects: [{ kind: 'volume' as const, id: volume }] };
  if (file === undefined || another !== undefined) return [remedy];
  return [...['latest-mtime', 'bigger-file'].map((by) => ({ ...remedy, set: { file, by } })), remedy];
};

/** Files whose copies accuse each other: no daemon decides which is right, and reading them fails. */
export const splitFindings = (judgement: Judgement): FindingDraft[] => {
  const started = (volumesOf(judgement)?.volumes ?? []).filter(({ status }) => status === 'Started');
  return started.flatMap((volume): FindingDraft[] => {
    const { name } = volume;
    const heal = healOf(judgement).get(name);
    const split = heal ? filesAtLeast(heal) : 0;
    if (!heal || split === 0) return [];
    const files = heal.splitFiles ?? [];
    const [first] = files;
    const shard = parseShard(first ?? '');
    const shown = shard ? `a piece of gfid ${shard.gfid}` : first;
    const named = shown === undefined ? 'names not read' : `${shown}${files.length > 1 ? ', ...' : ''}`;
    const arbiters = new Set(volume.bricks.flatMap(({ path, arbiter }) => (arbiter ? [path] : [])));
    const brick = heal.bricks.find(({ host, path }) => host !== undefined && !arbiters.has(path));
    const copy = brick ? quote(`${brick.host}:${brick.path}`) : 'HOST:BRICK';
    // Users name files, and operators paste commands.
    const file = wholeFiles(files, volume.options).map(quote)[0] ?? 'FILE';
    const hasPieces = files.some((one) => isPiece(one, volume.options));
    return [
      finding({
        kind: 'split-brain',
        key: name,
        severity: 'critical',
        subject: { kind: 'volume', id: name },
        summary: `${name}: ${count(split, 'file')} in split-brain (${named}): I/O errors, never heals by itself${lastRead(heal, judgement)}`,
        advice: hasPieces
          ? advicePieces
          : `Compare the copies on the bricks (stat, checksum), and save the one that is to lose off its brick. Then one file at a time: gluster volume heal ${name} split-brain source-brick ${copy} ${file} (or bigger-file ${file}; latest-mtime makes the times alike and refuses where features.ctime is on). Never source-brick without a file: it decides for every file of the volume.`,
        remedies: remediesOf(volume, files),
        evidence: [
          ...files.slice(0, 20).map((one) => ({
            text: `heal ${name} info split-brain: ${one}${pieceText(one, volume)}${inFolder(volume, one, judgement)}`,
            probe: 'gluster.heal',
            at: healReadAt(heal),
          })),
          ...(files.length > 20 ? [{ text: `and ${groupThousands(files.length - 20)} more` }] : []),
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
