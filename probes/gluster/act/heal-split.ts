import * as z from 'zod';
import type {
  Action,
  Guard,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Step,
} from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, refusal, rereads } from '../../../src/kit/guards.ts';
import { bricksOf } from '../judge/bricks.ts';
import { healOf } from '../judge/pool.ts';
import { copiesOf, readListed } from '../judge/split-copies.ts';
import { isHealable, nameToHeal } from '../read/read-copies.ts';
import { pieceProblem } from '../read/shards.ts';
import type { GlusterVolume } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import {
  checkAlike,
  reasonTexts,
  requireCopyChosen,
  policies,
  seenCopies,
  type SeenCopy,
  winnerOf,
} from './choose-copy.ts';
import {
  requirePeersAnswer,
  rereadOnce,
  commandHost,
  glusterStep,
  lockGroup,
  planEach,
  volumeOf,
} from './parts.ts';
import { healSplitRefusals, saveRefusals } from './refusals.ts';
import saveScript from './save-copy.sh';

const parameters = z
  .strictObject({
    file: z.string().refine(isHealable, {
      error:
        'a path from the top of the volume as heal info lists it, or gfid:UUID; no quotes, no control characters',
    }),
    by: z.enum(policies, { error: policies.join(', ') }),
    source: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9.:-]{0,250}:\/[A-Za-z0-9._/@+=,-]{1,400}$/, {
        error: 'HOST:BRICK as gluster volume info has it',
      })
      .optional(),
    save: z
      .string()
      .regex(/^(?:\/[A-Za-z0-9._@+=,-]{1,100}){2,10}$/, { error: 'a folder off the bricks' })
      .refine((path) => path.split('/').every((part) => part !== '.' && part !== '..'), {
        error: 'a folder off the bricks, without . and ..',
      })
      .default('/var/lib/faultline/split-brain'),
    discard: z.enum(['', 'throw away'], { error: 'empty, or: throw away' }).default(''),
  })
  .refine(({ by, source }) => (by === 'source-brick') === (source !== undefined), {
    error: 'source goes with by=source-brick, and only with it',
    path: ['source'],
  });
type Parameters = z.infer<typeof parameters>;

/** One file in split-brain gets one of its copies; the others are saved before. */
const planHeal = (subjects: readonly Subject[], given: Parameters, context: PlanContext): Plan | Refusal =>
  subjects.length > 1
    ? refusal('5 targets', 'one file of one volume in a plan')
    : planEach(
        subjects,
        healSplitAction,
        {
          title: `Heal ${given.file} (${given.by}) of`,
          afterwards: 'heal info must not name the file any more, and all copies must read the same',
          undoText:
            given.discard === ''
              ? 'none by a command: the copies that lost lie in the folder; copy one back through a mount'
              : 'none: the losing copies are thrown away',
          parameters: given,
        },
        (subject) => planVolume(subject, given, context),
      );

const planVolume = (
  subject: Subject,
  given: Parameters,
  { judgement, looksBack }: PlanContext,
): { target: PlanTarget; because: readonly string[] } | Refusal => {
  const volume = volumeOf(subject, judgement);
  const host = commandHost(judgement);
  if (!volume) return refusal('5 targets', `${subject.id} is no volume of this pool`);
  if (host === undefined) return refusal('3 peers', 'no glusterd answers');
  if (!/replicate/i.test(volume.type ?? '') || (volume.replica ?? 0) < 2)
    return refusal('3 preconditions', `${volume.name} keeps no copies of its files`);
  const { file, by, source } = given;
  const piece = pieceProblem(file, volume.options);
  if (piece !== undefined) return refusal('3 preconditions', piece);
  const isListed = names(volume.name, judgement).includes(file);
  if (!isListed && !looksBack)
    return refusal('3 preconditions', `heal info does not name ${file} in split-brain`);
  const { copies } = copiesOf(volume, file, judgement);
  const found = winnerOf(copies, given);
  const seen = seenCopies(copies);
  // By time the copy that was found is named to gluster, whose own latest-mtime makes the times alike before it compares them (10.3).
  const chosen = by === 'latest-mtime' && 'winner' in found ? found.winner.brick : source;
  // Gluster finds the bigger one anew: then every copy is saved.
  const losing = seen.filter(({ brick }) => brick !== chosen);
  const saved = given.discard === '' ? losing.map((one) => saveStep(one, volume, given, judgement)) : [];
  // Where no copy wins, a guard refuses.
  const words = chosen === undefined ? [by, file] : ['source-brick', chosen, file];
  return {
    target: {
      subject,
      object: file,
      steps: [
        ...saved,
        {
          ...glusterStep(
            judgement,
            host,
            '--mode=script',
            'volume',
            'heal',
            volume.name,
            'split-brain',
            ...words,
          ),
          refusals: healSplitRefusals,
        },
      ],
      guards: guardsOf(volume, given, judgement),
      whyAlreadyDone: () => undefined,
      verify: verifyOf(volume, file, judgement),
      undo: null,
      lockGroups: [lockGroup(volume.name)],
    },
    because: reasonTexts(seen, found, given),
  };
};

