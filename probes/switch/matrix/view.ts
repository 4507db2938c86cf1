import type { Judgement } from '../../../src/model/system.ts';
import type { Cell as Drawn, GridBlock, Heat } from '../../../src/model/view.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { age } from '../../../src/text/ages.ts';
import { dayTime } from '../../../src/text/zone.ts';
import { cellsOf, type Cell } from './matrix.ts';
import { serversOf, settingsOf } from '../settings.ts';

/** How bad a path is, here and in the detail of its client. */
export const signs = {
  clean: 'fine',
  jumbo: 'critical',
  both: 'warning',
  mtu: 'warning',
  unknown: 'unknown',
} as const;

/** `20/20 16/20`: replies to small and to jumbo pings of those sent. */
const drawCell = (cell: Cell | undefined): Drawn => {
  if (!cell) return { text: 'not run', sign: 'unknown' };
  const { small, jumbo, kind } = cell;
  const part = (one: typeof small): string => (one ? `${one.received}/${one.sent}` : '?');
  const text =
    kind === 'mtu'
      ? `${part(small)} ${jumbo?.mtu === undefined ? `${part(jumbo)} MTU?` : `MTU ${jumbo.mtu}`}`
      : `${part(small)} ${part(jumbo)}`;
  return {
    text,
    sign: signs[kind],
    age: cell.at,
    ...(kind !== 'unknown' && { heat: heatOf(cell) }),
  };
};

/** By the worse of the two sizes: a jumbo packet that does not fit is lost. */
const heatOf = ({ small, jumbo }: Cell): Heat => {
  const lost = Math.max(
    0,
    ...[small, jumbo].map((one) => (one && one.sent > 0 ? 1 - one.received / one.sent : 0)),
  );
  return lost === 0 ? 0 : lost <= 0.05 ? 1 : lost <= 0.2 ? 2 : lost < 1 ? 3 : 4;
};

/** Pings are traffic: a person runs them, and the clock where the site file allows it. */
const whenRun = (site: SiteView): string => {
  const times = (site.traffic ?? [])
    .filter(({ probe }) => probe === 'switch.matrix')
    .map(({ from, to, zone, everyMs }) => `${dayTime(from)}-${dayTime(to)} ${zone} every ${age(everyMs)}`);
  return ['reading a client again runs it', ...times].join(' and ');
};

/** The jumbo matrix: a row per client, a column per server; undefined where the site file asks for none. */
export const matrixGrid = (judgement: Judgement): GridBlock | undefined => {
  const { servers, count, jumbo } = settingsOf(judgement.site).matrix;
  if (servers.length === 0) return undefined;
  const cells = new Map(cellsOf(judgement).map((cell) => [`${cell.client} ${cell.server}`, cell]));
  const clients = judgement.readings.sources('switch.matrix').map(({ host }) => host);
  const none = judgement.readings
    .sources('switch.matrix')
    .every((source) => source.failure?.kind === 'readOnly');
  return {
    type: 'grid',
    id: 'matrix',
    title: `Jumbo matrix (${none ? 'not asked: read-only' : whenRun(judgement.site)}): replies to ${count} small and ${count} pings of ${jumbo} bytes`,
    columns: servers.map(({ name }) => name),
    rows: clients.map((client) => ({
      key: client,
      title: client,
      subject: { kind: 'host', id: client },
      cells: servers.map((server) =>
        serversOf(judgement.site, client).includes(server)
          ? drawCell(cells.get(`${client} ${server.name}`))
          : { text: '-' },
      ),
    })),
    scale: ['all came back', 'up to 5 % lost', 'up to 20 %', 'more', 'none came back'],
    empty: 'no host has the role ping-client',
    again: 'switch.matrix',
  };
};
