import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, GridBlock } from '../../../src/model/view.ts';
import { controllerDisk } from '../enclosures.ts';
import type { EnclosuresReading } from '../enclosures.ts';
import { predictedDisks } from '../judge/find-disks.ts';
import {
  controllerSources,
  freshValue,
  hostSubject,
  isUncertain,
  seenArrays,
  type SeenArray,
} from '../judge/sources.ts';

/** Slots of a row: enclosures have 12, 24, 60 or 84. */
const ACROSS = 12;

/** A disk's state by its sign, which says the same without colours. */
const marks = {
  good: { text: '+', sign: 'fine' },
  filling: { text: '>', sign: 'warning' },
  missing: { text: 'x', sign: 'critical' },
  unknown: { text: '?', sign: 'unknown' },
  suspect: { text: '!', sign: 'warning' },
  spare: { text: 's', sign: 'fine' },
} as const satisfies Record<string, { text: string; sign: Sign }>;

const LEGEND = '+ good  > filling  x out  ! suspect  ? unknown  s spare  - free  . empty  * LED lit';

type Mark = (typeof marks)[keyof typeof marks];

/** What is known of the disks of a host, the worst of each. */
const marksOf = (
  host: string,
  arrays: readonly SeenArray[],
  judgement: Judgement,
): ReadonlyMap<string, Mark> => {
  const own = arrays.filter((seen) => seen.host === host);
  const suspects = [
    ...predictedDisks(judgement).flatMap((one) => (one.host === host ? [one.disk.name] : [])),
    ...controllerSources(judgement)
      .filter((source) => source.host === host)
      .flatMap((source) =>
        (freshValue(source)?.tools ?? []).flatMap((tool) => tool.suspects.map(({ disk }) => disk)),
      ),
  ];
  const found = new Map<string, Mark>();
  const rank = ({ text }: Mark): number => 's+!?>x'.indexOf(text);
  const put = (disk: string, mark: Mark): void => {
    const other = found.get(disk);
    if (!other || rank(mark) > rank(other)) found.set(disk, mark);
  };
  for (const seen of own) {
    for (const { disk, state } of seen.array.slots)
      if (disk !== undefined) put(disk, marks[isUncertain(seen) && state === 'good' ? 'unknown' : state]);
    for (const disk of seen.array.spareDisks ?? []) put(disk, marks.spare);
    for (const disk of seen.array.out ?? []) put(disk, marks.missing);
  }
  for (const disk of suspects) put(disk, marks.suspect);
  return found;
};

/** A slot of a drawing, at its number. */
interface Drawn {
  at: number;
  cell: Cell;
}

/** An enclosure as rows of a dozen slots; a number that nothing is known of is left blank. */
const rowsOf = (host: string, id: string, slots: readonly Drawn[]): GridBlock['rows'][number][] => {
  const byRow = Map.groupBy(slots, ({ at }) => Math.floor(at / ACROSS));
  return [...byRow]
    .toSorted(([a], [b]) => a - b)
    .map(([row, own]) => ({
      key: `${host}:${id}:${row}`,
      title: `${host} ${id}: ${row * ACROSS}-`,
      subject: hostSubject(host),
      cells: Array.from(
        { length: ACROSS },
        (_, at): Cell => own.find((one) => one.at % ACROSS === at)?.cell ?? { text: '' },
      ),
    }));
};

const drawnSlots = ({ enclosures }: EnclosuresReading, states: ReadonlyMap<string, Mark>) =>
  enclosures.map(({ id, slots }) => ({
    id,
    slots: slots.map(({ number, disk, status, fault, lit }, index): Drawn => {
      const bad = fault === true || (status !== undefined && /critical|unrecoverable/.test(status));
      const known = disk === undefined ? undefined : states.get(disk);
      const mark: Cell = known ?? (bad ? marks.suspect : disk !== undefined ? { text: '-' } : { text: '.' });
      const shown = bad && mark.text === '+' ? marks.suspect : mark;
      return {
        at: number ?? index,
        cell: { ...shown, text: `${shown.text}${lit === true ? '*' : ''}`, showsSign: true },
      };
    }),
  }));

/** Of disks behind controllers the name says enclosure and slot. */
const slotsOfControllers = (states: ReadonlyMap<string, Mark>) => {
  const found = [...states].flatMap(([key, mark]) => {
    const disk = controllerDisk(key);
    return disk === undefined
      ? []
      : [
          {
            id: `c${disk.controller} ${disk.enclosure ?? ''}`.trim(),
            at: Number(disk.slot),
            cell: { ...mark, showsSign: true as const },
          },
        ];
  });
  return [...Map.groupBy(found, ({ id }) => id)].map(([id, slots]) => ({ id, slots }));
};

/** `all`: enclosures in which all is well, too. */
const enclosuresOf = (host: string, arrays: readonly SeenArray[], judgement: Judgement, all: boolean) => {
  const reading = freshValue(judgement.readings.source<EnclosuresReading>('storage.enclosures', host));
  const states = marksOf(host, arrays, judgement);
  const drawn = [...(reading ? drawnSlots(reading, states) : []), ...slotsOfControllers(states)];
  return drawn
    .filter(({ slots }) => all || slots.some(({ cell }) => !/^[+s.-]?$/.test(cell.text)))
    .flatMap(({ id, slots }) => rowsOf(host, id, slots));
};

/** Enclosures as a drawing of their slots: in the pane those in which something is not well, in the page of a host all of its own. */
export const slotGrid = (judgement: Judgement, only?: string): GridBlock[] => {
  const arrays = seenArrays(judgement);
  const hosts = only === undefined ? [...new Set(arrays.map(({ host }) => host))] : [only];
  const rows = hosts.flatMap((host) => enclosuresOf(host, arrays, judgement, only !== undefined));
  return rows.length === 0
    ? []
    : [
        {
          type: 'grid',
          id: 'slots',
          title: `Slots: ${LEGEND}`,
          columns: Array.from({ length: ACROSS }, (_, at) => `+${at}`),
          rows,
          empty: 'no enclosure',
        },
      ];
};
