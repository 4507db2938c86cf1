import { dropUndefined } from '../../../src/kit/known.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Link } from '../links/link.ts';
import { mayPass } from '../links/paths.ts';
import type { MatrixReading, PingCell } from '../readings.ts';
import { settingsOf } from '../settings.ts';

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
  const countLost = (cell: PingCell): number => cell.sent - cell.received;
  if (countLost(jumbo) === 0 && countLost(small) === 0) return 'clean';
  if (countLost(small) > 0) return 'both';
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
          const makeCell = (bytes: number): PingCell | undefined =>
            good.value.cells.find((cell) => cell.server === server && cell.bytes === bytes);
          const [little, large] = [makeCell(small), makeCell(jumbo)];
          return {
            client: host,
            server,
            kind: kindOf(little, large),
            ...dropUndefined({ small: little, jumbo: large }),
            at: good.at,
          };
        }),
  );
};

/**
 * The jumbo cells whose path may lead over a link, where that is known of any; else all of them. Only cells whose small pings are clean
 * speak of damage.
 */
export const findJumboOver = (
  judgement: Judgement,
  link: Link,
  links: readonly Link[],
): { lossy: number; cells: number; onPath: boolean } | undefined => {
  const { servers } = settingsOf(judgement.site).matrix;
  const cells = cellsOf(judgement).filter(({ kind }) => kind === 'clean' || kind === 'jumbo');
  if (cells.length === 0) return undefined;
  const led = cells.map((cell) => {
    const { host, name } = servers.find((one) => one.name === cell.server) ?? { name: cell.server };
    const server = judgement.site.resolve('host', host ?? name)?.id;
    return { cell, passes: server === undefined ? undefined : mayPass(links, link, cell.client, server) };
  });
  const onPath = led.some(({ passes }) => passes !== undefined);
  const found = onPath ? led.filter(({ passes }) => passes === true) : led;
  return {
    lossy: found.filter(({ cell }) => cell.kind === 'jumbo').length,
    cells: found.length,
    onPath,
  };
};

/** Lossy jumbo cells beside clean small ones of all cells (of some clients); undefined when nothing was run. */
export const matrixSums = (
  judgement: Judgement,
  clients?: readonly string[],
): { lossy: number; cells: number } | undefined => {
  const cells = cellsOf(judgement).filter(({ client }) => clients?.includes(client) ?? true);
  return cells.length === 0
    ? undefined
    : { lossy: cells.filter(({ kind }) => kind === 'jumbo').length, cells: cells.length };
};

/** `2 of 16 jumbo paths lossy`: of these clients, else of all. */
export const matrixText = (judgement: Judgement, clients?: readonly string[]): string => {
  const sums = matrixSums(judgement, clients);
  return sums ? `${sums.lossy} of ${sums.cells} jumbo paths lossy` : 'not run yet';
};
