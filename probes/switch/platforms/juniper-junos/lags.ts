import {
  chassisReadingOf,
  lostPartsOf,
  noneSpans,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';
import type { MemberWords } from '../../read/member-states.ts';
import { minLinksReader } from '../shared/port-channels.ts';

/** The mux machine of IEEE 802.1AX in `show lacp interfaces`; only its last state sends and receives. */
export const junosMemberWords: MemberWords = {
  'Collecting distributing': 'working',
  Collecting: 'negotiating',
  Attached: 'negotiating',
  Waiting: 'negotiating',
  Detached: 'unselected',
};

export const junosMinLinks = minLinksReader(
  /^\s*Physical interface: (ae\d+),/,
  /Minimum links needed: (\d+)/,
);

/**
 * `show interfaces mc-ae`: one paragraph for each; nothing without MC-LAG. `Peer State : up` beside `Peer Status : active` (or
 * `standby`) is that of a peer that is there (Junos MC-LAG guide).
 */
export const junosChassis = ({ stdout, lag }: ChassisAnswer): ChassisReading | undefined => {
  const [, ...paragraphs] = stdout.split(/^\s*Member Link\s*:/m);
  const found = paragraphs.map((text) => {
    const valueOf = (name: string): string | undefined =>
      new RegExp(`^\\s*${name}\\s*:\\s*(\\S.*?)\\s*$`, 'm').exec(text)?.[1];
    const [status, state] = [valueOf('Peer Status'), valueOf('Peer State')];
    return {
      lag: lag(/^\s*(ae\d+)\s*$/m.exec(text)?.[1]),
      lost: lostPartsOf([
        ['peer status', status, /^(?:active|standby)$/],
        ['peer state', state, /^up$/],
      ]),
      doubt: status === undefined || state === undefined ? 'show interfaces mc-ae does not say' : undefined,
    };
  });
  if (found.length > 0) return chassisReadingOf(found);
  return stdout.trim() === '' || /unknown command|syntax error/i.test(stdout) ? noneSpans : undefined;
};
