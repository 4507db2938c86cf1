import type { ActionName, MenuEntry, Requests } from '../../../src/model/wire.ts';
import type { RankedFinding } from '../../../src/model/finding.ts';
import { subjectKey, type Subject } from '../../../src/model/subject.ts';
import { clock } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { cut } from '../../../src/text/width.ts';
import type { Context } from '../../context.ts';
import { FINDINGS } from '../../findings.ts';
import { chosenRows, focusedPane, subjectsOf, type Focused } from '../../state.ts';
import type { Menu, MenuItem, Wanted } from '../../overlays.ts';
import { arrange, bestRemedy, manualRemediesOf, changeOf, keyOf, remedyPlace } from './items.ts';
import { requestPlan, showFailure } from './plan.ts';

/** An open menu is asked for anew this often: what it offers follows the readings. */
const REFRESH_MS = 2_000;
/** Columns of a group's name in the title: how many it has stands behind it, at 80 columns too. */
const GROUP = 50;

const titleOf = (subjects: readonly Subject[]): string =>
  subjects.length === 1 && subjects[0]
    ? `${subjects[0].kind} ${subjects[0].id}`
    : count(subjects.length, 'target');

/** A group that is called by one of its own (a pair of hosts) says so: `a:b: 6 targets` would read as a range. */
const groupTitle = (group: string, subjects: readonly Subject[]): string =>
  subjects.length > 1 && subjects.some(({ id }) => id === group)
    ? `${group} and ${subjects.length - 1} more`
    : `${cut(group, GROUP)}: ${titleOf(subjects)}`;

const remediesOf = (findings: readonly RankedFinding[]): readonly Wanted[] =>
  findings.flatMap(({ remedies }) =>
    remedies.map(({ action, subjects, set = {} }): Wanted => ({ action, subjects, set })),
  );

const emptyMenu = (context: Context, title: string, subjects: readonly Subject[]): Menu => ({
  kind: 'menu',
  id: `${context.ports.clock.mono()} ${title}`,
  title,
  subjects,
  findings: [],
  remedies: [],
  byHand: [],
  unfolded: false,
  askedAt: context.ports.clock.mono(),
  asking: true,
});

/** `a`: the actions of the marked rows, else of the row under the cursor. */
export const openMenu = (context: Context): void => {
  const state = context.state();
  if (context.ports.readOnly) {
    context.toast('this console is read-only: it has no actions', 'warning');
    return;
  }
  const at = focusedPane(state, context.lists);
  const rows = at ? chosenRows(at).rows : [];
  const findings = (state.data.findings ?? []).filter(
    (finding) => at?.head.id === FINDINGS && rows.some((row) => row.key === finding.id),
  );
  const all = rows.flatMap((row) => subjectsOf(row));
  const subjects = [...new Map(all.map((subject) => [subjectKey(subject), subject])).values()];
  if (subjects.length === 0) {
    const none = rows.length === 0 ? 'there is no row yet' : 'no action applies to this row';
    context.toast(none, 'warning');
    return;
  }
  const [only, more] = rows;
  const group = only && !more ? (only.subject?.id ?? '') : count(rows.length, 'row');
  // A finding on a server that one client suffers from names both.
  const isAlone = subjects.length === 1 && (more !== undefined || ['', subjects[0]?.id].includes(group));
  const systems = at?.head.id === FINDINGS ? findings.map(({ system }) => system) : at ? [at.head.id] : [];
  const [system, other] = new Set(systems);
  const menu: Menu = {
    ...emptyMenu(context, isAlone ? titleOf(subjects) : groupTitle(group, subjects), subjects),
    ...(system !== undefined && other === undefined && { system }),
    findings: findings.map(({ id }) => id),
    remedies: remediesOf(findings),
    byHand: manualRemediesOf(findings),
    beside: only && !more && 'beside' in only ? (only.beside ?? []) : [],
  };
  context.push(menu);
  ask(context, menu);
};

/** The menu of these subjects with an action chosen, whether it is available or not: Enter plans it. */
export const openMenuOf = (
  context: Context,
  subjects: readonly Subject[],
  { action, system }: Pick<ActionName, 'action' | 'system'>,
): void => {
  const menu: Menu = {
    ...emptyMenu(context, titleOf(subjects), subjects),
    system,
    cursor: keyOf({ action }),
    touched: true,
  };
  context.push(menu);
  ask(context, menu);
};

/**
 * `r` on cells that only an action makes anew: its dialog, for the marked rows of that grid, else for the row. Gives whether it did:
 * a read-only console has none.
 */
export const readByAction = (context: Context, at: Focused): boolean => {
  const { item } = at;
  if (item?.type !== 'gridRow' || item.block.again === undefined || context.ports.readOnly) return false;
  const rows = chosenRows(at).rows.filter((row) => item.block.rows.some((own) => own === row));
  const subjects = (rows.length > 0 ? rows : [item.row]).flatMap(({ subject }) => subject ?? []);
  if (subjects.length === 0) return false;
  const menu = emptyMenu(context, titleOf(subjects), subjects);
  context.push(menu);
  requestPlan(context, menu, { action: item.block.again, subjects, set: {} });
  return true;
};

