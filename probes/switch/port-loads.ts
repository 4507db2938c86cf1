import { at, isRecord, jsonIn, textOf, type Json } from './parse-json.ts';

/** `2.24%`; `N/A` and anything else is no figure. */
const shareOf = (cell: Json | undefined): number | undefined => {
  const percent = /^(\d{1,6}(?:\.\d{1,6})?)%$/.exec(textOf(cell)?.trim() ?? '')?.[1];
  return percent === undefined ? undefined : Number(percent) / 100;
};

/**
 * `RX_UTIL` and `TX_UTIL` of `portstat -j`: bytes per second of its rates table against the port's speed (sonic-utilities, netstat.py,
 * format_util). It prints no count of bytes. The busier direction; a port that tells one of the two only is left out.
 */
const portstat = (stdout: string): ReadonlyMap<string, number> => {
  const ports = jsonIn(stdout);
  if (!isRecord(ports)) return new Map();
  return new Map(
    Object.entries(ports).flatMap(([port, one]) => {
      const [rx, tx] = [shareOf(at(one, 'RX_UTIL')), shareOf(at(one, 'TX_UTIL'))];
      return rx === undefined || tx === undefined ? [] : [[port, Math.max(rx, tx)] as const];
    }),
  );
};

/** Share of its speed that a port carries in its busier direction, 0..1, by its printed name, where the platform tells that itself. */
export const loadsIn = (platform: string, stdout: string): ReadonlyMap<string, number> =>
  platform === 'sonic' ? portstat(stdout) : new Map();
