import type { Answer } from '../../../src/model/answer.ts';
import type { AskContext } from '../../../src/model/system.ts';
import { findSection, sectionsOf } from '../../../src/kit/sections.ts';
import { type DiskReading, diskSchema } from '../readings.ts';

type Counts = NonNullable<DiskReading['clients']>;

/** How long the count of a brick that has ended is kept, ms: who lost its files, nobody can count any more. */
const keptMs = 24 * 3_600_000;

/** `12 /data/brick1/home0`. */
const countOf = (line: string, at: number): Counts => {
  const [, clients, path] = /^(\d+) (\/.*)$/.exec(line) ?? [];
  return path === undefined ? [] : [{ path, clients: Number(clients), at }];
};

/** Reads how many clients each brick has; of bricks that are not counted any more the last count stays, with its time. */
export const readCounts = (
  answer: Answer,
  { last, now }: Pick<AskContext, 'last' | 'now'>,
): { value: Pick<DiskReading, 'clients' | 'notCounted'>; notUnderstood: number } => {
  const sections = sectionsOf(answer, "asking the bricks' file systems");
  const notCounted = findSection(sections, 'not-counted')?.rest.slice(0, 200);
  const lines = (findSection(sections, 'clients')?.body ?? '').split('\n').filter((line) => line !== '');
  const counted = lines.flatMap((line) => countOf(line, now));
  const before = diskSchema.safeParse(last?.value);
  const kept = (before.data?.clients ?? []).filter(
    ({ path, at }) => now - at < keptMs && !counted.some((one) => one.path === path),
  );
  return {
    value: { ...(notCounted !== undefined && { notCounted }), clients: [...counted, ...kept] },
    notUnderstood: lines.length - counted.length,
  };
};