/** The menu as it is now, whatever was pressed since it was asked for. */
const currentOf = (context: Context, id: string): Menu | undefined =>
  context.state().ui.overlays.find((one): one is Menu => one.kind === 'menu' && one.id === id);

const ask = (context: Context, menu: Menu): void => {
  entriesFor(context, menu).then(
    (entries) => {
      const now = currentOf(context, menu.id);
      if (now && now.busy === undefined) context.replace(now, withEntries(context, now, entries));
    },
    (error: unknown) => {
      const now = currentOf(context, menu.id);
      if (now && now.busy === undefined) showFailure(context, now, error);
    },
  );
};

/** Once a second: an open menu that was asked for a while ago is asked for anew, with what its findings offer now. */
export const refreshMenu = (context: Context): void => {
  const { ui, live } = context.state();
  const menu = ui.overlays.at(-1);
  const mono = context.ports.clock.mono();
  if (menu?.kind !== 'menu' || menu.asking || menu.busy !== undefined) return;
  if (menu.entries === undefined || mono - menu.askedAt < REFRESH_MS || live.collector.state !== 'running')
    return;
  const found = (live.findings ?? []).filter(({ id }) => menu.findings.includes(id));
  const isGone = menu.findings.length > 0 && found.length === 0;
  const next: Menu = {
    ...menu,
    asking: true,
    askedAt: mono,
    // What offered them is gone: the lines stay as they are, and say whether they can still be had.
    ...(!isGone && { remedies: remediesOf(found), byHand: manualRemediesOf(found) }),
    ...(isGone && !menu.gone && { gone: true, changed: sayNow(context, goneText) }),
  };
  context.replace(menu, next);
  ask(context, next);
};

const goneText = 'the finding is gone';

const sayNow = (context: Context, text: string): string => `${clock(context.ports.clock.now())}  ${text}`;

/**
 * A choice that no key has made goes to the best remedy; from the first key on it stays where it is, by what it is: a key on its way
 * never meets another action.
 */
const withEntries = (context: Context, menu: Menu, entries: readonly MenuItem[]): Menu => {
  const change = menu.entries === undefined ? undefined : changeOf(menu.entries, entries);
  const { cursor, ...rest } = menu;
  const next: Menu = {
    ...rest,
    entries,
    asking: false,
    ...(change !== undefined && {
      changed: sayNow(context, menu.gone ? `${goneText}; ${change}` : change),
    }),
  };
  const best = menu.touched ? undefined : bestRemedy(next);
  const wanted = best === undefined ? cursor : keyOf(best);
  if (wanted === undefined) return next;
  const isMoved = menu.entries !== undefined && wanted !== cursor;
  return { ...next, cursor: wanted, ...(isMoved && { movedAt: context.ports.clock.mono() }) };
};

/** The remedies of the findings, and what else can be done on the rows and on what stands beside them. */
const entriesFor = async (context: Context, menu: Menu): Promise<readonly MenuItem[]> => {
  const { subjects, remedies, beside = [], system } = menu;
  const owner = system === undefined ? {} : { system };
  const request = (args: Requests['menu']['in']): Promise<readonly MenuEntry[]> =>
    context.ports.mirror.request('menu', args);
  const here = request({ subjects, ...owner });
  const own = remedies.map(async ({ action, ...remedy }): Promise<readonly MenuItem[]> => {
    const place = remedyPlace({ action, ...remedy }, subjects);
    const offered = place.on === undefined ? await here : await request({ subjects: place.on });
    const entry = offered.find((one) => one.action === action);
    return entry ? [{ ...entry, title: titleWith(entry.title, place, remedies), ...place, own: true }] : [];
  });
  const ends = beside.map(async (subject): Promise<readonly MenuItem[]> => {
    const found = await request({ subjects: [subject], ...owner });
    return found.map((entry) => ({ ...entry, title: `${entry.title}: ${subject.id}`, on: [subject] }));
  });
  const [offered, mine, far] = await Promise.all([here, Promise.all(own), Promise.all(ends)]);
  return arrange(mine.flat(), [...offered, ...far.flat()]);
};

/** `set balancing: scratch, threshold 100` */
const titleWith = (
  title: string,
  { on, set = {} }: Pick<MenuItem, 'on' | 'set'>,
  remedies: readonly Wanted[],
): string => {
  // What tells two lines apart stands first: the end is cut where there is little room.
  const isCommon = ([name, value]: [string, string]): boolean =>
    remedies.every((remedy) => (remedy.set[name] ?? value) === value);
  const values = Object.entries(set);
  const given = [...values.filter((one) => !isCommon(one)), ...values.filter(isCommon)].map(
    ([name, value]) => `${name} ${value}`,
  );
  const subjectNames = on?.map(({ id }) => id) ?? [];
  const said = [...subjectNames, ...given].join(', ');
  return said === '' ? title : `${title}: ${said}`;
};
