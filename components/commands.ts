import { focusPane } from './board-keys.ts';
import type { RankedFinding } from '../src/model/finding.ts';
import { fold } from '../src/text/nodeset.ts';
import { checkAction, completeAction, runAction } from './palette-actions.ts';
import { toastError, type Commands, type Context } from './context.ts';
import { moveTo } from './move.ts';
import { tableKey } from './mirror.ts';
import { areaOf, changeArea } from './ui.ts';
import { openPlanned } from './dialogs/annotation.ts';
import { leave } from './dialogs/leave.ts';
import { FINDINGS } from './findings.ts';
import { themeNames } from './theme.ts';
import { openHelp } from './help.ts';
import { openAudit } from './dialogs/log/log.ts';
import { openChanged, openHost, openLog, openLook } from './open.ts';
import { focusedPane, headNumbered, paneNumber, shownHeads, type State } from './state.ts';

const findingsOf = ({ data }: State): readonly RankedFinding[] => data.findings ?? [];

/** The cursor goes to a finding; what folds it is opened. */
const goToFinding = (context: Context, id: string): void => {
  const byId = new Map(findingsOf(context.state()).map((finding) => [finding.id, finding]));
  const open = new Set(areaOf(context.state().ui, FINDINGS).open);
  for (let cause = byId.get(id)?.explainedBy; cause !== undefined && !open.has(cause);) {
    open.add(cause);
    cause = byId.get(cause)?.explainedBy;
  }
  context.change((ui) => changeArea(focusPane(ui, FINDINGS), FINDINGS, { open, filter: '' }));
  const at = focusedPane(context.state(), context.lists);
  const position = at?.list.positions.get(`${FINDINGS}/${id}`);
  if (at && position !== undefined) context.change((ui) => changeArea(ui, FINDINGS, moveTo(at, position)));
};

/** By name: those of the operator's settings, and those saved since. */
const filtersOf = ({ ports, state }: Pick<Context, 'ports' | 'state'>): Readonly<Record<string, string>> => ({
  ...ports.settings.filters,
  ...state().ui.saved,
});

const saveFilter = (context: Context, name: string): void => {
  const { ui } = context.state();
  const { filter } = areaOf(ui, ui.focus);
  const save = context.ports.saveFilter;
  if (save === undefined) {
    context.toast('this console has no settings file to write to', 'warning');
    return;
  }
  save(name, filter).then(
    (file) => {
      context.change((now) => ({ ...now, saved: { ...now.saved, [name]: filter } }));
      context.toast(`:filter ${name} is "${filter}", also in later consoles: ${file}`);
    },
    toastError(context, 'filter not saved'),
  );
};

/** The cursor goes to the first row about one of these nodes; where no pane has one it stays. */
const goToNode = (context: Context, nodes: readonly string[]): void => {
  const { data } = context.state();
  const place = shownHeads(data).flatMap(({ id: pane, blocks }) =>
    blocks.flatMap((block) => {
      if (block.type !== 'table') return [];
      const rows = data.tables.get(tableKey(pane, block.id))?.rows.values() ?? block.rows;
      const row = [...rows].find(
        ({ subject, members }) => subject?.kind === 'node' && !members && nodes.includes(subject.id),
      );
      return row ? [{ pane, key: `${block.id}/${row.key}` }] : [];
    }),
  )[0];
  if (place === undefined) return;
  const { pane, key } = place;
  context.change((ui) => changeArea(focusPane(ui, pane), pane, { filter: '' }));
  const at = focusedPane(context.state(), context.lists);
  const position = at?.list.positions.get(key);
  if (at && position !== undefined) context.change((ui) => changeArea(ui, pane, moveTo(at, position)));
};

/** What can be typed after `:`. */
export const paletteCommands: Commands = [
  {
    name: 'host',
    text: 'NAME: what every system knows of a host',
    words: ({ ports }) => ports.hosts(),
    run: (context, host) => openHost(context, host),
  },
  {
    name: 'pane',
    text: 'N or name: go to a pane',
    words: ({ state }) => [
      FINDINGS,
      ...shownHeads(state().data).flatMap(({ id }) => [id, String(paneNumber(state().data, id))]),
    ],
    run: (context, word) => {
      const head = headNumbered(context.state().data, Number(word));
      context.change((ui) => focusPane(ui, head?.id ?? word));
    },
  },
  {
    name: 'job',
    text: 'ID: where a job runs and what is wrong there; selects the row of its first node',
    hints: (_, { jobs }) => jobs.map(({ id, nodes }) => ({ word: id, note: fold(nodes) })),
    run: (context, word, { jobs }) => {
      goToNode(context, jobs.find(({ id }) => id === word)?.nodes ?? []);
      openLook(context, 'job', word);
    },
  },
  {
    name: 'action',
    text: 'NAME [TARGET]: open the actions of the row, the marked rows or TARGET at this one',
    hints: completeAction,
    check: checkAction,
    run: runAction,
  },
  {
    name: 'user',
    text: 'NAME: where the jobs of a user run, and what is wrong there',
    hints: ({ state }) =>
      [...new Set(findingsOf(state()).flatMap(({ hurt }) => hurt.users ?? []))]
        .toSorted()
        .map((word) => ({ word })),
    run: (context, word) => openLook(context, 'user', word),
  },
  {
    name: 'finding',
    text: 'ID: go to a finding, also one that is folded',
    words: ({ state }) => findingsOf(state()).map(({ id }) => id),
    run: goToFinding,
  },
  {
    name: 'filter',
    text: 'NAME: set a filter of your settings on the pane',
    words: (scene) => Object.keys(filtersOf(scene)).toSorted(),
    run: (context, name) => {
      const filter = filtersOf(context)[name] ?? '';
      context.change((ui) => changeArea(ui, ui.focus, { filter }));
    },
  },
  {
    name: 'save',
    text: 'NAME: save the filter of the pane under this name in your settings',
    hints: (scene) => Object.keys(filtersOf(scene)).map((word) => ({ word, note: 'replaces this filter' })),
    check: ({ state }, name) => {
      if (name === '') return ':save needs a name';
      return areaOf(state().ui, state().ui.focus).filter === ''
        ? 'this pane has no filter to save'
        : undefined;
    },
    run: saveFilter,
  },
  {
    name: 'theme',
    text: 'NAME: other colours, until this console is left',
    words: () => themeNames,
    run: (context, word) => {
      const name = themeNames.find((known) => known === word);
      if (name === undefined) return;
      context.ports.theme = { ...context.ports.theme, name };
      const { colour } = context.ports.theme;
      context.toast(colour ? `theme ${name}` : `theme ${name}; NO_COLOR is set: no colours`);
    },
  },
  {
    name: 'planned',
    text: 'planned work on the row or the marked rows: findings there are notices until it ends',
    run: (context) => {
      const at = focusedPane(context.state(), context.lists);
      if (at) openPlanned(context, at);
    },
  },
  {
    name: 'changed',
    text: '[TIME]: what changed in the last hour, or in TIME (30min, 3h, 1d)',
    run: openChanged,
  },
  { name: 'audit', text: 'the audit log', run: openAudit },
  { name: 'help', text: 'the keys', run: openHelp },
  { name: 'log', text: 'messages of this console itself', run: openLog },
  {
    name: 'site',
    text: 'NAME: leave for another site of your configuration folder; -: back to the one before',
    words: ({ ports }) => ports.sites?.() ?? [],
    run: leave,
  },
  { name: 'quit', text: 'leave', run: (context) => leave(context) },
];
