import type { RankedFinding } from '../model/finding.ts';
import type { History, Point } from '../model/reading.ts';
import type { LogEntry } from '../model/run.ts';
import type { Sign } from '../model/subject.ts';
import type { Block, Row } from '../model/view.ts';
import { textOf } from '../model/words.ts';
import { clock, clockTime } from '../text/ages.ts';
import { fold } from '../text/nodeset.ts';
import { count } from '../text/units.ts';
import { cut } from '../text/width.ts';
import { FINDING, KEEP, SUMMARY_OF } from './history-store.ts';
import type { SharedEvent } from './shared/events.ts';

/** One thing that happened. */
export interface Happened {
  at: number;
  /** `slurm`, `finding`, `note`, `audit`. */
  what: string;
  text: string;
  who?: string;
  sign?: Sign;
}

export interface TimelineParts {
  since: number;
  now: number;
  history: History;
  findings: readonly RankedFinding[];
  events: readonly SharedEvent[];
  entries: readonly LogEntry[];
}

/** Lines shown; a night that has more is read in slices. */
const MOST = 1000;
/** Changes of many nodes found by one poll are one line. */
const TOGETHER_MS = 3000;

/** Everything that changed since then, newest first: states, findings, what operators wrote and did. */
export const timeline = (parts: TimelineParts): readonly Happened[] =>
  [...states(parts), ...findings(parts), ...eventsOf(parts), ...runsOf(parts)].toSorted(
    (a, b) => b.at - a.at,
  );

interface Change {
  at: number;
  system: string;
  /** `node`, `state`: the series without the name in it. */
  kind: string;
  name: string;
  from: string;
  to: string;
}

/** `slurm/node/n17/state` is node n17 of slurm; the first value ever seen of a series is no change. */
const changesOf = (series: string, points: readonly Point[], since: number): Change[] => {
  const [system = '', kind = '', ...rest] = series.split('/');
  const last = rest.length > 1 ? (rest.at(-1) ?? '') : '';
  const name = (rest.length > 1 ? rest.slice(0, -1) : rest).join('/');
  return points.flatMap(({ at, value }, index): Change[] => {
    const before = points[index - 1];
    if (at < since || typeof value !== 'string' || typeof before?.value !== 'string') return [];
    const what = [kind, last === 'state' ? '' : last].filter(Boolean).join(' ');
    return [{ at, system, kind: what, name, from: before.value, to: value }];
  });
};

const states = ({ history, since }: TimelineParts): Happened[] => {
  const changes = history
    .listChanged('', since)
    .filter(
      ({ series, points }) =>
        !series.startsWith(FINDING) &&
        !series.startsWith(SUMMARY_OF) &&
        points.some(({ value }) => typeof value === 'string'),
    )
    .flatMap(({ series }) => changesOf(series, history.changes(series, since - KEEP), since));
  const alike = Map.groupBy(changes, (one) =>
    [one.system, one.kind, one.from, one.to, Math.floor(one.at / TOGETHER_MS)].join('\0'),
  );
  return [...alike.values()].map((group) => {
    const [first] = group;
    const names = fold(group.map(({ name }) => name));
    return {
      at: first?.at ?? 0,
      what: first?.system ?? '',
      text: `${first?.kind ?? ''} ${cut(names, 60)}: ${shownValue(first?.from)} → ${shownValue(first?.to)}${group.length > 1 ? ` (${group.length})` : ''}`,
    };
  });
};

const shownValue = (value: string | undefined): string =>
  value === undefined || value === '' ? 'nothing' : value;

const signs: ReadonlySet<unknown> = new Set<Sign>(['critical', 'warning', 'notice']);
const isSign = (value: unknown): value is Sign => signs.has(value);

