import { valueAt, findJson, isRecord, textOf, type Json } from '../../read/parse-json.ts';
import type { Capture } from '../../read/parse-capture.ts';
import {
  chassisReadingOf,
  noneSpans,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';
import type { MemberWords } from '../../read/member-states.ts';

/** The legend above `show interfaces portchannel`: S selected, D deselected; `*` is not yet as teamd wants it. */
export const sonicMemberWords: MemberWords = {
  S: 'working',
  D: 'unselected',
  'S*': 'negotiating',
  'D*': 'negotiating',
};

/** `sonic-cfggen`: of a document that was cut off nobody knows what stood behind a LAG's name. */
export const sonicMinLinks = (text: string): ReadonlyMap<string, number> => {
  const found = findJson(text);
  const lags = found?.value;
  return new Map(
    isRecord(lags) && found?.before !== undefined
      ? Object.keys(lags).map((lag) => [lag, Number(textOf(valueAt(lags, lag, 'min_links')) ?? 1)])
      : [],
  );
};

/**
 * Keys of its configuration, `MCLAG_INTERFACE|DOMAIN|PortChannel10`; the same name at both chassis (SONiC MCLAG design). They say
 * nothing of the session between the two.
 */
export const sonicChassis = ({ ok, stdout, lag }: ChassisAnswer): ChassisReading | undefined => {
  if (!ok) return undefined;
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  // What is no key of these tables is another command's answer: it says nothing of a second chassis.
  if (!lines.every((line) => /^\s*MCLAG_\w+\|/.test(line))) return undefined;
  const keys = lines.map((line) => line.trim().split('|'));
  if (!keys.some(([table]) => table === 'MCLAG_DOMAIN')) return noneSpans;
  return chassisReadingOf(
    keys.flatMap(([table, , name]) =>
      table === 'MCLAG_INTERFACE'
        ? [{ lag: lag(name), peerLag: lag(name), doubt: 'its configuration does not say' }]
        : [],
    ),
  );
};

/** `2.24%`; `N/A` and anything else is no figure. */
const shareOf = (cell: Json | undefined): number | undefined => {
  const percent = /^(\d{1,6}(?:\.\d{1,6})?)%$/.exec(textOf(cell)?.trim() ?? '')?.[1];
  return percent === undefined ? undefined : Number(percent) / 100;
};

/**
 * `RX_UTIL` and `TX_UTIL` of `portstat -j`: bytes per second of its rates table against the port's speed (sonic-utilities, netstat.py,
 * format_util). It prints no count of bytes. The busier direction; a port that tells one of the two only is left out.
 */
export const sonicLoads = (capture: Capture): ReadonlyMap<string, number> => {
  const ports = capture.json();
  if (!isRecord(ports)) return new Map();
  return new Map(
    Object.entries(ports).flatMap(([port, one]) => {
      const [rx, tx] = [shareOf(valueAt(one, 'RX_UTIL')), shareOf(valueAt(one, 'TX_UTIL'))];
      return rx === undefined || tx === undefined ? [] : [[port, Math.max(rx, tx)] as const];
    }),
  );
};
