import type { RunView, StepState } from '../../src/model/run.ts';
import { age, clock } from '../../src/text/ages.ts';
import { visible } from '../../src/text/safe.ts';
import { wrap } from '../../src/text/width.ts';
import { errorText, patch, type Context } from '../context.ts';
import { hintsOf, lookup } from '../keys.ts';
import type { Data } from '../mirror.ts';
import { blank, cell, joined, safeWidth, type Painted } from '../paint.ts';
import type { Size } from '../state.ts';
import type { Style, Theme } from '../theme.ts';
import type { Token } from '../tokens.ts';
import type { RunBox } from '../ui.ts';
import { heldHints, heldLines, pressHeld } from './held.ts';
import { boxed, hintLine, innerWidth, type Cover } from './box.ts';

const runOf = (data: Data, id: string): RunView | undefined => data.runs.find((run) => run.id === id);

/** Runs that have no outcome yet. */
export const openRuns = (data: Data): readonly RunView[] =>
  data.runs.filter((run) => run.state === 'running');

export const pressRun = (context: Context, box: RunBox, token: Token): void => {
  const does = lookup('run', token.name);
  const { live, size } = context.state();
  const hold = runOf(live, box.run)?.hold;
  if (hold?.state === 'waiting' && pressHeld(context, box, hold, token)) return;
  const page = Math.max(1, size.rows - 10);
  const moves: Readonly<Record<string, number>> = { up: -1, down: 1, pageUp: -page, pageDown: page };
  const by = does === undefined ? undefined : moves[does];
  if (by !== undefined) patch(context, box, { top: Math.max(0, box.top + by) });
  if (does === 'output') patch(context, box, { output: !box.output, top: 0 });
  if (does === 'stop' && runOf(live, box.run)?.state === 'running') stopRun(context, box);
  if (does !== 'cancel') return;
  context.replace(box, undefined);
  if (runOf(live, box.run)?.state === 'running')
    context.toast('the run goes on; its result is in the audit log (L)');
};

const stopRun = (context: Context, box: RunBox): void => {
  patch(context, box, { stopping: true });
  context.ports.mirror
    .request('stop', { run: box.run })
    .catch((error: unknown) => context.toast(`not stopped: ${errorText(error)}`, 'critical'));
};

const stepStyles: Record<StepState, Style> = {
  waiting: 'dim',
  checking: 'plain',
  sent: 'plain',
  'reading back': 'plain',
  held: 'warning',
  verified: 'good',
  nothing: 'dim',
  undone: 'warning',
  refused: 'warning',
  failed: 'critical',
  unknown: 'critical',
  'not reached': 'dim',
};

const stepSigns: Record<StepState, string> = {
  waiting: ' ',
  checking: '·',
  sent: '·',
  'reading back': '·',
  held: '!',
  verified: '✓',
  nothing: '✓',
  undone: '!',
  refused: '!',
  failed: '✖',
  unknown: '?',
  'not reached': '-',
};

const results: Record<Exclude<RunView['state'], 'running'>, { text: string; style: Style }> = {
  done: { text: '✓ done, verified by reading it again', style: 'good' },
  nothing: { text: '✓ nothing to do: it is already so', style: 'good' },
  undone: { text: '! undone: it is as it was before', style: 'warning' },
  failed: { text: '✖ failed', style: 'critical' },
  refused: { text: '! refused', style: 'warning' },
  unknown: { text: '? UNKNOWN: what is true now could not be read', style: 'critical' },
};

const seconds = (ms: number): string => (ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** What is waited for comes of itself: how long it still has, before the words, which may be cut. */
const countdown = (endsAt: number | undefined, now: number): string => {
  if (endsAt === undefined) return '';
  const left = Math.ceil((endsAt - now) / 1000);
  return left > 0 ? `${left} s left, by ${clock(endsAt)}: ` : `its time was over at ${clock(endsAt)}: `;
};

const targetLines = (
  theme: Theme,
  run: RunView,
  output: boolean,
  now: number,
  width: number,
): readonly Painted[] => {
  const names = Math.min(30, Math.max(4, ...run.targets.map((target) => safeWidth(target.id))));
  return run.targets.flatMap((target) => {
    const took = target.ms === undefined ? '' : ` ${seconds(target.ms)}`;
    const style = stepStyles[target.state];
    const line = joined(
      cell(theme, `${stepSigns[target.state]} `, 2, style),
      cell(theme, target.id, names),
      blank(2),
      cell(theme, `${target.state}${took}`, 18, style),
      cell(theme, countdown(target.endsAt, now) + target.text, Math.max(0, width - names - 22)),
    );
    const shown = output && target.output !== undefined ? target.output.split('\n') : [];
    return [line, ...shown.map((text) => cell(theme, `      ${text}`, width, 'dim'))];
  });
};

/** One sentence of what is true, however the run ended, also when the collector died meanwhile. */
const resultLines = (theme: Theme, run: RunView | undefined, data: Data, now: number, width: number) => {
  const say = (text: string, style: Style): readonly Painted[] =>
    wrap(visible(text), width).map((line) => cell(theme, line, width, style));
  if (data.collector.state === 'stopped' && !run)
    return say(
      '? UNKNOWN: the collector stopped before it said anything of the run; see the audit log',
      'critical',
    );
  if (!run) return say('starting ...', 'dim');
  if (run.hold) return [];
  if (run.state === 'running') return say(run.result ?? `running for ${age(now - run.startedAt)}`, 'bold');
  const result = results[run.state];
  return [...say(result.text, result.style), ...(run.result === undefined ? [] : say(run.result, 'plain'))];
};

export const runCover = (theme: Theme, box: RunBox, data: Data, size: Size, now: number): Cover => {
  const width = innerWidth(size);
  const run = runOf(data, box.run);
  const targets = run ? targetLines(theme, run, box.output, now, width) : [];
  const held = run?.hold ? heldLines(theme, run.hold, box, width) : [];
  const result = [...held, ...resultLines(theme, run, data, now, width)];
  const height = Math.max(1, Math.min(targets.length, size.rows - 8 - result.length));
  const top = Math.min(box.top, Math.max(0, targets.length - height));
  const hidden = targets.length - top - height;
  const waiting = run?.hold?.state === 'waiting';
  const hints = waiting
    ? heldHints
    : hintsOf('run', false)
        .filter((hint) => hint.key !== 'x' || (run?.state === 'running' && !run.left && !box.stopping))
        .map((hint) => [hint.key, hint.text] as const);
  const stopping = box.stopping && run?.state === 'running' ? 'stopping before the next target' : '';
  const lines = [
    ...targets.slice(top, top + height),
    cell(theme, hidden > 0 ? `${hidden} more below (↓)` : stopping, width, 'dim'),
    ...result,
    blank(width),
    hintLine(theme, hints, width),
  ];
  return boxed(theme, run?.title ?? box.title, lines, width, size);
};
