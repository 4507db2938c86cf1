import type { RunView, StepState } from '../../../src/model/run.ts';
import { age, clock } from '../../../src/text/ages.ts';
import { patch, toastError, type Context } from '../../context.ts';
import { defineKeys, hintsOf, keyFor, runKey } from '../../keys.ts';
import type { Data } from '../../mirror.ts';
import { blank, cell, joinPieces, paintWrapped, safeWidth, type Painted } from '../../paint.ts';
import type { Style, Theme } from '../../theme.ts';
import type { RunBox } from '../../overlays.ts';
import { type Dialog, drawBox, hintLine, innerWidth } from '../dialog.ts';
import { heldHints, heldLines, pressHeld } from './held.ts';

const keys = defineKeys([
  {
    keys: ['x'],
    does: 'stop',
    text: 'stop before the next target',
    hint: 'stop before the next target',
  },
  { keys: ['o'], does: 'output', text: 'show or hide the output', hint: 'output' },
  { keys: ['U'], does: 'restore', text: 'while a change is held: undo it now (twice)' },
  { keys: ['Up', 'k'], does: 'up', text: 'scroll up' },
  { keys: ['Down', 'j'], does: 'down', text: 'scroll down' },
  { keys: ['PgUp'], does: 'pageUp', text: 'a page up' },
  { keys: ['PgDn'], does: 'pageDown', text: 'a page down' },
  {
    keys: ['Esc', 'Enter', 'q'],
    does: 'cancel',
    text: 'close; a run goes on',
    hint: 'close',
    shown: 'Esc',
  },
]);

const runOf = (data: Data, id: string): RunView | undefined => data.runs.find((run) => run.id === id);

/** Runs that have no outcome yet. */
export const openRuns = (data: Data): readonly RunView[] =>
  data.runs.filter((run) => run.state === 'running');

export const openRun = (context: Context, { id, title }: Pick<RunView, 'id' | 'title'>): void =>
  context.push(runBox(id, title));

export const runBox = (run: string, title: string): RunBox => ({
  kind: 'run',
  run,
  title,
  top: 0,
  output: false,
  stopping: false,
});

export const requestStop = (context: Context, run: string): void =>
  void context.ports.mirror.request('stop', { run }).catch(toastError(context, 'not stopped', 'critical'));

const stopRun = (context: Context, box: RunBox): void => {
  patch(context, box, { stopping: true });
  requestStop(context, box.run);
};

/** How the state of a step is drawn: its sign and its style. */
const steps: Record<StepState, readonly [sign: string, style: Style]> = {
  waiting: [' ', 'dim'],
  checking: ['·', 'plain'],
  sent: ['·', 'plain'],
  'reading back': ['·', 'plain'],
  held: ['!', 'warning'],
  verified: ['✓', 'good'],
  nothing: ['✓', 'dim'],
  undone: ['!', 'warning'],
  refused: ['!', 'warning'],
  failed: ['✖', 'critical'],
  unknown: ['?', 'critical'],
  'not reached': ['-', 'dim'],
};

const results: Record<Exclude<RunView['state'], 'running'>, { text: string; style: Style }> = {
  done: { text: '✓ done, verified by reading it again', style: 'good' },
  nothing: { text: '✓ nothing to do: already in the wanted state', style: 'good' },
  undone: { text: '! undone: back in the state of before', style: 'warning' },
  failed: { text: '✖ failed', style: 'critical' },
  refused: { text: '! refused', style: 'warning' },
  unknown: { text: '? UNKNOWN: what is true now could not be read', style: 'critical' },
};

/** Read again, and not over: a drain whose jobs still run. */
const begun = { text: '· begun, verified by reading it again; it goes on', style: 'warning' } as const;

const tookText = (ms: number | undefined): string => {
  if (ms === undefined) return '';
  return ms < 100 ? ` ${Math.round(ms)} ms` : ` ${(ms / 1000).toFixed(1)} s`;
};

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
    const [sign, style] = steps[target.state];
    const line = joinPieces(
      cell(theme, `${sign} `, 2, style),
      cell(theme, target.id, names),
      blank(2),
      cell(theme, `${target.state}${tookText(target.ms)}`, 18, style),
      cell(theme, countdown(target.endsAt, now) + target.text, Math.max(0, width - names - 22)),
    );
    const shown = output && target.output !== undefined ? target.output.split('\n') : [];
    return [line, ...shown.map((text) => cell(theme, `      ${text}`, width, 'dim'))];
  });
};

/** One sentence of what is true, however the run ended, also when the collector died meanwhile. */
const resultLines = (theme: Theme, run: RunView | undefined, data: Data, now: number, width: number) => {
  const say = (text: string, style: Style): readonly Painted[] => paintWrapped(theme, text, width, style);
  if (data.collector.state === 'stopped' && !run)
    return say(
      '? UNKNOWN: the collector stopped before it reported on the run; see the audit log',
      'critical',
    );
  if (!run) return say('starting ...', 'dim');
  if (run.hold) return [];
  if (run.state === 'running') return say(run.result ?? `running for ${age(now - run.startedAt)}`, 'bold');
  const result = run.state === 'done' && run.goesOn ? begun : results[run.state];
  return [...say(result.text, result.style), ...(run.result === undefined ? [] : say(run.result, 'plain'))];
};

export const runDialog: Dialog<RunBox> = {
  keys,
  press: (context, box, token) => {
    const { live, size } = context.state();
    const run = runOf(live, box.run);
    if (run?.hold?.state === 'waiting' && pressHeld(context, box, run.hold, token)) return;
    const running = run?.state === 'running';
    const page = Math.max(1, size.rows - 10);
    const scroll = (by: number): void => void patch(context, box, { top: Math.max(0, box.top + by) });
    const handlers = {
      up: () => scroll(-1),
      down: () => scroll(1),
      pageUp: () => scroll(-page),
      pageDown: () => scroll(page),
      output: () => patch(context, box, { output: !box.output, top: 0 }),
      stop: () => running && stopRun(context, box),
      // Of a held change only, whose keys come first.
      restore: () => undefined,
      cancel: () => {
        context.replace(box, undefined);
        if (running)
          context.toast(
            `the run goes on; its result is in the audit log (${keyFor(context.keys('board'), 'audit')})`,
          );
      },
    };
    runKey(keys, handlers, token.name);
  },
  draw: ({ ports: { theme }, state }, box) => {
    const { live, size, now } = state();
    const width = innerWidth(size);
    const run = runOf(live, box.run);
    const targets = run ? targetLines(theme, run, box.output, now, width) : [];
    const held = run?.hold ? heldLines(theme, run.hold, box, width) : [];
    const result = [...held, ...resultLines(theme, run, live, now, width)];
    const height = Math.max(1, Math.min(targets.length, size.rows - 8 - result.length));
    const top = Math.min(box.top, Math.max(0, targets.length - height));
    const hidden = targets.length - top - height;
    const canStop = run?.state === 'running' && !run.left && !box.stopping;
    const hints =
      run?.hold?.state === 'waiting'
        ? heldHints
        : hintsOf(keys.filter(({ does }) => does !== 'stop' || canStop));
    const stopping = box.stopping && run?.state === 'running' ? 'stopping before the next target' : '';
    const lines = [
      ...targets.slice(top, top + height),
      cell(theme, hidden > 0 ? `${hidden} more below (↓)` : stopping, width, 'dim'),
      ...result,
      blank(width),
      hintLine(theme, hints, width),
    ];
    return drawBox(theme, run?.title ?? box.title, lines, width, size);
  },
};