const findings = ({ history, since, findings: known }: TimelineParts): Happened[] =>
  history.listChanged(FINDING, since).flatMap(({ series, points }) => {
    const id = series.slice(FINDING.length);
    const said = history.changes(SUMMARY_OF + id, since - KEEP).at(-1)?.value;
    const text = textOf(known.find((one) => one.id === id)?.summary) ?? String(said ?? id);
    return points.map(({ at, value }): Happened => ({
      at,
      what: 'finding',
      text: value === 'gone' ? `gone: ${text}` : text,
      ...(value === 'gone' ? { sign: 'fine' as const } : isSign(value) && { sign: value }),
    }));
  });

const eventsOf = ({ events, since, findings: known, now }: TimelineParts): Happened[] =>
  events.flatMap((event): Happened[] => {
    const { at, who } = event;
    if (at < since || event.kind === 'console') return [];
    if (event.kind === 'traffic') return [{ at, what: 'traffic', who, text: `${event.rule}, by the clock` }];
    if (event.kind === 'window') {
      const until = clockTime(event.until, now);
      return [{ at, what: 'planned', who, text: `${event.names}: "${event.text}", until ${until}` }];
    }
    if (event.kind === 'windowEnd') {
      const ended = events.find((one) => one.id === event.window);
      return [
        { at, what: 'planned', who, text: `ended: ${ended?.kind === 'window' ? ended.names : event.window}` },
      ];
    }
    if (!('finding' in event)) {
      const what = event.kind === 'repair' ? `repair${event.part ? ` (${event.part})` : ''}` : 'note';
      return [{ at, what, who, text: `${event.subject.kind} ${event.subject.id}: ${event.text}` }];
    }
    const about = textOf(known.find(({ id }) => id === event.finding)?.summary) ?? event.finding;
    return event.kind === 'ack'
      ? [{ at, what: 'ack', who, text: `${about}: "${event.text}", until ${clockTime(event.until, now)}` }]
      : [{ at, what: 'ack', who, text: `taken back: ${about}` }];
  });

/** A run is one line, at its begin; what was begun before and ended since is there, too. */
const runsOf = ({ entries, since }: TimelineParts): Happened[] =>
  entries
    .filter(({ endedAt }) => endedAt >= since)
    .map(({ at, operator, outcome, underWay, title, on, text, run, undone, targets }) => {
      const state = underWay ? 'under way' : outcome;
      const bad = outcome === 'failed' || outcome === 'unknown';
      const taken = undone === undefined ? '' : undone === 'whole' ? ', undone later' : ', undone in part';
      // The title of a run of one target names it.
      const what = on !== '' && targets.length !== 1 ? `${title} on ${on}` : title;
      return {
        at,
        what: run === undefined ? 'audit' : 'run',
        who: operator,
        text:
          [`${what}${state === undefined ? '' : `: ${state}`}${taken}`, text].filter(Boolean).join(': ') +
          (run === undefined ? '' : ` (${run})`),
        ...(bad && { sign: 'warning' as const }),
      };
    });

/** The timeline as a table. */
export const timelineBlocks = (
  happened: readonly Happened[],
  since: number,
  now: number,
): readonly Block[] => {
  const more = happened.length > MOST ? `, the newest ${MOST} of them` : '';
  const rows = happened.slice(0, MOST).map(({ at, what, who, text, sign }, index): Row => ({
    key: `${at} ${index}`,
    ...(sign && { sign }),
    cells: {
      at: { text: clock(at) },
      what: { text: what },
      who: { text: who ?? '' },
      text: { text },
    },
  }));
  return [
    {
      type: 'text',
      id: 'head',
      lines: [
        {
          text: `since ${clockTime(since, now)}, as of ${clock(now)}: ${count(happened.length, 'change')}${more}, newest first`,
        },
      ],
    },
    {
      type: 'table',
      id: 'timeline',
      columns: [
        { id: 'at', title: 'TIME', min: 8 },
        { id: 'what', title: 'WHAT', min: 8 },
        { id: 'who', title: 'BY', min: 8 },
        { id: 'text', title: '', min: 20, grow: 1 },
      ],
      rows,
      empty: 'nothing changed',
    },
  ];
};