const names = (volume: string, judgement: Judgement): string[] =>
  (readListed(volume, judgement) ?? []).flatMap((one) => nameToHeal(one) ?? []);

/** Named after its contents, so that a second try finds it there; the script overwrites nothing else. */
const saveStep = (
  { host, path, copy }: SeenCopy,
  volume: GlusterVolume,
  { file, save }: Parameters,
  judgement: Judgement,
): Step => {
  // A name has 255 bytes, of which a letter may take four.
  const readable = `${volume.name.slice(0, 100)}${file.replaceAll(/[^\w.-]/g, '_').slice(-100)}`;
  const name = `${readable}.${copy.sha256?.slice(0, 16) ?? `${copy.bytes}.${copy.changedS}`}`;
  return {
    host,
    argv: argvAsRoot(judgement.site, 'sh', '-s', '--', path, save, name, copy.sha256 ?? ''),
    stdin: saveScript,
    changes: ['mkdir -p', 'cp -p', '>>"$to.attributes"', 'mv -- '],
    // It is read and written, and read again; 20 MB/s.
    deadlineMs: 60_000 + copy.bytes / 20_000,
    refusals: saveRefusals,
  };
};

const guardsOf = (volume: GlusterVolume, given: Parameters, judgement: Judgement): Guard[] => [
  {
    id: '3 preconditions',
    text: `heal info names ${given.file} in split-brain, and reaches all bricks of ${volume.name}`,
    reads: rereadOnce(judgement, 'gluster.heal'),
    absolute: true,
    check: (live) => {
      const heal = healOf(live).get(volume.name);
      const away = heal?.bricks.find(({ connected }) => !connected);
      if (!heal || heal.error !== undefined)
        return failGuard(`heal info gives no list: ${heal?.error ?? 'not asked'}`);
      if (away) return failGuard(`it does not reach ${away.host ?? '?'}:${away.path}`);
      return names(volume.name, live).includes(given.file)
        ? passGuard(`${heal.splitFiles?.length ?? 0} named`)
        : failGuard(`${given.file} is not named now`);
    },
  },
  requireCopyChosen(volume, given, judgement),
  requirePeersAnswer(judgement),
];

const verifyOf = (volume: GlusterVolume, file: string, judgement: Judgement): PlanTarget['verify'] => ({
  text: `heal info does not name ${file}, and its copies read the same`,
  reads: [
    ...rereadOnce(judgement, 'gluster.heal'),
    ...rereads('gluster.copies', ...bricksOf(volume, judgement).map(({ host }) => host)),
  ],
  deadlineMs: 120_000,
  everyMs: 5000,
  check: (live) => {
    if (readListed(volume.name, live) === undefined)
      return { state: 'wait', text: 'heal info gives no list yet' };
    if (names(volume.name, live).includes(file))
      return { state: 'wait', text: `heal info names ${file} still` };
    return checkAlike(copiesOf(volume, file, live).copies);
  },
});

export const healSplitAction: Action<Parameters> = {
  id: 'gluster.heal-split-brain',
  verb: 'heal',
  title: 'heal a file in split-brain',
  subject: 'volume',
  danger: 'access',
  users: 'the file can be read again; the losing copies are overwritten',
  parameters,
  prompts: [
    { name: 'file', label: 'file, from the top of the volume', required: true },
    { name: 'by', label: `which copy wins: ${policies.join(', ')}`, required: true },
    { name: 'source', label: 'of source-brick: HOST:BRICK that wins', required: false },
    {
      name: 'save',
      label: 'where the losing copies are saved',
      required: false,
      initial: '/var/lib/faultline/split-brain',
    },
    { name: 'discard', label: 'or type "throw away": they are not saved', required: false },
  ],
  menu: {
    note: ({ targets }) => `${targets[0]?.object ?? ''}: its copies are shown, the losing ones are saved`,
    // Which copy wins is told when the copies were read.
    tryWith: (subjects, { judgement }) => {
      const files = subjects.flatMap((subject) => {
        const { options = {} } = volumeOf(subject, judgement) ?? {};
        return names(subject.id, judgement).filter((name) => pieceProblem(name, options) === undefined);
      });
      return files.length === 0
        ? refusal('3 preconditions', 'heal info names no whole file in split-brain')
        : files.slice(0, 5).map((file) => parameters.parse({ file, by: 'bigger-file' }));
    },
  },
  plan: (subjects, given, context) => planHeal(subjects, given, context),
};
