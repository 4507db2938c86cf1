import type { MenuEntry, Requests } from '../../../src/model/wire.ts';
import { subjectKey, type Subject } from '../../../src/model/subject.ts';
import { count } from '../../../src/text/units.ts';
import { wrap } from '../../../src/text/width.ts';
import { patch, type Context } from '../../context.ts';
import { FINDINGS } from '../../findings.ts';
import { defineKeys, runKey } from '../../keys.ts';
import { blank, cell, joinPieces, safeWidth, type Painted } from '../../paint.ts';
import { chosenRows, focusedPane, subjectsOf, type Focused } from '../../state.ts';
import type { Style, Theme } from '../../theme.ts';
import type { Menu, MenuItem, Wanted } from '../../ui.ts';
import { type Dialog, drawBox, innerWidth, keysLine } from '../dialog.ts';
import { makeForm, requestPlan, showFailure } from './plan.ts';

const keys = defineKeys([
  { keys: ['Up', 'k'], does: 'up', text: 'action above' },
  { keys: ['Down', 'j'], does: 'down', text: 'action below' },
  { keys: ['Enter'], does: 'open', text: 'plan it; nothing runs yet', hint: 'plan it' },
  { keys: ['o'], does: 'options', text: 'set its options first', hint: 'options' },
  { keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close' },
]);

const titleOf = (subjects: readonly Subject[]): string =>
  subjects.length === 1 && subjects[0]
    ? `${subjects[0].kind} ${subjects[0].id}`
    : count(subjects.length, 'target');

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
  const remedies = findings.flatMap((finding) =>
    finding.remedies.map(({ action, subjects, set = {} }): Wanted => ({ action, subjects, set })),
  );
  const all = rows.flatMap((row) => subjectsOf(row));
  const subjects = [...new Map(all.map((subject) => [subjectKey(subject), subject])).values()];
  if (subjects.length === 0) {
    const none = rows.length === 0 ? 'there is no row yet' : 'this row is about nothing that can be acted on';
    context.toast(none, 'warning');
    return;
  }
  const [only, more] = rows;
  const group = only && !more ? (only.subject?.id ?? '') : count(rows.length, 'row');
  const title = subjects.length === 1 ? titleOf(subjects) : `${group}: ${titleOf(subjects)}`;
  const beside = only && !more && 'beside' in only ? (only.beside ?? []) : [];
  const menu: Menu = { kind: 'menu', title, subjects, remedies, beside, cursor: 0 };
  context.push(menu);
  const systems = at?.head.id === FINDINGS ? findings.map(({ system }) => system) : at ? [at.head.id] : [];
  const [system, other] = new Set(systems);
  entriesFor(context, menu, system !== undefined && other === undefined ? { system } : {}).then(
    (entries) => showEntries(context, menu, entries),
    (error: unknown) => showFailure(context, menu, error),
  );
};

/** What can be done on the rows; behind each remedy of a finding the next ones that act on something else. */
const entriesFor = async (
  context: Context,
  menu: Menu,
  owner: { system?: string },
): Promise<readonly MenuItem[]> => {
  const ask = (args: Requests['menu']['in']): Promise<readonly MenuEntry[]> =>
    context.ports.mirror.request('menu', args);
  const elsewhere = menu.remedies.filter((remedy) => actsElsewhere(menu, remedy));
  const [own, ...others] = await Promise.all([
    ask({ subjects: menu.subjects, ...owner }),
    ...elsewhere.map(async ({ action, subjects }) => {
      const entry = (await ask({ subjects })).find((offered) => offered.action === action);
      return entry ? [{ ...entry, title: `${entry.title}: ${subjects.map(({ id }) => id).join(', ')}` }] : [];
    }),
  ]);
  const ends = await Promise.all(
    (menu.beside ?? []).map((subject) => ask({ subjects: [subject], ...owner })),
  );
  const besides = ends.flatMap((found, at) =>
    found.map((entry): MenuItem => {
      const on = menu.beside?.[at];
      return on ? { ...entry, title: `${entry.title}: ${on.id}`, on: [on] } : entry;
    }),
  );
  const known = new Set(own.map(({ action }) => action));
  const more = others.flat().filter(({ action }) => !known.has(action));
  const after = own.findIndex(({ action }) => action === menu.remedies[0]?.action);
  return [...own.toSpliced(after + 1, 0, ...more), ...besides];
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
  const menu: Menu = { kind: 'menu', title: titleOf(subjects), subjects, remedies: [], cursor: 0 };
  context.push(menu);
  requestPlan(context, menu, { action: item.block.again, subjects, set: {} });
  return true;
};

