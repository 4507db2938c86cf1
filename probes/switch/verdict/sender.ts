import { rate, type Case, type Cause } from './case.ts';

/** A port counts transmit errors and nobody receives damage: it is the port's own (the tree: sent errors point at oneself). */
export const sender = ({ from, to }: Case): Cause | undefined => {
  const [now] = from.rates;
  const sent = now?.txBad ?? 0;
  if (!now || sent <= 0) return undefined;
  const peer = to.rates[0]?.rxBad;
  const mtus = [from.settings?.mtu, to.settings?.mtu];
  return {
    kind: 'sender',
    weight: 80,
    text: `${from.name} itself: its frames are bad before they leave`,
    evidence: [
      `${from.name} counts ${rate(sent)} transmit errors/s${peer === 0 ? `, ${to.name} receives no bad frame` : ''}`,
      ...((now.txDiscards ?? 0) > 0 ? [`it discards ${rate(now.txDiscards ?? 0)} frames/s as well`] : []),
      ...(mtus[0] !== undefined && mtus[1] !== undefined && mtus[0] !== mtus[1]
        ? [`MTU ${mtus[0]} there, ${mtus[1]} at ${to.name}`]
        : []),
    ],
    at: from.name,
    steps: ['compare the MTU', 'reseat its optic', 'then move the link to another port'],
  };
};
