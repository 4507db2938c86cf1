import { focusOn } from './board-keys.ts';
import type { Commands } from './context.ts';
import { openPlanned } from './dialogs/annotation.ts';
import { leave } from './dialogs/leave.ts';
import { FINDINGS } from './findings.ts';
import { openHelp } from './help.ts';
import { openAudit } from './dialogs/log/log.ts';
import { openChanged, openHost, openLog, openLook } from './open.ts';
import { focusedPane, headNumbered, paneNumber, shownHeads } from './state.ts';

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
      context.change((ui) => focusOn(ui, head?.id ?? word));
    },
  },
  {
    name: 'job',
    text: 'ID: where a job runs, and what is wrong there',
    run: (context, word) => openLook(context, 'job', word),
  },
  {
    name: 'user',
    text: 'NAME: where the jobs of a user run, and what is wrong there',
    run: (context, word) => openLook(context, 'user', word),
  },
  {
    name: 'planned',
    text: 'planned work on the row or the marked rows: findings there are notices until it ends',
    run: (context) => {
      const at = focusedPane(context.state(), context.lists);
      if (at) openPlanned(context, at);
    },
  },
  { name: 'changed', text: 'what changed in the last hour; or since 3h ago', run: openChanged },
  { name: 'audit', text: 'the audit log', run: openAudit },
  { name: 'help', text: 'the keys', run: openHelp },
  { name: 'log', text: 'what this console itself has to say', run: openLog },
  { name: 'quit', text: 'leave', run: leave },
];
