/** bits/s as Gbit/s in three digits: `9.47`, `0.095`, `94.1`; always the same unit, so that figures compare. */
export const figure = (bps: number): string => {
  const gbit = bps / 1e9;
  if (gbit >= 100) return gbit.toFixed(0);
  if (gbit >= 10) return gbit.toFixed(1);
  return gbit >= 1 || gbit === 0 ? gbit.toFixed(2) : gbit.toPrecision(3);
};
