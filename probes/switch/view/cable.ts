import type { CableBlock, CableEnd, Cell } from '../../../src/model/view.ts';
import type { EndState, LinkState } from '../judge/states.ts';
import { ratePerSecond, sharePercent } from '../read/words.ts';
import { judgeLight, power } from '../verdict/light.ts';

/** The link as a drawing: what each end sends and receives, its light, and where the verdict points. */
export const cableBlock = (state: LinkState): CableBlock => {
  const { a, b } = state;
  const suspect = suspectOf(state);
  return {
    type: 'cable',
    id: 'cable',
    title: 'Link',
    left: endOf(a),
    right: endOf(b),
    ...(suspect && { suspect }),
    verdict: verdictText(state, suspect),
  };
};

/** The verdict may point past this link: to where damaged frames come from. */
const suspectOf = ({ a, b, worst: { verdict } }: LinkState): CableBlock['suspect'] => {
  if (!verdict) return undefined;
  if (verdict.causes[0]?.kind === 'fibre') return 'cable';
  return ({ [a.end.id]: 'left', [b.end.id]: 'right' } as const)[verdict.first.at.id];
};

const verdictText = ({ worst: { verdict } }: LinkState, suspect: CableBlock['suspect']): string => {
  if (!verdict) return 'no verdict';
  const { name } = verdict.first.at;
  if (suspect === 'cable') return `suspect the cable, from ${name}`;
  return suspect === undefined ? `suspect ${name}, not this link` : `suspect ${name}`;
};

const endOf = (end: EndState): CableEnd => ({
  name:
    end.at === undefined
      ? { text: end.name, sign: 'unknown' }
      : { text: end.name, age: end.at, ...(end.stale && { sign: 'stale' }) },
  sends: sideOf(end, 'tx'),
  receives: sideOf(end, 'rx'),
});

const sideOf = (end: EndState, side: 'tx' | 'rx'): Cell => {
  const [now] = end.rates;
  const [bad, share] = side === 'tx' ? [now?.txBad, now?.txShare] : [now?.rxBad, now?.rxShare];
  const light = judgeLight(end.lanes, side);
  const dbm = power(end.lanes, side);
  const isBad = (bad ?? 0) > 0;
  const part = isBad && share !== undefined ? ` (${sharePercent(share)})` : '';
  const frames = bad === undefined ? unreadText(end) : `${ratePerSecond(bad)} bad frames/s${part}`;
  const odd = light === 'low' || light === 'high' ? `, ${light}` : '';
  const sign = isBad || odd !== '' ? (end.severity ?? 'notice') : bad === undefined ? 'unknown' : undefined;
  return { text: `${frames}, light ${dbm === '' ? 'not read' : `${dbm}${odd}`}`, ...(sign && { sign }) };
};

/** Why there is no figure of bad frames. */
const unreadText = ({ end, at, unlisted, rates }: EndState): string => {
  if (end.host === undefined) return 'not read: not on this site';
  if (at === undefined) return 'counters not read';
  if (unlisted) return 'not read: its device does not list it';
  return rates.length === 0 ? 'bad frames not known from one sample' : 'bad frames not read';
};
