import { at, isRecord, jsonIn } from '../../read/parse-json.ts';
import { listed, noneSpans, type ChassisAnswer, type ChassisReading } from '../../read/chassis-reading.ts';

/** `grep -rH 'Min links' /proc/net/bonding`. */
export const cumulusMinLinks = (text: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(/^\/proc\/net\/bonding\/([^:]+):Min links: (\d+)/gm)].map(([, lag = '', min]) => [
      lag,
      Number(min),
    ]),
  );

/** `clagctl -j`. Where the service is not set up bonds are the switch's own. */
export const cumulusChassis = ({ stdout, lag }: ChassisAnswer): ChassisReading | undefined => {
  // A service that is configured and does not run is none of these: its bonds still span both.
  if (/^The clagd service is not configured\.?$|clagctl: command not found$/m.test(stdout)) return noneSpans;
  const told = jsonIn(stdout);
  const bonds = at(told, 'clagIntfs');
  if (!isRecord(told) || !isRecord(at(told, 'status'))) return undefined;
  const alive = at(at(told, 'status'), 'peerAlive');
  if (isRecord(bonds) && typeof alive !== 'boolean') return undefined;
  return listed(
    isRecord(bonds) ? Object.keys(bonds).map((name) => ({ lag: lag(name) })) : [],
    undefined,
    alive === false ? 'clagd says that its peer is not alive' : undefined,
  );
};
