/** Where a key means something. A dialog's keys hide all others but those of `always`. */
export type Place =
  | 'always'
  | 'board'
  | 'zoom'
  | 'filter'
  | 'menu'
  | 'form'
  | 'jot'
  | 'shell'
  | 'confirm'
  | 'run'
  | 'notice'
  | 'leave'
  | 'pager'
  | 'palette';

/** A key as data: dispatch, the help, the bottom line and the README's table all come from it. */
export interface Binding {
  place: Place;
  /** Token names. */
  keys: readonly string[];
  /** What it does; the name under which the dispatcher knows it. */
  does: string;
  text: string;
  /** Short form for the bottom line; without one it is in the help only. */
  hint?: string;
  /** How the keys are written when the list of them is too long: `1-9`. */
  shown?: string;
  /** Not there in a read-only console: it changes something, or shows what only the remedies know. */
  remedies?: boolean;
  /** Not there in a read-only console: it writes for everybody. */
  writes?: boolean;
  /** In a pager: of a host's page only. */
  ofHost?: boolean;
}

const move: readonly Omit<Binding, 'place'>[] = [
  { keys: ['Up', 'k'], does: 'up', text: 'row above' },
  { keys: ['Down', 'j'], does: 'down', text: 'row below' },
  { keys: ['PgUp', 'Ctrl-U', 'Ctrl-B'], does: 'pageUp', text: 'a page up' },
  { keys: ['PgDn', 'Ctrl-D', 'Ctrl-F'], does: 'pageDown', text: 'a page down' },
  { keys: ['Home', 'g'], does: 'first', text: 'first row' },
  { keys: ['End', 'G'], does: 'last', text: 'last row' },
];

const at = (place: Place, list: readonly Omit<Binding, 'place'>[]): Binding[] =>
  list.map((binding) => ({ place, ...binding }));

/** Board and zoomed pane share these. */
const list: readonly Omit<Binding, 'place'>[] = [
  {
    keys: ['a'],
    does: 'actions',
    text: 'actions of the row or the marked rows',
    hint: 'actions',
    remedies: true,
  },
  {
    keys: ['/'],
    does: 'filter',
    text: 'filter the pane (words, !word leaves out); kept per pane',
    hint: 'filter',
  },
  { keys: ['e'], does: 'evidence', text: 'evidence: the raw answers behind the row', hint: 'evidence' },
  { keys: ['s'], does: 'sort', text: 'sort by the next column' },
  { keys: ['S'], does: 'reverse', text: 'sort the other way round' },
  { keys: ['Space'], does: 'mark', text: 'mark the row' },
  { keys: ['r'], does: 'read', text: 'read the pane again; traffic cells (marked, or one): dialog' },
  { keys: ['w'], does: 'watch', text: 'watch the pane: asked every 2 s for 10 minutes; again: ends it' },
  { keys: ['y'], does: 'copy', text: 'copy the row to the clipboard (OSC 52)' },
  {
    keys: ['A'],
    does: 'acknowledge',
    text: 'acknowledge the finding: who, why, until when; or take that back',
    hint: 'ack',
    writes: true,
  },
  {
    keys: ['N'],
    does: 'note',
    text: 'note something, or a repair, on the row or the marked rows',
    writes: true,
  },
  { keys: ['C'], does: 'changed', text: 'what changed in the last hour, across systems and operators' },
  { keys: ['Y'], does: 'ticket', text: 'copy the finding for the ticket: Markdown by OSC 52, and a file' },
  { keys: ['!'], does: 'shell', text: 'a plain ssh to the row’s host, after showing which', remedies: true },
  { keys: ['p'], does: 'pause', text: 'pause drawing; the clock goes on' },
  { keys: ['?'], does: 'help', text: 'this help', hint: 'help' },
  {
    keys: [':'],
    does: 'palette',
    text: 'command: host NAME, job ID, user NAME, changed 3h ...',
    hint: 'command',
  },
  { keys: ['L'], does: 'audit', text: 'audit log', hint: 'audit', remedies: true },
  { keys: ['R'], does: 'restart', text: 'start a stopped collector again' },

  { keys: ['q'], does: 'quit', text: 'quit', hint: 'quit' },
];

