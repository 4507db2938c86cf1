import type { MenuEntry, Requests } from '../../src/model/wire.ts';
import { subjectKey } from '../../src/model/subject.ts';
import { count } from '../../src/text/units.ts';
import { errorText, isOpen, patch, type Context } from '../context.ts';
import { FINDINGS } from '../findings.ts';
import { focused, subjectsOf, type Focused } from '../state.ts';
import type { Token } from '../tokens.ts';
import type { Confirm, Form, Menu, MenuItem, Wanted } from '../ui.ts';
import { lookup } from '../keys.ts';

/** `a`: the actions of the marked rows, else of the row under the cursor. */
export const openMenu = (context: Context): void => {
  const state = context.state();
  if (context.ports.readOnly) {
    context.toast('this console is read-only: it has no actions', 'warning');
    return;
  }
  const at = focused(state, context.lists);
  const marked = at
    ? at.list.items.flatMap((item) =>
        (item.type === 'row' || item.type === 'gridRow') && at.area.marks.has(item.key) ? [item.row] : [],
      )
    : [];
  const rows = marked.length > 0 ? marked : at?.item ? [at.item.row] : [];
  const findings = (state.data.findings ?? []).filter(
    (finding) => at?.head.id === FINDINGS && rows.some((row) => row.key === finding.id),
  );
  const remedies: readonly Wanted[] = findings
    .flatMap((finding) => finding.remedies)
    .map((remedy) => ({
      action: remedy.action,
      subjects: remedy.subjects,
      set: remedy.set ?? {},
    }));
  const all = rows.flatMap((row) => subjectsOf(row));
  const subjects = [...new Map(all.map((subject) => [subjectKey(subject), subject])).values()];
  if (subjects.length === 0) {
    context.toast(
      rows.length === 0 ? 'there is no row yet' : 'this row is about nothing that can be acted on',
      'warning',
    );
    return;
  }
  const first = subjects[0];
  const title =
    subjects.length === 1 && first
      ? `${first.kind} ${first.id}`
      : `${rows.length === 1 ? (rows[0]?.subject?.id ?? '') : count(rows.length, 'row')}: ${count(subjects.length, 'target')}`;
  const [only, more] = rows;
  const beside = only && !more && 'beside' in only ? (only.beside ?? []) : [];
  const menu: Menu = { kind: 'menu', title, subjects, remedies, beside, cursor: 0 };
  context.push(menu);
  const systems = new Set(
    at?.head.id === FINDINGS ? findings.map(({ system }) => system) : at ? [at.head.id] : [],
  );
  const [system] = systems;
  const owner = system !== undefined && systems.size === 1 ? { system } : {};
  entriesFor(context, menu, owner).then(
    (entries) => filled(context, menu, entries),
    (error: unknown) => failed(context, menu, error),
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
      const entry = (await ask({ subjects })).find((one) => one.action === action);
      return entry ? [{ ...entry, title: `${entry.title}: ${subjects.map(({ id }) => id).join(', ')}` }] : [];
    }),
  ]);
  const ends = await Promise.all((menu.beside ?? []).map((one) => ask({ subjects: [one], ...owner })));
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
export const readByAction = (context: Context, { list, area, item }: Focused): boolean => {
  if (item?.type !== 'gridRow' || item.block.again === undefined || context.ports.readOnly) return false;
  const { block } = item;
  const marked = list.items.flatMap((one) =>
    one.type === 'gridRow' && one.block === block && area.marks.has(one.key) ? [one.row] : [],
  );
  const subjects = (marked.length > 0 ? marked : [item.row]).flatMap(({ subject }) => subject ?? []);
  const [first] = subjects;
  if (!first) return false;
  const title = subjects.length === 1 ? `${first.kind} ${first.id}` : count(subjects.length, 'target');
  const menu: Menu = { kind: 'menu', title, subjects, remedies: [], cursor: 0 };
  context.push(menu);
  requestPlan(context, menu, { action: item.block.again, subjects, set: {} });
  return true;
};

const filled = (context: Context, menu: Menu, entries: readonly MenuItem[]): void => {
  const wanted = menu.remedies[0]?.action;
  const preferred = entries.findIndex((entry) => entry.available && entry.action === wanted);
  const available = entries.findIndex((entry) => entry.available);
  patch(context, menu, { entries, cursor: Math.max(0, preferred >= 0 ? preferred : available) });
};

