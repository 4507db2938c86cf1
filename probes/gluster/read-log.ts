import type { Answer } from '../../src/model/answer.ts';
import { NotThisFormat } from '../../src/model/errors.ts';
import type { HostView } from '../../src/model/site.ts';
import type { AskContext } from '../../src/model/system.ts';
import { restOf, bodyOf, sectionsOf } from './asking.ts';
import { parseLog } from './parse-log.ts';
import { logSchema, type LogEventReading, type LogReading } from './readings.ts';

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
  _host: HostView,
  context: AskContext,
): { value: LogReading; notUnderstood: number } => {
  const sections = sectionsOf(answer, "glusterd's log");
  const known = logSchema.safeParse(context.last?.value);
  const before = known.success ? known.data.events : [];
  const since = context.now - hourMs;
  for (const state of ['missing', 'denied'] as const) {
    const file = restOf(sections, state);
    if (file !== undefined)
      return { value: { state, file, inode: '0', offset: 0, events: before }, notUnderstood: 0 };
  }
  const [inode = '0', offset = '0', how = '', file = ''] = (restOf(sections, 'log') ?? '').split(' ');
  const { events, notUnderstood } = eventsIn(bodyOf(sections, 'log') ?? '');
  const gap = (['rotated', 'cut', 'skipped'] as const).find((one) => one === how);
  return {
    value: {
      state: 'read',
      file,
      inode,
      offset: Number(offset),
      ...(gap && { gap }),
      events: [...before, ...events].filter(({ at }) => at >= since).slice(-most),
    },
    notUnderstood,
  };
};

const eventsIn = (text: string): { events: LogEventReading[]; notUnderstood: number } => {
  try {
    const { events } = parseLog({ stdout: text });
    return {
      events: events.map(({ at, kind, text: said, volume, holder, requester, peer }) => ({
        at: Date.parse(at),
        kind,
        text: said,
        ...(volume !== undefined && { volume }),
        ...(holder !== undefined && { holder }),
        ...(requester !== undefined && { requester }),
        ...(peer !== undefined && { peer }),
      })),
      notUnderstood: 0,
    };
  } catch (error) {
    if (!(error instanceof NotThisFormat)) throw error;
    return { events: [], notUnderstood: text.split('\n').filter((line) => line !== '').length };
  }
};
