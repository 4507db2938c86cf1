import type { End, Place } from '../../../probes/switch/verdict/case.ts';
import type { PortRates } from '../../../probes/switch/judge/rates.ts';
import type { Lane, Repair } from '../../../probes/switch/readings.ts';

export const A = 'nfs-sw1 te1/12';
export const B = 'core3 te3/46';

/** `core3 te3/46`. */
export const place = (name: string): Place => ({ id: name.replace(' ', ':'), name });

export const rates = (more: Partial<PortRates> = {}): PortRates => ({
  at: 0,
  seconds: 10,
  rxBad: 0,
  txBad: 0,
  rxPackets: 21_000,
  rxShare: 0,
  remarks: [],
  ...more,
});

export const bad = rates({ rxBad: 1204, rxShare: 0.057 });
const low = { txLimits: { warnLow: -6 }, rxLimits: { warnLow: -11 } };
export const lane = (txDbm: number, rxDbm: number, more: Partial<Lane> = {}): Lane => ({
  port: 'p',
  txDbm,
  rxDbm,
  ...low,
  ...more,
});
export const rxLimits = { warnLow: -11, warnHigh: 0.5 };
const fine = [lane(-2.5, -2.9)];

export const sender = (more: Partial<End> = {}): End => ({
  id: 'nfs-sw1:te1/12',
  name: A,
  rates: [rates(), rates()],
  lanes: fine,
  repairs: [],
  ...more,
});
export const receiver = (more: Partial<End> = {}): End => ({
  id: 'core3:te3/46',
  name: B,
  rates: [bad, bad],
  lanes: fine,
  repairs: [],
  ...more,
});
export const repair = (port: string, part: Repair['part']): Repair => ({
  at: 0,
  port,
  part,
  text: `${part} done`,
  by: 'alice',
});
