import type { Answer } from '../../../src/model/answer.ts';
import { NotThisFormat } from '../../../src/model/errors.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { AskContext } from '../../../src/model/system.ts';
import { findSection, sectionsOf } from '../../../src/kit/sections.ts';
import { parseLog } from './parse-log.ts';
import { logSchema, type LogEventReading, type LogReading, type PeerReading } from '../readings.ts';
import { dropUndefined } from '../../../src/kit/known.ts';

const hourMs = 3_600_000;
const most = 200;

/** Where the last reading ended: inode and offset, `0 0` for none. */
export const positionOf = (last: unknown): { inode: string; offset: number } => {
  const known = logSchema.safeParse(last);
  return known.success ? known.data : { inode: '0', offset: 0 };
};

/** Reads the answer of the log script and adds it to what is known of the last hour. */
export const readLog = (
  answer: Answer,
  host: HostView,
  context: AskContext,
): { value: LogReading; notUnderstood: number } => {
  const sections = sectionsOf(answer, "glusterd's log");
  const known = logSchema.safeParse(context.last?.value);
  const before = known.success ? known.data.events : [];
  const since = context.now - hourMs;
  // Where it was is kept: what the old file still held is read when the new one is there.
  const { inode: lastInode, offset: lastOffset } = positionOf(context.last?.value);
  for (const state of ['missing', 'denied'] as const) {
    const file = findSection(sections, state)?.rest;
    if (file !== undefined)
      return {
        value: { state, file, inode: lastInode, offset: lastOffset, events: before },
        notUnderstood: 0,
      };
  }
  const [inode = '0', offset = '0', how = '', file = ''] = (findSection(sections, 'log')?.rest ?? '').split(
    ' ',
  );
  const { events, notUnderstood } = eventsIn(findSection(sections, 'log')?.body ?? '');
  const gap = gaps.find((one) => one === how);
  const unseen = gap === undefined ? [] : [gapEvent(gap, host, context)];
  return {
    value: {
      state: 'read',
      file,
      inode,
      offset: Number(offset),
      events: [...before, ...unseen, ...events].filter(({ at }) => at >= since).slice(-most),
    },
    notUnderstood,
  };
};

const gaps = ['rotated', 'cut', 'skipped'] as const;
const gapTexts: Readonly<Record<(typeof gaps)[number], string>> = {
  rotated: 'the log was rotated and its old file is gone or packed: its last lines were not seen',
  cut: 'the log was emptied: its last lines were not seen',
  skipped: 'the log grew by more than 256 kB: lines before that were not seen',
};

/** What was not seen stands among what was: by the host's clock, as all of its lines. */
const gapEvent = (
  gap: (typeof gaps)[number],
  { name }: HostView,
  { readings, now }: AskContext,
): LogEventReading => {
  const ahead = readings.source<PeerReading>('gluster.peer', name)?.good?.value.clockMs ?? 0;
  return { at: now + ahead, kind: 'gap', text: gapTexts[gap] };
};

const eventsIn = (text: string): { events: LogEventReading[]; notUnderstood: number } => {
  try {
    const { events } = parseLog({ stdout: text });
    return {
      events: events.map(({ at, kind, text: said, volume, holder, requester, peer }) => ({
        at: Date.parse(at),
        kind,
        text: said,
        ...dropUndefined({ volume, holder, requester, peer }),
      })),
      notUnderstood: 0,
    };
  } catch (error) {
    if (!(error instanceof NotThisFormat)) throw error;
    return { events: [], notUnderstood: text.split('\n').filter((line) => line !== '').length };
  }
};