/** The cursor goes to the finding's own remedy, else to the first that can be done. */
const showEntries = (context: Context, menu: Menu, entries: readonly MenuItem[]): void => {
  const wanted = menu.remedies[0]?.action;
  const preferred = entries.findIndex((entry) => entry.available && entry.action === wanted);
  const available = entries.findIndex((entry) => entry.available);
  patch(context, menu, { entries, cursor: Math.max(0, preferred >= 0 ? preferred : available) });
};

const choose = (context: Context, menu: Menu, withOptions: boolean): void => {
  const entry = menu.entries?.[menu.cursor];
  if (!entry) return;
  if (!entry.available) {
    context.toast(`not available: ${entry.text}`, 'warning');
    return;
  }
  const wanted = wantedOf(menu, entry);
  const open = entry.prompts.filter((prompt) => wanted.set[prompt.name] === undefined);
  const asks = open.some((prompt) => prompt.required) || (withOptions && open.length > 0);
  if (!asks) {
    requestPlan(context, menu, wanted);
    return;
  }
  context.replace(menu, makeForm(entry.title, wanted, open));
};

/**
 * A finding's remedy may name only those that it will help. The plan is asked for all that were chosen, so that it says
 * of the others why they are left out; only a remedy on something else (the port of a node) keeps its own subjects.
 */
const wantedOf = (menu: Menu, { action, on }: MenuItem): Wanted => {
  if (on) return { action, subjects: on, set: {} };
  const remedy = menu.remedies.find((other) => other.action === action);
  const subjects = remedy && actsElsewhere(menu, remedy) ? remedy.subjects : menu.subjects;
  return { action, subjects, set: remedy?.set ?? {} };
};

const actsElsewhere = (menu: Menu, remedy: Wanted): boolean => {
  const chosen = new Set(menu.subjects.map(subjectKey));
  return remedy.subjects.some((subject) => !chosen.has(subjectKey(subject)));
};

const moveTo = (context: Context, menu: Menu, cursor: number): void => {
  const last = (menu.entries?.length ?? 0) - 1;
  patch(context, menu, { cursor: Math.max(0, Math.min(last, cursor)) });
};

export const menuDialog: Dialog<Menu> = {
  keys,
  press: (context, menu, { name }) => {
    const idle = menu.busy === undefined && (menu.entries?.length ?? 0) > 0;
    const handlers = {
      cancel: () => context.replace(menu, undefined),
      up: () => idle && moveTo(context, menu, menu.cursor - 1),
      down: () => idle && moveTo(context, menu, menu.cursor + 1),
      open: () => idle && choose(context, menu, false),
      options: () => idle && choose(context, menu, true),
    };
    runKey(keys, handlers, name);
  },
  draw: ({ ports: { theme }, state }, menu) => {
    const { size } = state();
    const width = innerWidth(size, 120);
    const waiting = menu.entries === undefined ? 'asking what can be done ...' : 'no actions for this';
    const lines = menu.entries?.length
      ? entryLines(theme, menu, menu.entries, width, size.rows)
      : [cell(theme, waiting, width, 'dim'), blank(width)];
    return drawBox(theme, menu.title, [...lines, keysLine(theme, keys, width, menu.busy)], width, size);
  },
};

const dangerStyles: Record<MenuItem['danger'], Style> = {
  reversible: 'dim',
  service: 'warning',
  access: 'critical',
};

const entryLines = (
  theme: Theme,
  { cursor }: Menu,
  entries: readonly MenuItem[],
  width: number,
  rows: number,
): readonly Painted[] => {
  // Titles name what is acted on, to their ends: which of two ports it is may stand in the last letters.
  const titles = Math.min(Math.max(24, ...entries.map(({ title }) => safeWidth(title))), width - 30);
  const room = width - titles - 16;
  // A reason that is cut is no reason: the chosen entry's stands below in full, in room that is kept for the longest.
  const whole = entries.map(({ text }) => (safeWidth(text) > room ? wrap(text, width - 2) : []));
  const below = Math.max(0, ...whole.map((lines) => lines.length));
  const most = Math.max(1, rows - 8 - below);
  const top = Math.max(0, Math.min(cursor - Math.floor(most / 2), entries.length - most));
  const lines = entries.slice(top, top + most).map(({ available, title, text, danger }, index) => {
    const here = top + index === cursor;
    return joinPieces(
      cell(theme, here ? '> ' : available ? '  ' : '- ', 2, here ? 'accent' : 'dim'),
      cell(theme, title, titles, available ? (here ? 'bold' : 'plain') : 'dim'),
      blank(2),
      cell(theme, text, room, available ? 'plain' : 'dim'),
      cell(theme, available ? danger : '', 12, dangerStyles[danger], 'right'),
    );
  });
  const reason = Array.from({ length: below }, (_, at) =>
    cell(theme, `  ${whole[cursor]?.[at] ?? ''}`, width, 'dim'),
  );
  return [...lines, blank(width), ...reason];
};
