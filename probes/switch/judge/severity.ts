import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { PortRates } from './rates.ts';
import { settingsOf } from '../settings.ts';

/** Fewer bad frames than these in an interval are no finding: one flipped bit is nobody's fault. */
const fewest = { warning: 3n, critical: 10n, criticalAlone: 30n };

/**
 * Whether one interval alone shows that much, for whoever has no second one yet (`status`): the count may be two of its own standard
 * deviations (Poisson) too high and is still over.
 */
const isOverByItself = ({ rxBadCount = 0n, rxShare }: PortRates, share: number): boolean =>
  rxBadCount >= fewest.criticalAlone && (rxShare ?? 0) * (1 - 2 / Math.sqrt(Number(rxBadCount))) >= share;

/** critical: 1e-4 of frames in each of two intervals, or clearly in the only one there is; warning: 1e-7 in the newest one. */
export const severityOf = (
  [now, before]: readonly PortRates[],
  { site }: Pick<Judgement, 'site'>,
): Severity | undefined => {
  const { critical, warning } = settingsOf(site).thresholds;
  const isOver = (one: PortRates | undefined, share: number, least: bigint): boolean =>
    (one?.rxBadCount ?? 0n) >= least && (one?.rxShare ?? 1) >= share;
  // The device just brought the link up: what it counts then is no fault.
  if ((now?.linkChanges ?? 0) > 0) return undefined;
  if (isOver(now, critical, fewest.critical) && isOver(before, critical, fewest.critical)) return 'critical';
  if (now && before === undefined && isOverByItself(now, critical)) return 'critical';
  return isOver(now, warning, fewest.warning) ? 'warning' : undefined;
};

/**
 * Bad frames over the share of a warning that tell nothing yet: too few for one, where a longer interval tells whether they go on; or enough,
 * on a link that went meanwhile, where it tells whether it stays or flaps.
 */
export const isTooFewToTell = (
  { rxBadCount = 0n, rxShare = 1, linkChanges = 0 }: PortRates,
  { site }: Pick<Judgement, 'site'>,
): boolean => {
  const isEnough = rxBadCount >= fewest.warning;
  return (
    rxShare >= settingsOf(site).thresholds.warning &&
    (linkChanges > 0 ? isEnough : rxBadCount > 0n && !isEnough)
  );
};

/** Enough bad frames for a warning, in an interval of any length. */
export const isOverWarning = (
  { rxBadCount = 0n, rxShare = 1 }: PortRates,
  { site }: Pick<Judgement, 'site'>,
): boolean => rxBadCount >= fewest.warning && rxShare >= settingsOf(site).thresholds.warning;

export const isBad = (rates: readonly PortRates[], judgement: Pick<Judgement, 'site'>): boolean =>
  severityOf(rates, judgement) !== undefined;

/** Transmit errors of its own, in two intervals: nobody may receive them, the frames are lost all the same. */
export const isSendingBad = (
  [now, before]: readonly PortRates[],
  { site }: Pick<Judgement, 'site'>,
): boolean =>
  [now, before].every(
    (one) =>
      one !== undefined &&
      (one.linkChanges ?? 0) === 0 &&
      (one.txBad ?? 0) * one.seconds >= Number(fewest.warning) &&
      (one.txShare ?? 1) >= settingsOf(site).thresholds.warning,
  );