const failed = (context: Context, overlay: Menu | Form, error: unknown): void => {
  if (!isOpen(context, overlay)) return;
  context.replace(overlay, {
    kind: 'notice',
    title: 'No answer from the collector',
    lines: [errorText(error), 'Nothing was sent to any host.'],
    style: 'warning',
  });
};

export const pressMenu = (context: Context, menu: Menu, token: Token): void => {
  const does = lookup('menu', token.name);
  const entries = menu.entries ?? [];
  if (does === 'cancel') context.replace(menu, undefined);
  if (menu.busy !== undefined || entries.length === 0) return;
  if (does === 'up') patch(context, menu, { cursor: Math.max(0, menu.cursor - 1) });
  if (does === 'down') patch(context, menu, { cursor: Math.min(entries.length - 1, menu.cursor + 1) });
  if (does === 'open' || does === 'options') choose(context, menu, does === 'options');
};

const choose = (context: Context, menu: Menu, withOptions: boolean): void => {
  const entry = menu.entries?.[menu.cursor];
  if (!entry) return;
  if (!entry.available) {
    context.toast(`not available: ${entry.text}`, 'warning');
    return;
  }
  const remedy = menu.remedies.find((one) => one.action === entry.action);
  const wanted = entry.on
    ? { action: entry.action, subjects: entry.on, set: {} }
    : wantedOf(menu, entry.action, remedy);
  const open = entry.prompts.filter((prompt) => wanted.set[prompt.name] === undefined);
  const asks = open.some((prompt) => prompt.required) || (withOptions && open.length > 0);
  if (!asks) {
    requestPlan(context, menu, wanted);
    return;
  }
  const values = Object.fromEntries(open.map((prompt) => [prompt.name, prompt.initial ?? '']));
  context.replace(menu, {
    kind: 'form',
    entry: { ...entry, prompts: open },
    wanted,
    values,
    field: 0,
  });
};

/**
 * A finding's remedy may name only those that it will help. The plan is asked for all that were chosen, so that it says
 * of the others why they are left out; only a remedy on something else (the port of a node) keeps its own subjects.
 */
const wantedOf = (menu: Menu, action: string, remedy: Wanted | undefined): Wanted => {
  return {
    action,
    subjects: remedy && actsElsewhere(menu, remedy) ? remedy.subjects : menu.subjects,
    set: remedy?.set ?? {},
  };
};

const actsElsewhere = (menu: Menu, remedy: Wanted): boolean => {
  const chosen = new Set(menu.subjects.map(subjectKey));
  return remedy.subjects.some((subject) => !chosen.has(subjectKey(subject)));
};

/** Asks for the plan; the dialog opens with its answer. Nothing runs by this. */
export const requestPlan = (context: Context, from: Menu | Form, wanted: Wanted): void => {
  const busy = patch<Menu | Form>(context, from, { busy: 'planning' });
  context.ports.mirror.request('plan', wanted).then(
    (answer) => planned(context, busy, answer),
    (error: unknown) => failed(context, busy, error),
  );
};

const planned = (context: Context, from: Menu | Form, answer: Requests['plan']['out']): void => {
  if (!isOpen(context, from)) {
    if ('card' in answer) dropPlan(context, answer.card.id);
    return;
  }
  if ('refused' in answer) {
    context.replace(from, refusal(answer.refused, 'The plan was refused. Nothing was sent to any host.'));
    return;
  }
  const confirm: Confirm = {
    kind: 'confirm',
    card: answer.card,
    openedAt: context.ports.clock.mono(),
    typed: '',
    top: 0,
    seenEnd: false,
    sending: false,
  };
  context.replace(from, confirm);
};

export const refusal = (refused: { guard: string; reason: string }, what: string) => ({
  kind: 'notice' as const,
  title: `Refused by guard ${refused.guard}`,
  lines: [refused.reason, '', what],
  style: 'warning' as const,
});

/** The worker forgets a plan that nobody will confirm; should that fail, it expires by itself. */
export const dropPlan = (context: Context, plan: string): void => {
  context.ports.mirror.request('drop', { plan }).catch(() => undefined);
};
