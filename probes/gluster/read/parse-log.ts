import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';

export type LogKind =
  | 'lockRefused'
  | 'lockingFailed'
  | 'unlockFailed'
  | 'lockNotHeld'
  | 'lockTimerFired'
  | 'frameBailout'
  | 'peerDisconnected';

export interface LogEvent {
  /** ISO 8601 UTC, as exact as printed. */
  at: string;
  kind: LogKind;
  text: string;
  volume?: string;
  holder?: string;
  requester?: string;
  peer?: string;
  msgid?: number;
}

export interface LogEvents {
  events: LogEvent[];
}

/** `[2026-11-20 22:01:29.015841 +0000] W [MSGID: 106118] [file.c:1:fn] (-->...) 0-management: text`; UTC in all versions. */
const logLine =
  /^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?: \+0000)?\] [A-Z] (?:\[MSGID: (\d+)\] )?\[[^\]]*\] (.*)$/;
const domain = /(?:^|\s)\d+-[^\s:]*: /;

type Fields = Pick<LogEvent, 'volume' | 'holder' | 'requester' | 'peer'>;

/** One message per kind (texts of glusterd 3.3 to 11, by its sources); lines that follow up on one are no events. */
const forms: readonly {
  kind: LogKind;
  form: RegExp;
  fields: (groups: readonly (string | undefined)[]) => Fields;
}[] = [
  {
    kind: 'lockRefused',
    form: /^Lock for (?:(?:vol|snap|global) (?=\S+ held))?(\S+) held by (\S+)/,
    fields: ([volume = '', holder = '']) => ({ volume, holder }),
  },
  {
    kind: 'lockRefused',
    form: /^Unable to get lock for uuid: ([^\s,]+), lock held by: ([^\s,]+)/,
    fields: ([requester = '', holder = '']) => ({ requester, holder }),
  },
  {
    kind: 'lockingFailed',
    form: /^Locking failed on (\S+?)\.?(?=\s|$)/,
    fields: ([peer = '']) => ({ peer }),
  },
  {
    kind: 'unlockFailed',
    form: /^Unlocking failed on (\S+?)\.?(?=\s|$)/,
    fields: ([peer = '']) => ({ peer }),
  },
  {
    kind: 'lockNotHeld',
    form: /^Lock for (?:vol|snap|global) (\S+) not held/,
    fields: ([volume = '']) => ({ volume }),
  },
  {
    kind: 'lockTimerFired',
    form: /unlock timer is cancelled for volume_type (\S+?)(?:_(?:vol|snap|global))?(?=\s|$)/,
    fields: ([volume = '']) => ({ volume }),
  },
  {
    // The name as printed: release 6 itself drops its last letter (source).
    kind: 'lockTimerFired',
    form: /unlock timer is cancelled for volume(?: (\S+))?/,
    fields: ([volume]) => (volume === undefined ? {} : { volume }),
  },
  {
    kind: 'frameBailout',
    // Releases before 3.4 do not say for whom.
    form: /^bailing out frame\b.*?(?: for (\S+?))?\s*$/,
    fields: ([peer]) => (peer === undefined ? {} : { peer }),
  },
  {
    kind: 'peerDisconnected',
    form: /^Peer <?([^<>\s,]+)>?,? .*has disconnected from glusterd/,
    fields: ([peer = '']) => ({ peer }),
  },
];

/** Reads glusterd's log of any version from 3.3 on: lock refusals and what belongs to them, all else is passed over. */
export const parseLog = (input: ParseInput): LogEvents => {
  const events: LogEvent[] = [];
  let lines = 0;
  let content = 0;
  for (const line of input.stdout.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    content += 1;
    const match = logLine.exec(line);
    if (!match && !line.startsWith('The message "')) continue;
    lines += 1;
    const event = match ? eventOf(match) : undefined;
    if (event) events.push(event);
  }
  if (content > 0 && lines === 0)
    throw new NotThisFormat(
      'no line of the form "[date time] LEVEL [file:line:function] ...": not a glusterd log',
    );
  return { events };
};

const eventOf = (match: RegExpExecArray): LogEvent | undefined => {
  const [, day = '', time = '', msgid, rest = ''] = match;
  const prefix = domain.exec(rest);
  const text = (prefix ? rest.slice(prefix.index + prefix[0].length) : rest).trim();
  for (const { kind, form, fields } of forms) {
    const found = form.exec(text);
    if (!found) continue;
    return {
      at: `${day}T${time}Z`,
      kind,
      text,
      ...fields(found.slice(1)),
      ...(msgid !== undefined && { msgid: Number(msgid) }),
    };
  }
  return undefined;
};
