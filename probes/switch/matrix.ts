import type { Judgement } from '../../src/model/system.ts';
import type { MatrixReading, PingCell } from './readings.ts';
import { settingsOf } from './settings.ts';

/** What the pair of pings from one client to one server says. `mtu`: large packets do not fit at all. */
export type Kind = 'clean' | 'jumbo' | 'both' | 'mtu' | 'unknown';

export interface Cell {
  client: string;
  server: string;
  kind: Kind;
  small?: PingCell;
  jumbo?: PingCell;
  /** UTC ms. */
  at: number;
}

const kindOf = (small: PingCell | undefined, jumbo: PingCell | undefined): Kind => {
  if (jumbo?.mtu !== undefined || /too long|frag/i.test(jumbo?.error ?? '')) return 'mtu';
  if (!small || !jumbo || small.sent === 0 || jumbo.sent === 0) return 'unknown';
  const lost = (cell: PingCell): number => cell.sent - cell.received;
  if (lost(jumbo) === 0 && lost(small) === 0) return 'clean';
  if (lost(small) > 0) return 'both';
  // Not one of many got through while small ones all did: a limit on the way, not loss.
  return jumbo.received === 0 && jumbo.sent >= 5 ? 'mtu' : 'jumbo';
};

/** All cells by the last run of each client. */
export const cellsOf = ({ readings, site }: Judgement): readonly Cell[] => {
  const { jumbo, small } = settingsOf(site).matrix;
  return readings.sources<MatrixReading>('switch.matrix').flatMap(({ host, good }) =>
    good === undefined
      ? []
      : [...new Set(good.value.cells.map((cell) => cell.server))].map((server) => {
          const of = (bytes: number): PingCell | undefined =>
            good.value.cells.find((cell) => cell.server === server && cell.bytes === bytes);
          const [little, large] = [of(small), of(jumbo)];
          return {
            client: host,
            server,
            kind: kindOf(little, large),
            ...(little && { small: little }),
            ...(large && { jumbo: large }),
            at: good.at,
          };
        }),
  );
};

/** Lossy jumbo cells beside clean small ones of all cells; undefined when nothing was run. */
export const matrixSums = (judgement: Judgement): { lossy: number; cells: number } | undefined => {
  const cells = cellsOf(judgement);
  return cells.length === 0
    ? undefined
    : { lossy: cells.filter(({ kind }) => kind === 'jumbo').length, cells: cells.length };
};

/** `2 of 16 jumbo paths lossy`. */
export const matrixText = (judgement: Judgement): string => {
  const sums = matrixSums(judgement);
  return sums ? `${sums.lossy} of ${sums.cells} jumbo paths lossy` : 'not run yet';
};
