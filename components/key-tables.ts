import { defineKeys, moveKeys } from './keys.ts';

/** Board and zoomed pane share these. */
const paneKeys = defineKeys([
  ...moveKeys,
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
  {
    keys: ['r'],
    does: 'read',
    text: 'read the pane again; on the traffic matrix: plan a test of the marked cells',
  },
  { keys: ['w'], does: 'watch', text: 'watch the pane: read every 2 s for 10 minutes; again: stop' },
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
    text: 'command: host NAME, user NAME, finding ID, filter NAME ...',
    hint: 'command',
  },
  {
    keys: ['u'],
    does: 'undo',
    text: 'undo the newest run that changed the row (shows the plan first)',
    remedies: true,
  },
  { keys: ['L'], does: 'audit', text: 'audit log: what was done, run by run', hint: 'audit', remedies: true },
  { keys: ['R'], does: 'restart', text: 'start a stopped collector again' },
]);

/** Everywhere, before all others. */
export const alwaysKeys = defineKeys([
  {
    keys: ['Ctrl-C'],
    does: 'interrupt',
    text: 'leave (asks); twice in a row leaves even while a run goes on',
  },
  { keys: ['Ctrl-Z'], does: 'suspend', text: 'suspend; fg brings the console back' },
]);

const numbers = { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], does: 'pane', shown: '1-9' } as const;

export const boardKeys = defineKeys([
  { ...numbers, text: 'go to a pane', hint: 'pane' },
  { keys: ['0', 'f'], does: 'findings', text: 'go to the findings' },
  { keys: ['Tab'], does: 'next', text: 'next pane' },
  { keys: ['Shift-Tab'], does: 'previous', text: 'pane before' },
  { keys: ['Left', 'h'], does: 'left', text: 'fold the row; else the pane before' },
  { keys: ['Right', 'l'], does: 'right', text: 'unfold the row; else the next pane' },
  { keys: ['Enter'], does: 'open', text: 'zoom the pane, with the detail of the row', hint: 'open' },
  { keys: ['Esc'], does: 'back', text: 'clear marks, then the filter' },
  ...paneKeys,
  { keys: ['q'], does: 'quit', text: 'leave: asks', hint: 'quit' },
]);

export const zoomKeys = defineKeys([
  { keys: ['Esc', 'q'], does: 'back', text: 'clear marks, then back to the board', hint: 'back' },
  {
    keys: ['Enter'],
    does: 'open',
    text: 'the whole detail of the row; of a host, its page',
    hint: 'detail',
  },
  { ...numbers, text: 'zoom another pane' },
  { keys: ['Tab'], does: 'nextBlock', text: 'next table of the pane' },
  { keys: ['Left', 'h'], does: 'left', text: 'fold the row' },
  { keys: ['Right', 'l'], does: 'right', text: 'unfold the row' },
  ...paneKeys,
]);

export const filterKeys = defineKeys([
  { keys: ['Enter'], does: 'accept', text: 'keep the filter', hint: 'keep' },
  { keys: ['Esc'], does: 'cancel', text: 'clear the filter', hint: 'clear' },
]);
