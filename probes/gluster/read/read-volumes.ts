import { firstLine, readAnswer } from '../../../src/kit/answers.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, NotThisFormat } from '../../../src/model/errors.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { AskContext } from '../../../src/model/system.ts';
import { sectionsOf } from '../../../src/kit/sections.ts';
import { parseHeal } from './parse-heal.ts';
import { parseVolumes } from './parse-volumes.ts';
import { healSchema, type HealReading, type VolumesReading } from '../readings.ts';
import type { ReportedError } from './words.ts';

/** The text decides, never the exit code: `--xml` failures exit 0. "No volumes present" is no failure. */
const throwFailed = (command: string, error: ReportedError): never => {
  throw new CommandFailed(error.kind, `${command}: ${firstLine(error.message)}`);
};

/** Reads `gluster volume info --xml`. */
export const readVolumes = (answer: Answer): { value: VolumesReading } => {
  const found = readAnswer('gluster volume info', answer, parseVolumes);
  if (found.error && !/no volumes present/i.test(found.error.message))
    throwFailed('gluster volume info', found.error);
  return { value: { volumes: found.volumes } };
};

/** How many answers are kept of each volume: growth is told over three. */
const kept = 3;

/** Reads heal summaries of some volumes, one section each, into what is known of all. */
export const readHeal = (answer: Answer, _host: HostView, context: AskContext): { value: HealReading } => {
  const known = healSchema.safeParse(context.last?.value);
  const before = known.success ? known.data.volumes : [];
  const sections = sectionsOf(answer, 'heal info');
  const splits = new Map(
    sections.filter(({ word }) => word === 'split').map(({ rest, body }) => [rest, filesOf(body)]),
  );
  const now = sections
    .filter(({ word }) => word === 'heal')
    .map(({ rest: name, body }): HealReading['volumes'][number] => {
      const last = before.find((one) => one.name === name);
      const past = last && last.bricks.length > 0 ? [sum(last.bricks), ...last.before] : last?.before;
      const base = { name, at: context.now, before: past?.slice(0, kept) ?? [] };
      const unread = {
        name,
        at: context.now,
        failedInRow: (last?.failedInRow ?? 0) + 1,
        ...lastRead(last),
      };
      try {
        const { bricks, error } = parseHeal({ stdout: body });
        if (error) return { ...unread, error: error.message.slice(0, 200) };
        const splitFiles = splits.get(name);
        const counted = bricks.map(({ files: _listed, ...brick }) => brick);
        return {
          ...base,
          bricks: counted,
          sameSince: sameSince(counted, last, context.now),
          ...(splitFiles && { splitFiles }),
        };
      } catch (cause) {
        if (!(cause instanceof NotThisFormat)) throw cause;
        const text = firstLine(body).slice(0, 200);
        return { ...unread, error: text || 'no answer in time', ...(text === '' && { late: true }) };
      }
    });
  const names = new Set(now.map(({ name }) => name));
  return { value: { volumes: [...before.filter(({ name }) => !names.has(name)), ...now] } };
};

type Heal = HealReading['volumes'][number];

/** An answer older than this is no witness of what was between, ms: of many volumes six are asked in two minutes. */
const keptSameMs = 30 * 60_000;

const countsOf = (bricks: Heal['bricks']): string =>
  bricks
    .map(({ host, path, connected, pending, split, healing }) =>
      [host, path, connected, pending, split, healing].join(' '),
    )
    .join('\n');

/** Since when every brick counts as it does now; the answers between were all read, and no long time apart. */
const sameSince = (bricks: Heal['bricks'], last: Heal | undefined, now: number): number =>
  last?.error === undefined &&
  last?.sameSince !== undefined &&
  now - last.at <= keptSameMs &&
  countsOf(last.bricks) === countsOf(bricks)
    ? last.sameSince
    : now;

/** What was read last stays known after an answer that tells nothing, with its time: a split-brain does not end by a timeout. */
const lastRead = (last: Heal | undefined): Pick<Heal, 'bricks' | 'splitFiles' | 'readAt' | 'before'> =>
  last
    ? {
        bricks: last.bricks,
        before: last.before,
        ...(last.splitFiles && { splitFiles: last.splitFiles }),
        ...(last.bricks.length > 0 && { readAt: last.readAt ?? last.at }),
      }
    : { bricks: [], before: [] };

/** So many names of files are kept of a volume: more are counted by the bricks. */
const namesKept = 100;

/** Every file once: each brick that holds a copy lists it. Undefined: no answer that can be read. */
const filesOf = (body: string): string[] | undefined => {
  try {
    const { bricks, error } = parseHeal({ stdout: body });
    if (error || bricks.length === 0) return undefined;
    return [...new Set(bricks.flatMap(({ files = [] }) => files))].slice(0, namesKept);
  } catch (cause) {
    if (!(cause instanceof NotThisFormat)) throw cause;
    return undefined;
  }
};

/** Entries pending on the bricks that answered. A file waits on each good copy: the largest is the number of files. */
export const sum = (bricks: readonly { pending?: number | undefined }[]): number =>
  Math.max(0, ...bricks.map(({ pending }) => pending ?? 0));
