import { visible } from '../../src/text/safe.ts';
import { grouped } from '../../src/text/units.ts';
import { patch, type Context } from '../context.ts';
import { filled, ruleLine } from '../frame.ts';
import { lookup } from '../keys.ts';
import { clipboardSequence, COPY_LIMIT } from '../osc52.ts';
import { askKernel } from '../open.ts';
import { cell, plainOf, type Painted } from '../paint.ts';
import { offerShell } from '../shell.ts';
import type { Size, State } from '../state.ts';
import type { Theme } from '../theme.ts';
import type { Token } from '../tokens.ts';
import type { Pager } from '../ui.ts';
import type { Cover } from './box.ts';
import { pagerLines } from './pager-lines.ts';
import { edited } from './text-field.ts';

const linesOf = (context: Context, pager: Pager): readonly Painted[] => {
  const { size, now } = context.state();
  return pagerLines(context.ports.theme, pager.content, size.columns, now, context.ports.readOnly);
};

/** Lines of text below the rule and above the keys. */
const pageHeight = (size: Size): number => Math.max(1, size.rows - 2);

export const pressPager = (context: Context, pager: Pager, token: Token): void => {
  if (pager.typing) {
    pressSearch(context, pager, token);
    return;
  }
  const does = lookup('pager', token.name);
  const height = pageHeight(context.state().size);
  const last = Math.max(0, linesOf(context, pager).length - height);
  const tops: Readonly<Record<string, number>> = {
    up: pager.top - 1,
    down: pager.top + 1,
    pageUp: pager.top - height,
    pageDown: pager.top + height,
    first: 0,
    last,
  };
  const top = does === undefined ? undefined : tops[does];
  if (top !== undefined) patch(context, pager, { top: Math.max(0, Math.min(last, top)) });
  if (does === 'search') patch(context, pager, { typing: true, search: '' });
  if (does === 'nextHit') find(context, pager, (pager.hit ?? pager.top - 1) + 1, 1);
  if (does === 'previousHit') find(context, pager, (pager.hit ?? pager.top) - 1, -1);
  if (does === 'copy') copyAll(context, pager);
  if (does === 'kernel' && pager.host !== undefined) askKernel(context, pager);
  if (does === 'shell' && pager.host !== undefined)
    offerShell(context, [pager.host], `${pager.host} is no host's name in the site file`);
  if (does === 'cancel') context.replace(pager, undefined);
};

const pressSearch = (context: Context, pager: Pager, token: Token): void => {
  if (token.name === 'Esc') patch(context, pager, { typing: false, search: '' });
  else if (token.name === 'Enter') find(context, patch(context, pager, { typing: false }), pager.top, 1);
  else {
    const search = edited(pager.search, token);
    if (search !== undefined) patch(context, pager, { search });
  }
};

/** Goes on from a line in one direction, round the end, and says when there is nothing. */
const find = (context: Context, pager: Pager, from: number, step: 1 | -1): void => {
  const lines = linesOf(context, pager);
  const wanted = pager.search.toLowerCase();
  if (wanted === '') return;
  for (let count = 0; count < lines.length; count++) {
    const at = (((from + count * step) % lines.length) + lines.length) % lines.length;
    const line = lines[at];
    if (line === undefined || !plainOf(line).toLowerCase().includes(wanted)) continue;
    const height = pageHeight(context.state().size);
    const seen = at >= pager.top && at < pager.top + height;
    patch(context, pager, { hit: at, top: seen ? pager.top : Math.max(0, at - Math.floor(height / 3)) });
    return;
  }
  context.toast(`"${pager.search}" is not in it`, 'warning');
};

/** Copies text and says how much of it. */
export const copyText = (context: Context, what: string, text: string): void => {
  context.ports.writeRaw(clipboardSequence(text, context.ports.insideTmux));
  const cut = text.length > COPY_LIMIT ? `, cut to ${grouped(COPY_LIMIT)}` : '';
  context.toast(`copied ${what} (${grouped(text.length)} characters${cut}) by OSC 52`);
};

const copyAll = (context: Context, pager: Pager): void => {
  const { content } = pager;
  const text =
    content.type === 'evidence'
      ? content.answers
          .map((one) =>
            [`${one.host}$ ${one.command}`, one.ended, one.stdout, one.stderr].map(shown).join('\n'),
          )
          .join('\n')
      : linesOf(context, pager)
          .map((line) => plainOf(line).trimEnd())
          .join('\n');
  copyText(context, pager.title, text);
};

/** The clipboard gets what the screen shows: hostile characters visible there too. */
const shown = (text: string): string =>
  text
    .split('\n')
    .map((line) => visible(line, Infinity))
    .join('\n');

export const pagerCover = (theme: Theme, pager: Pager, state: State, readOnly: boolean): Cover => {
  const { size } = state;
  const lines = pagerLines(theme, pager.content, size.columns, state.now, readOnly);
  const height = pageHeight(size);
  const top = Math.max(0, Math.min(pager.top, lines.length - height));
  const end = Math.min(lines.length, top + height);
  const place = lines.length > height ? `${top + 1}-${end} of ${grouped(lines.length)}` : 'all';
  // Set for what the page was opened for, before anything was looked for: as it stands there, in its own quotes.
  const waits = pager.hit === undefined && !pager.typing;
  const found = pager.search === '' ? '' : `${waits ? `n finds ${pager.search}` : `"${pager.search}"`} · `;
  const page = lines
    .slice(top, end)
    .map((line, index) =>
      top + index === pager.hit && pager.search !== ''
        ? cell(theme, plainOf(line), size.columns, 'inverse')
        : line,
    );
  return {
    left: 0,
    top: 0,
    width: size.columns,
    height: size.rows - 1,
    lines: [
      ruleLine(theme, pager.title, { text: `${found}${place}`, style: 'dim' }, size.columns, true),
      ...filled(page, size.columns, height),
    ],
  };
};
