import {
  chassisReadingOf,
  noneSpans,
  rowsIn,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';
import type { MemberWords } from '../../read/member-states.ts';
import type { Capture, Reader } from '../../read/parse-capture.ts';
import { blocks, firstMatch } from '../../read/parse-lines.ts';
import { text } from '../../read/parse-values.ts';
import { dropAbsent, type LagRow } from '../../read/rows.ts';
import { dellMinLinks } from '../shared/dell.ts';
import { minLinksReader } from '../shared/port-channels.ts';

/** `Te 1/46   (Up)`, more of them below each other or side by side. */
const member = /([A-Za-z]+ ?\d[\d/:]*)\s{1,20}\(([^()]{1,200})\)/g;

/** `show interfaces port-channel [N] brief`. */
export const ftosBrief: Reader<LagRow> = (capture) => {
  const from = capture.lines.findIndex((line) => /^\s*LAG\s+Mode\s+Status\b/i.test(line));
  if (from < 0) return undefined;
  const rows: LagRow[] = [];
  let lag: LagRow | undefined;
  let alone = false;
  const close = (): void => {
    if (lag && alone) rows.push(lag);
  };
  for (const line of capture.lines.slice(from + 1)) {
    const head = /^\s*(?:[A-Z]+\s+)?(\d+)\s+(L\S*)\s+(\S+)(?:\s|$)/i.exec(line);
    if (head) {
      close();
      lag = { lag: head[1] ?? '', lagState: head[3] ?? '' };
      alone = true;
    }
    // Members stand far to the right: what else begins a line is a LAG that is not understood.
    else if (/^\s{0,8}\S/.test(line)) {
      close();
      lag = undefined;
    }
    if (!lag) continue;
    for (const match of line.slice(head ? head[0].length : 0).matchAll(member)) {
      rows.push({ ...lag, member: match[1] ?? '', memberState: match[2] ?? '' });
      alone = false;
    }
  }
  close();
  return { rows };
};

/** `show lacp N`. */
export const ftosLacpDetail: Reader<LagRow> = (capture) => {
  const found = blocks(capture.lines, /^(Port-channel \d+) admin (\w+), oper (\w+), mode (\S+)/i);
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(({ head, lines }): LagRow[] => {
      const lag = { lag: head[1] ?? '', lagState: head[3] ?? '', protocol: head[4] ?? '' };
      const members = blocks(lines, /^Port ([A-Za-z]+ ?\d[\d/:]*) is (?:enabled|disabled)/i).map((port) =>
        dropAbsent<LagRow>({
          ...lag,
          member: port.head[1] ?? '',
          memberState: text(firstMatch(port.lines, /^Port State: ?(.+)$/i)),
        }),
      );
      return members.length > 0 ? members : [lag];
    }),
  };
};

/** `show interfaces port-channel brief` prints Up and Down, `show lacp` Bundle and Not in Bundle (OS9 command reference, LACP). */
export const ftosMemberWords: MemberWords = {
  Up: 'working',
  Down: 'down',
  Bundle: 'working',
  'Not in Bundle': 'negotiating',
};

/** The `L` in front of a port-channel (`L - LACP Port-channel`). */
export const ftosLacp = ({ lines }: Capture): ((lag: string) => boolean) => {
  const marked = new Set(lines.map((line) => /^\s*L\s+(\d+)\s+L\d/.exec(line)?.[1]));
  return (lag) => marked.has(/\d+$/.exec(lag)?.[0] ?? '');
};

/** A configuration names the number only where it is not one (FTOS manual). */
const readConfigured = minLinksReader(/^interface Port-channel (\d+)/i, /^\s*minimum-links (\d+)/i, 1);

/** Older releases do not show the number with the interface. */
export const ftosMinLinks = (stdout: string): ReadonlyMap<string, number> =>
  new Map([...readConfigured(stdout), ...dellMinLinks(stdout)]);

/**
 * `show vlt detail`: a table of LAGs here and there, which does not say whether the other chassis is there. A stack or chassis without
 * VLT does not know the command.
 */
export const ftosChassis = ({ stdout, lag }: ChassisAnswer): ChassisReading | undefined => {
  if (/^\s*Local LAG Id\s+Peer LAG Id\s/im.test(stdout)) {
    const rows = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(?:UP|DOWN)\s/gim)];
    if (rows.length < rowsIn(stdout, /^ *\d+ +\S/gm)) return undefined;
    return chassisReadingOf(
      rows.map(([, here, there]) => ({
        lag: lag(`po${here}`),
        peerLag: lag(`po${there}`),
        doubt: 'show vlt detail does not say',
      })),
    );
  }
  return stdout.trim() === '' || /invalid input|not (?:been )?(?:configured|enabled)/i.test(stdout)
    ? noneSpans
    : undefined;
};
