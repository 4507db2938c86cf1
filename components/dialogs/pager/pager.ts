import { makeSafe } from '../../../src/text/safe.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { copyText } from '../../copy.ts';
import { patch, type Context } from '../../context.ts';
import { fillLines, ruleLine } from '../../frame.ts';
import {
  defineKeys,
  moveKeys,
  handleMoves,
  runKey,
  moveTop,
  type DoesOf,
  type Handlers,
  type Move,
} from '../../keys.ts';
import { askKernel } from '../../open.ts';
import { unfoldEvidence } from '../../open-evidence.ts';
import { cell, plainLine, type Painted } from '../../paint.ts';
import type { Size } from '../../state.ts';
import { editText, type Token } from '../../tokens.ts';
import type { Pager } from '../../overlays.ts';
import type { Dialog } from '../dialog.ts';
import { planUndo } from '../log/undo.ts';
import { offerShell } from '../shell.ts';
import { evidencePage, excerptTexts } from './evidence.ts';
import { pagerLines } from './lines.ts';

const keys = defineKeys([
  ...moveKeys,
  { keys: ['/'], does: 'search', text: 'search', hint: 'search' },
  { keys: ['n'], does: 'nextHit', text: 'next place found, or marked', hint: 'next' },
  { keys: ['N'], does: 'previousHit', text: 'place found, or marked, before' },
  {
    keys: ['K'],
    does: 'kernel',
    text: 'on a host’s page: ask its kernel for errors now',
    hint: 'ask its kernel',
    of: ['host'],
  },
  {
    keys: ['!'],
    does: 'shell',
    text: 'on a host’s page: a plain ssh to it, after showing which',
    hint: 'shell',
    remedies: true,
    of: ['host'],
  },
  {
    keys: ['d'],
    does: 'raw',
    text: 'all of it: the records of a run, all lines and earlier answers of evidence; again: fold',
    hint: 'all of it',
    of: ['entry', 'evidence'],
  },
  { keys: ['u'], does: 'undo', text: 'of a run: plan its undo', hint: 'undo', of: ['entry'] },
  { keys: ['y'], does: 'copy', text: 'copy all of it (OSC 52)', hint: 'copy' },
  { keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close', shown: 'Esc' },
]);

const linesOf = (context: Context, pager: Pager): readonly Painted[] => {
  const { size, now } = context.state();
  return pagerLines(
    pager.content,
    context.ports.theme,
    size.columns,
    now,
    context.ports.readOnly,
    context.keys('pager'),
  );
};

/** Lines of text below the rule and above the keys. */
const pageHeight = (size: Size): number => Math.max(1, size.rows - 2);

const scroll = (move: Move, context: Context, pager: Pager): void => {
  const { length } = linesOf(context, pager);
  patch(context, pager, { top: moveTop(move, pager.top, length, pageHeight(context.state().size)) });
};

const handlers: Handlers<DoesOf<typeof keys>, [Context, Pager]> = {
  ...handleMoves(scroll),
  search: (context, pager) => patch(context, pager, { typing: true, search: '' }),
  nextHit: (context, pager) => find(context, pager, (pager.hit ?? pager.top - 1) + 1, 1),
  previousHit: (context, pager) => find(context, pager, (pager.hit ?? pager.top) - 1, -1),
  copy: (context, pager) => copyAll(context, pager),
  kernel: askKernel,
  shell: (context, { host }) => {
    if (host !== undefined) offerShell(context, [host], `the site file has no host ${host}`);
  },
  raw: (context, pager) => {
    const { content } = pager;
    if (content.type === 'entry')
      patch(context, pager, { content: { ...content, raw: !content.raw }, top: 0 });
    else if (content.type === 'evidence') unfoldEvidence(context, pager, content);
  },
  undo: (context, { content }) => {
    if (content.type === 'entry') planUndo(context, content.entry);
  },
  cancel: (context, pager) => context.replace(pager, undefined),
};

const pressSearch = (context: Context, pager: Pager, token: Token): void => {
  if (token.name === 'Esc') patch(context, pager, { typing: false, search: '' });
  else if (token.name === 'Enter') find(context, patch(context, pager, { typing: false }), pager.top, 1);
  else {
    const search = editText(pager.search, token);
    if (search !== undefined) patch(context, pager, { search });
  }
};

/** Goes on from a line in one direction, round the end, to what is searched for, else to what is marked; says when there is nothing. */
const find = (context: Context, pager: Pager, from: number, step: 1 | -1): void => {
  const { content, search } = pager;
  const { theme } = context.ports;
  const { size, now } = context.state();
  const lines = linesOf(context, pager);
  const wanted = search.toLowerCase();
  const marks =
    wanted === '' && content.type === 'evidence'
      ? new Set(evidencePage(content, theme, size.columns, now).marks)
      : undefined;
  if (wanted === '' && marks === undefined) return;
  for (let count = 0; count < lines.length; count++) {
    const at = (((from + count * step) % lines.length) + lines.length) % lines.length;
    const line = lines[at];
    const isIt = marks?.has(at) ?? (line !== undefined && plainLine(line).toLowerCase().includes(wanted));
    if (!isIt) continue;
    const height = pageHeight(size);
    const seen = at >= pager.top && at < pager.top + height;
    patch(context, pager, { hit: at, top: seen ? pager.top : Math.max(0, at - Math.floor(height / 3)) });
    return;
  }
  context.toast(marks ? 'nothing is marked here' : `"${search}" is not found here`, 'warning');
};

/** The clipboard gets the text without signs of ours; what is folded is said. */
const copyAll = (context: Context, pager: Pager): void => {
  const { content } = pager;
  const lines =
    content.type === 'evidence'
      ? content.answers.flatMap(({ host, command, ended, stdout, stderr }) => [
          `${host}$ ${command}`,
          ended,
          ...excerptTexts(stdout),
          ...excerptTexts(stderr),
        ])
      : linesOf(context, pager).map((line) => plainLine(line).trimEnd());
  copyText(context, pager.title, lines.map(visibleText).join('\n'));
};

/** The clipboard gets what the screen shows: hostile characters visible there too. */
const visibleText = (text: string): string =>
  text
    .split('\n')
    .map((line) => makeSafe(line, Infinity))
    .join('\n');

/** A text over the whole screen: evidence, audit log, help, a host's page. */
export const pagerDialog: Dialog<Pager> = {
  keys,
  press: (context, pager, token) => {
    if (pager.typing) pressSearch(context, pager, token);
    else runKey(keys, handlers, token.name, context, pager);
  },
  paste: (context, pager, text) => {
    if (pager.typing) patch(context, pager, { search: `${pager.search}${text.replace(/\s+/g, ' ')}` });
  },
  draw: ({ ports, state, keys: keysOf }, pager) => {
    const { theme } = ports;
    const { size, now } = state();
    const lines = pagerLines(pager.content, theme, size.columns, now, ports.readOnly, keysOf('pager'));
    const height = pageHeight(size);
    const top = Math.max(0, Math.min(pager.top, lines.length - height));
    const end = Math.min(lines.length, top + height);
    const place = lines.length > height ? `${top + 1}-${end} of ${groupThousands(lines.length)}` : 'all';
    const found = pager.search === '' ? '' : `"${pager.search}" · `;
    const page = lines
      .slice(top, end)
      .map((line, index) =>
        top + index === pager.hit && pager.search !== ''
          ? cell(theme, plainLine(line), size.columns, 'inverse')
          : line,
      );
    return {
      left: 0,
      top: 0,
      width: size.columns,
      height: size.rows - 1,
      lines: [
        ruleLine(theme, pager.title, { text: `${found}${place}`, style: 'dim' }, size.columns, true),
        ...fillLines(page, size.columns, height),
      ],
    };
  },
};
