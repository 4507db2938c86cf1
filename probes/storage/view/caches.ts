import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Row, TableBlock } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import { controllerSources, freshValue, hostSubject } from '../judge/sources.ts';
import type { RaidToolReading, ReadBattery, ReadCache } from '../readings.ts';
import { toldCaches } from './told.ts';

/** Rows by danger: the lowest first. */
export const rankOf = ({ sign }: Pick<Row, 'sign'>): number =>
  ['critical', 'warning', 'unknown'].indexOf(sign ?? 'fine') + 1 || 9;

/**
 * What the caches of a controller do. Where the tool says the setting alone, a cache that is set to write back does so as long as its
 * battery is good (storcli help, `wrcache=wb`); else that is not known.
 */
const cacheStanding = (
  caches: readonly ReadCache[],
  batteries: readonly ReadBattery[],
): { sign: Sign; text: string } => {
  const through = caches.filter(({ writes }) => writes === 'through').length;
  if (through > 0)
    return {
      sign: caches.some(({ wanted, writes }) => writes === 'through' && wanted === 'back')
        ? 'warning'
        : 'notice',
      text: through === caches.length ? 'off' : `off for ${through} of ${caches.length}`,
    };
  if (caches.every(({ writes }) => writes === 'back')) return { sign: 'fine', text: 'writes back' };
  const isKept = batteries.length > 0 && batteries.every(({ good, learning }) => good === true && !learning);
  if (isKept && caches.every(({ writes, wanted }) => writes === 'back' || wanted === 'back'))
    return { sign: 'fine', text: 'set to write back' };
  const said = new Set(caches.map(({ said: words }) => words));
  return { sign: 'unknown', text: `not known: ${[...said].slice(0, 2).join('; ')}` };
};

const batteryStanding = (batteries: readonly ReadBattery[]): { sign: Sign; text: string } => {
  if (batteries.length === 0) return { sign: 'unknown', text: 'none of its own' };
  const text = batteries.map(({ said }) => said).join('; ');
  if (batteries.some(({ good }) => good === false)) return { sign: 'warning', text };
  return { sign: batteries.every(({ good }) => good === true) ? 'fine' : 'unknown', text };
};

const rowsOf = (host: string, { tool, caches, batteries }: RaidToolReading): Row[] => {
  const numbers = new Set([...caches, ...batteries].map(({ controller }) => controller));
  return [...numbers].map((controller) => {
    const own = caches.filter((cache) => cache.controller === controller);
    const cells = batteries.filter((battery) => battery.controller === controller);
    const cache =
      own.length === 0 ? { sign: 'unknown' as const, text: 'not known' } : cacheStanding(own, cells);
    const battery = batteryStanding(cells);
    const worse = rankOf(battery) < rankOf(cache) && battery.sign !== 'unknown' ? battery.sign : cache.sign;
    const arrays = own.filter(({ array }) => array !== undefined).length;
    return {
      key: `${host}:${tool}:${controller}`,
      subject: hostSubject(host),
      sign: worse,
      cells: {
        host: { text: host },
        controller: { text: `${tool} ${controller}` },
        cache: cache,
        battery,
        made: { text: cells.flatMap(({ made }) => made ?? []).join(', ') },
        arrays: { text: arrays === 0 ? '' : count(arrays, 'array') },
      },
      sources: [{ probe: 'storage.controllers', host }],
    };
  });
};

/** Controllers with what their write cache does, and the battery that keeps it. */
export const cachesTable = (judgement: Judgement): TableBlock[] => {
  const read = controllerSources(judgement).flatMap((source) =>
    (freshValue(source)?.tools ?? []).flatMap((tool) => rowsOf(source.host, tool)),
  );
  const rows = [...read, ...toldCaches(judgement)];
  return rows.length === 0
    ? []
    : [
        {
          type: 'table',
          id: 'caches',
          title: 'Write caches and their batteries',
          columns: [
            { id: 'host', title: 'HOST', min: 8, grow: 1, most: 20 },
            { id: 'controller', title: 'CONTROLLER', min: 10, grow: 1, most: 20 },
            { id: 'cache', title: 'WRITE CACHE', min: 12, grow: 1, most: 30 },
            { id: 'battery', title: 'BATTERY', min: 12, grow: 2, most: 50 },
            { id: 'made', title: 'MADE', min: 10, drop: 2 },
            { id: 'arrays', title: 'ARRAYS', min: 9, drop: 1 },
          ],
          rows: rows.toSorted((a, b) => rankOf(a) - rankOf(b)),
          empty: 'no controller',
        },
      ];
};
