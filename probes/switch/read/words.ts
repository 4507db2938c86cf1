import type { EndState } from '../judge/states.ts';

/** `1,204`, `0.4`, `0.003`: errors per second. */
export const ratePerSecond = (value: number): string =>
  value === 0
    ? '0'
    : value >= 9.95
      ? Math.round(value).toLocaleString('en-US')
      : value >= 0.0095
        ? value.toFixed(value >= 0.995 ? 1 : 2)
        : value.toPrecision(1);

/** `5.7 %`, `4e-5 %` for what percent would call nothing. */
export const sharePercent = (share: number): string => {
  const value = share * 100;
  if (value === 0) return '0 %';
  return value >= 0.05
    ? `${value >= 9.95 ? Math.round(value) : value.toFixed(1)} %`
    : `${value.toExponential(0)} %`;
};

/** Bad frames/s that an end receives, else those that it sends, and their share of all. */
export const badFrames = ({
  rates: [now],
  sends,
}: EndState): { way: 'receives' | 'sends'; rate?: number; share?: number } => {
  const sending = sends === true && (now?.rxBad ?? 0) === 0;
  const [rate, share] = sending ? [now?.txBad, now?.txShare] : [now?.rxBad, now?.rxShare];
  return {
    way: sending ? 'sends' : 'receives',
    ...(rate !== undefined && { rate }),
    ...(share !== undefined && { share }),
  };
};
