import type { PortRates } from '../judge/rates.ts';
import { percent, rate, type Case, type Cause, type Ground } from './case.ts';
import { steadyEvidence } from './elsewhere.ts';
import { judgeLight, power } from './light.ts';
import { mtusOf } from './settings.ts';

const clean = ['clean', 'reseat', 'then swap'];

/** The tree: received errors point at the sender, then at the own receiver; both directions at what lies between. */
export const tree = (one: Case, now: PortRates): Cause[] => {
  const { from, to, bothWays } = one;
  const far = from.rates[0];
  const seen = `${to.name} receives ${rate(now.rxBad ?? 0)} bad frames/s${now.rxShare === undefined ? '' : ` (${percent(now.rxShare)})`}`;
  const quiet = far?.rxBad === 0 ? [`${from.name} receives none: one direction only`] : [];
  const sent =
    (far?.txBad ?? 0) > 0 ? [`${from.name} counts ${rate(far?.txBad ?? 0)} transmit errors/s itself`] : [];
  const fine: readonly Ground[] =
    judgeLight(from.lanes, 'tx') === 'fine' && judgeLight(to.lanes, 'rx') === 'fine'
      ? [
          {
            text: `light is fine: TX ${power(from.lanes, 'tx')} at ${from.name}, RX ${power(to.lanes, 'rx')} at ${to.name}`,
            rests: 'optics',
          },
        ]
      : [];
  const cable: Cause = {
    kind: 'fibre',
    weight: bothWays ? 85 : 40,
    text: bothWays ? 'both directions carry bad frames: cable or fibre' : 'cable or fibre between the two',
    evidence: bothWays ? ['both ends receive bad frames'] : ['left when both optics are ruled out'],
    at: from,
    steps: ['swap the fibre or cable'],
  };
  return [
    {
      kind: 'farOptic',
      weight: sent.length > 0 ? 88 : 80,
      text: `the sending side, ${from.name}`,
      evidence: [seen, ...quiet, ...sent, ...fine, ...otherGrounds(one, now)],
      at: from,
      steps: clean,
    },
    {
      kind: 'nearOptic',
      weight: 60,
      text: `the receiving side, ${to.name}`,
      evidence: [seen, ...fine],
      at: to,
      steps: clean,
    },
    cable,
    {
      kind: 'port',
      weight: 10,
      text: `a port of the switches themselves`,
      evidence: ['left when optics and fibre are ruled out'],
      at: to,
      steps: ['move the link to another port of each switch in turn'],
    },
  ];
};

/** What speaks for damage on this link without telling the end. */
const otherGrounds = (one: Case, now: PortRates): Ground[] => {
  const { jumbo, flaps = 0 } = one;
  const { fecUncorrected = 0, fecCorrected = 0, symbolErrors = 0 } = now;
  return [
    ...(fecUncorrected > 0 ? [`FEC cannot correct ${rate(fecUncorrected)} blocks/s`] : []),
    ...(fecCorrected > 0 ? [`FEC corrects ${rate(fecCorrected)}/s: the signal is weak`] : []),
    ...(symbolErrors > 0 ? [`${rate(symbolErrors)} symbol errors/s`] : []),
    ...(flaps > 0 ? [`the link went down ${flaps === 1 ? 'once' : `${flaps} times`} in the last hour`] : []),
    ...steadyEvidence(one),
    ...(jumbo && jumbo.lossy > 0
      ? [
          {
            text: `${jumbo.lossy} of ${jumbo.cells} jumbo paths${jumbo.onPath ? ' that lead this way' : ''} lose packets whose small pings are clean`,
            rests: 'matrix' as const,
          },
        ]
      : []),
  ];
};

/** A port counts transmit errors and nobody receives damage: it is the port's own (the tree: sent errors point at oneself). */
export const sender = ({ from, to }: Case): Cause | undefined => {
  const [now] = from.rates;
  const sent = now?.txBad ?? 0;
  if (!now || sent <= 0) return undefined;
  const peer = to.rates[0]?.rxBad;
  return {
    kind: 'sender',
    weight: 80,
    text: `${from.name} itself: its frames are bad before they leave`,
    evidence: [
      `${from.name} counts ${rate(sent)} transmit errors/s${peer === 0 ? `, ${to.name} receives no bad frame` : ''}`,
      ...((now.txDiscards ?? 0) > 0 ? [`it discards ${rate(now.txDiscards ?? 0)} frames/s as well`] : []),
      ...mtusOf(from, to),
    ],
    at: from,
    steps: ['compare the MTU', 'reseat its optic', 'then move the link to another port'],
  };
};