export const bindings: readonly Binding[] = [
  { place: 'always', keys: ['Ctrl-C'], does: 'interrupt', text: 'quit; asks when a run is going on' },
  { place: 'always', keys: ['Ctrl-Z'], does: 'suspend', text: 'suspend; fg brings the console back' },
  {
    place: 'board',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    does: 'pane',
    text: 'go to a pane',
    hint: 'pane',
    shown: '1-9',
  },
  { place: 'board', keys: ['0', 'f'], does: 'findings', text: 'go to the findings' },
  { place: 'board', keys: ['Tab'], does: 'next', text: 'next pane' },
  { place: 'board', keys: ['Shift-Tab'], does: 'previous', text: 'pane before' },
  {
    place: 'board',
    keys: ['Left', 'h'],
    does: 'left',
    text: 'fold what a row folds; else pane before',
  },
  {
    place: 'board',
    keys: ['Right', 'l'],
    does: 'right',
    text: 'show what a row folds; else next pane',
  },
  {
    place: 'board',
    keys: ['Enter'],
    does: 'open',
    text: 'zoom the pane, with the detail of the row',
    hint: 'open',
  },
  { place: 'board', keys: ['Esc'], does: 'back', text: 'clear marks, then the filter' },
  ...at('board', [...move, ...list]),
  { place: 'zoom', keys: ['Esc'], does: 'back', text: 'clear marks, then back to the board', hint: 'back' },
  {
    place: 'zoom',
    keys: ['Enter'],
    does: 'open',
    text: 'the whole detail of the row; of a host, its page',
    hint: 'detail',
  },
  {
    place: 'zoom',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    does: 'pane',
    text: 'zoom another pane',
    shown: '1-9',
  },
  { place: 'zoom', keys: ['Tab'], does: 'nextBlock', text: 'next table of the pane' },
  { place: 'zoom', keys: ['Left', 'h'], does: 'left', text: 'fold what a row folds' },
  { place: 'zoom', keys: ['Right', 'l'], does: 'right', text: 'show what a row folds' },
  ...at('zoom', [...move, ...list]),
  { place: 'filter', keys: ['Enter'], does: 'accept', text: 'keep the filter', hint: 'keep' },
  { place: 'filter', keys: ['Esc'], does: 'cancel', text: 'clear the filter', hint: 'clear' },
  { place: 'menu', keys: ['Up', 'k'], does: 'up', text: 'action above' },
  { place: 'menu', keys: ['Down', 'j'], does: 'down', text: 'action below' },
  { place: 'menu', keys: ['Enter'], does: 'open', text: 'plan it; nothing runs yet', hint: 'plan it' },
  { place: 'menu', keys: ['o'], does: 'options', text: 'set its options first', hint: 'options' },
  { place: 'menu', keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close' },
  { place: 'form', keys: ['Up', 'Shift-Tab'], does: 'up', text: 'field above' },
  { place: 'form', keys: ['Down', 'Tab'], does: 'down', text: 'field below' },
  { place: 'form', keys: ['Enter'], does: 'open', text: 'next field, then plan it', hint: 'next' },
  { place: 'form', keys: ['Esc'], does: 'cancel', text: 'close', hint: 'close' },
  { place: 'jot', keys: ['Up', 'Shift-Tab'], does: 'up', text: 'field above' },
  { place: 'jot', keys: ['Down', 'Tab'], does: 'down', text: 'field below' },
  {
    place: 'jot',
    keys: ['Enter'],
    does: 'open',
    text: 'next field, then write it',
    hint: 'next, then write it',
  },
  { place: 'jot', keys: ['Esc'], does: 'cancel', text: 'close', hint: 'close' },
  { place: 'shell', keys: ['Enter'], does: 'open', text: 'open it', hint: 'open it' },
  { place: 'shell', keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close', shown: 'Esc' },
  { place: 'confirm', keys: ['Esc', 'n', 'q'], does: 'cancel', text: 'cancel', hint: 'cancel', shown: 'Esc' },
  {
    place: 'confirm',
    keys: ['Enter'],
    does: 'enter',
    text: 'cancel, or confirm a text that was typed in full',
  },
  { place: 'confirm', keys: ['y'], does: 'confirm', text: 'confirm a reversible action' },
  { place: 'confirm', keys: ['Up'], does: 'up', text: 'scroll up' },
  { place: 'confirm', keys: ['Down'], does: 'down', text: 'scroll down', hint: 'scroll' },
  { place: 'confirm', keys: ['PgUp'], does: 'pageUp', text: 'a page up' },
  { place: 'confirm', keys: ['PgDn'], does: 'pageDown', text: 'a page down' },
  { place: 'confirm', keys: ['Home'], does: 'first', text: 'to the start' },
  { place: 'confirm', keys: ['End'], does: 'last', text: 'to the end' },
  {
    place: 'run',
    keys: ['x'],
    does: 'stop',
    text: 'stop before the next target',
    hint: 'stop before the next target',
  },
  { place: 'run', keys: ['o'], does: 'output', text: 'show or hide the output', hint: 'output' },
  { place: 'run', keys: ['U'], does: 'restore', text: 'while a change is held: undo it now (twice)' },
  { place: 'run', keys: ['Up', 'k'], does: 'up', text: 'scroll up' },
  { place: 'run', keys: ['Down', 'j'], does: 'down', text: 'scroll down' },
  { place: 'run', keys: ['PgUp'], does: 'pageUp', text: 'a page up' },
  { place: 'run', keys: ['PgDn'], does: 'pageDown', text: 'a page down' },
  {
    place: 'run',
    keys: ['Esc', 'Enter', 'q'],
    does: 'cancel',
    text: 'close; a run goes on',
    hint: 'close',
    shown: 'Esc',
  },
  {
    place: 'notice',
    keys: ['Esc', 'Enter', 'q'],
    does: 'cancel',
    text: 'close',
    hint: 'close',
    shown: 'Esc',
  },
  {
    place: 'leave',
    keys: ['x'],
    does: 'stop',
    text: 'stop the run before its next target and leave when it has ended',
    hint: 'stop it and leave',
  },
  { place: 'leave', keys: ['Esc', 'q'], does: 'cancel', text: 'stay', hint: 'stay', shown: 'Esc' },
  ...at('pager', move),
  { place: 'pager', keys: ['/'], does: 'search', text: 'search', hint: 'search' },
  { place: 'pager', keys: ['n'], does: 'nextHit', text: 'next place found', hint: 'next' },
  { place: 'pager', keys: ['N'], does: 'previousHit', text: 'place found before' },
  {
    place: 'pager',
    keys: ['K'],
    does: 'kernel',
    text: 'on a host’s page: ask its kernel for errors now',
    hint: 'ask its kernel',
    ofHost: true,
  },
  {
    place: 'pager',
    keys: ['!'],
    does: 'shell',
    text: 'on a host’s page: a plain ssh to it, after showing which',
    hint: 'shell',
    remedies: true,
    ofHost: true,
  },
  { place: 'pager', keys: ['y'], does: 'copy', text: 'copy all of it (OSC 52)', hint: 'copy' },
  { place: 'pager', keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close', shown: 'Esc' },
  { place: 'palette', keys: ['Enter'], does: 'open', text: 'do it', hint: 'do it' },
  { place: 'palette', keys: ['Tab'], does: 'complete', text: 'complete', hint: 'complete' },
  { place: 'palette', keys: ['Esc'], does: 'cancel', text: 'close', hint: 'close' },
];
