import { percent } from '../../../src/text/units.ts';
import { gbit } from '../read/result.ts';
import { bufferOverWindow, windowBps, warn, type Known, type Rule } from './measured.ts';
import { isMuch, othersText } from './rule-shared.ts';
import type { Around } from './verdict.ts';

/** `CPU of iperf3 on b (receiver): 97 % of a core`. */
export const cpuText = ({ host, role, percent: taken }: NonNullable<Around['cpu']>[number]): string =>
  `CPU of iperf3 on ${host} (${role}): ${Math.round(taken)} % of a core`;

/** The last resort: it says what was looked at and is not why, and what could not be looked at. */
export const explainSlow: Rule = (known) => {
  const { bps, lineBps } = known;
  if (lineBps === undefined || bps >= lineBps * 0.8) return undefined;
  const { not, unread, open } = ruledOut(known);
  return warn(
    'slow',
    `${gbit(bps)} Gbit/s, ${percent(bps / lineBps)} of line rate, cause not known; ruled out: ${not.map(({ word }) => word).join(', ') || 'nothing yet'}`,
    ...not.map(({ proof }) => `ruled out: ${proof}`),
    ...open.map((text) => `neither ruled out nor proven: ${text}`),
    ...(unread.length > 0 ? [`not looked at: ${unread.join(', ')}`] : []),
  );
};

interface LookedAt {
  not: { word: string; proof: string }[];
  unread: string[];
  open: string[];
}

const ruledOut = (known: Known): LookedAt => {
  const {
    samples,
    windowBytes,
    rttMs,
    cpu: ends = [],
    path,
    back,
    several,
    streams,
    bps,
    lineBps,
    others = [],
  } = known;
  const not: { word: string; proof: string }[] = [];
  const unread: string[] = [];
  const open: string[] = [];
  const look = (word: string, proof: string | undefined): void => {
    if (proof === undefined) unread.push(word);
    else not.push({ word, proof });
  };
  look('loss', samples.retransmits === undefined ? undefined : `loss: ${samples.retransmits} retransmits`);
  const most = windowBps(known);
  // A window that carries about what was measured is not ruled out, and not proven either.
  if (most === undefined || windowBytes === undefined) look('window', undefined);
  else {
    const text = `window: ${Math.round(windowBytes / 1000)} kB at ${rttMs} ms carry ${gbit(most)} Gbit/s`;
    if (bps * bufferOverWindow < most || bps > most * bufferOverWindow) look('window', text);
    else open.push(text);
  }
  look('CPU', ends.length === 0 ? undefined : ends.map(cpuText).join('; '));
  if (others.some((one) => isMuch(one, lineBps ?? Infinity))) open.push(...others.map(othersText));
  // Nobody at one end says nothing of the other, which was not counted.
  else if (others.length < 2) look('other traffic', undefined);
  else look('other traffic', others.map(othersText).join('; '));
  // Held down to 1500 it is told by a finding of its own.
  if (path?.full !== 0 || path.standard !== 2)
    look('MTU', path && path.full > 0 ? `MTU: pings of ${path.mtu} bytes with DF are answered` : undefined);
  look('one direction', back === undefined ? undefined : `one direction: ${gbit(back.bps)} Gbit/s back`);
  look(
    'one stream',
    streams > 1
      ? `one stream: ${streams} were sent`
      : several && `one stream: ${several.streams} streams give ${gbit(several.bps)} Gbit/s`,
  );
  return { not, unread, open };
};
