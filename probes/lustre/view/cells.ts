import type { Sign } from '../../../src/model/subject.ts';
import type { Cell, Column } from '../../../src/model/view.ts';
import { percent } from '../../../src/text/units.ts';
import { reachOf } from '../judge/reach.ts';
import { type Flag, flagsOf } from '../judge/flags.ts';
import type { FileSystem, OnMdt, OstRow } from '../judge/rows.ts';
import { shortTarget } from '../judge/names.ts';

const letters: Readonly<Record<Flag, string>> = {
  inactive: 'I',
  'max_create_count=0': '0',
  degraded: 'D',
  no_create: 'N',
};

/** `D`, `0` (max_create_count=0), `N` (no_create), `I` (inactive), `R` (read-only); `-` for none; `?`: `D` was not read. */
export const flagText = (ost: OstRow): string =>
  [
    ...flagsOf(ost).map((flag) => letters[flag]),
    ...(ost.readOnly ? ['R'] : []),
    ...(ost.degraded === undefined ? ['?'] : []),
  ].join('') || '-';

/** How one MDT holds an OST: `act`, `IN`, `max 0`, or the state of a broken connection (`disc`, `replay`). */
export const mdtText = ({ osp }: OnMdt): string => {
  if (!osp) return '?';
  if (osp.active === false) return 'IN';
  if (osp.state !== undefined && osp.state !== 'FULL' && osp.state !== 'IDLE') return shortState(osp.state);
  return osp.maxCreateCount === 0 ? 'max 0' : 'act';
};

/** Import states in at most six columns. */
const shortState = (state: string): string =>
  state.startsWith('REPLAY') ? 'replay' : state.toLowerCase().slice(0, state === 'DISCONN' ? 4 : 6);

const order = ['allocates', 'avoided', 'unknown', 'blocked'];

/** The answer that stands in the last column: where the MDTs differ, all of them. */
export const verdictText = ({ mdts }: OstRow): string => {
  const texts = new Map(mdts.map(({ allocation }) => [allocation.short, allocation.verdict]));
  if (texts.size === 0) return '? no MDT read';
  const known = [...texts].filter(([, verdict]) => verdict !== 'unknown');
  const shown = (known.length > 0 ? known : [...texts]).toSorted(
    (a, b) => order.indexOf(a[1]) - order.indexOf(b[1]),
  );
  return shown.map(([text]) => text).join(' / ');
};

/** Worst first: cut off, receives in spite of a flag, its clients are made to give up their locks, kept out. */
export const ostSign = (ost: OstRow): Sign => {
  const reach = reachOf(ost);
  if (reach === 'unreachable') return 'critical';
  if (reach === 'recovering' || ost.readOnly) return 'warning';
  if (ost.mdts.some(({ allocation }) => allocation.verdict === 'allocates' && allocation.ignored.length > 0))
    return 'warning';
  if (ost.clients.some(({ active }) => active === false) || ost.own?.locks?.slv === 1) return 'warning';
  if (flagsOf(ost).length > 0) return 'notice';
  const verdicts = new Set(ost.mdts.map(({ allocation }) => allocation.verdict));
  if (verdicts.has('blocked')) return 'warning';
  return reach === 'unknown' || verdicts.has('unknown') ? 'unknown' : 'fine';
};

/** `61 %`, `59-63 %` for several. */
export const rangeCell = (values: readonly (number | undefined)[]): Cell => {
  const known = values.filter((one) => one !== undefined);
  if (known.length === 0) return { text: '' };
  const [min, max] = [Math.min(...known), Math.max(...known)];
  const text =
    percent(min) === percent(max) ? percent(max) : `${percent(min).replace(' %', '')}-${percent(max)}`;
  return { text, sort: max };
};

/** One column for each of the first four MDTs of all file systems, by index. */
export const mdtColumns = (systems: readonly FileSystem[]): { name: string; column: Column }[] => {
  const names = [...new Set(systems.flatMap(({ mdts }) => mdts.map(({ name }) => shortTarget(name))))]
    .sort()
    .slice(0, 4);
  return names.map((name) => ({
    name,
    column: { id: name.toLowerCase(), title: name.replace(/^MDT0*(?=.)/, 'MDT'), min: 6, drop: 2 },
  }));
};

export const mdtCells = (ost: OstRow, columns: ReturnType<typeof mdtColumns>): Record<string, Cell> =>
  Object.fromEntries(
    columns.flatMap(({ name, column }) => {
      const on = ost.mdts.find(({ mdt }) => shortTarget(mdt) === name);
      return on ? [[column.id, { text: mdtText(on) }]] : [];
    }),
  );
