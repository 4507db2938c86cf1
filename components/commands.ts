import { focusOn } from './board-keys.ts';
import type { Context } from './context.ts';
import { openPlanned } from './dialogs/jot.ts';
import { quit } from './dialogs/leave.ts';
import { paneWords, type Commands } from './dialogs/palette.ts';
import { FINDINGS } from './findings.ts';
import { openAudit, openChanged, openHelp, openHost, openLog, openLook } from './open.ts';
import { focused } from './state.ts';

/** What can be typed after `:`. */
export const paletteCommands = (context: Context): Commands => [
  {
    name: 'host',
    text: 'NAME: what every system knows of a host',
    words: () => context.ports.hosts(),
    run: (at, name) => openHost(at, name),
  },
  {
    name: 'pane',
    text: 'N or name: go to a pane',
    words: paneWords,
    run: (_, word) => {
      const head = context.state().data.heads[Number(word) - 1];
      context.change((ui) => focusOn(ui, word === FINDINGS ? FINDINGS : (head?.id ?? word)));
    },
  },
  {
    name: 'job',
    text: 'ID: where a job runs, and what is wrong there',
    run: (at, word) => openLook(at, 'job', word),
  },
  {
    name: 'user',
    text: 'NAME: where the jobs of a user run, and what is wrong there',
    run: (at, word) => openLook(at, 'user', word),
  },
  {
    name: 'planned',
    text: 'planned work on the row or the marked rows: findings there are notices until it ends',
    run: (at) => {
      const row = focused(at.state(), at.lists);
      if (row) openPlanned(at, row);
    },
  },
  { name: 'changed', text: 'what changed in the last hour; or since 3h ago', run: openChanged },
  { name: 'audit', text: 'the audit log', run: openAudit },
  { name: 'help', text: 'the keys', run: openHelp },
  { name: 'log', text: 'what this console itself has to say', run: openLog },
  { name: 'quit', text: 'leave', run: quit },
];
