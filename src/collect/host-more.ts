import type { LogEntry } from '../model/run.ts';
import type { Subject } from '../model/subject.ts';
import type { Block } from '../model/view.ts';
import type { MenuEntry } from '../model/wire.ts';
import { textOf } from '../model/words.ts';
import { clock as clockText, clockTime } from '../text/ages.ts';
import type { Collector } from './collector.ts';
import { menuBlock, notesBlock } from './detail-blocks.ts';
import { timeline } from './timeline.ts';
import { hostOf, namesOf } from './topology.ts';

/** History shown on a host's page, ms. */
const LOOK_BACK = 24 * 3_600_000;
const MOST = 30;

const subjectsOf = (host: string): readonly Subject[] => [
  { kind: 'host', id: host },
  { kind: 'node', id: host },
];

/** Findings that are about this host or about something on it. */
export const hostFindings = ({ findings }: Pick<Collector, 'findings'>, host: string): readonly Block[] => {
  const own = findings().filter((one) => namesOf(one).has(host));
  if (own.length === 0) return [];
  return [
    {
      type: 'text',
      id: 'findings',
      title: 'Findings',
      lines: own.map(({ summary, severity, system }) => ({
        text: `${system}: ${textOf(summary)}`,
        sign: severity,
      })),
    },
  ];
};

/** Jobs and users on it, as the scheduler says. */
export const hostJobs = (collector: Pick<Collector, 'judgement'>, host: string): readonly Block[] => {
  const { facts } = collector.judgement();
  const busy = subjectsOf(host).flatMap((subject) => facts.find('node.busy', subject) ?? []);
  const jobs = [...new Set(busy.flatMap(({ value }) => value.jobs))];
  const users = [...new Set(busy.flatMap(({ value }) => value.users))];
  if (jobs.length === 0) return [];
  return [
    {
      type: 'facts',
      id: 'jobs',
      title: 'Jobs here',
      facts: [
        { name: 'jobs', cell: { text: jobs.slice(0, MOST).join(', ') } },
        { name: 'users', cell: { text: users.join(', ') } },
      ],
    },
  ];
};

/** What can be done now, notes, what changed in a day, what was done to it. */
export const hostNight = (
  collector: Collector,
  host: string,
  entries: readonly LogEntry[],
  menu: readonly MenuEntry[],
): readonly Block[] => {
  const { clock, history, shared } = collector;
  const now = clock.now();
  const since = now - LOOK_BACK;
  const changes = timeline({
    since,
    now,
    findings: [],
    events: [],
    entries: entries.filter(
      ({ on, targets }) => hostOf(on) === host || targets.some(({ subject }) => hostOf(subject.id) === host),
    ),
    history: {
      changes: history.changes,
      listChanged: (prefix, from) =>
        history.listChanged(prefix, from).filter(({ series }) => series.split(/[/:]/).includes(host)),
    },
  }).slice(0, MOST);
  const notes = notesBlock(
    collector,
    shared?.notes
      .listAll()
      .map(({ subject }) => subject)
      .filter(({ id }) => hostOf(id) === host)
      .filter(isFirstOfSubject) ?? [],
  );
  return [
    ...menuBlock(menu),
    ...notes,
    {
      type: 'text',
      id: 'history',
      title: 'Last 24 hours',
      lines:
        changes.length === 0
          ? [{ text: 'no change was seen' }]
          : changes.map(({ at, what, who, text }) => ({
              text: `${clockTime(at, now) === clockText(at).slice(0, 5) ? clockText(at) : clockTime(at, now)} ${what}${who === undefined ? '' : ` by ${who}`}: ${text}`,
            })),
    },
  ];
};

/** The first of each subject. */
const isFirstOfSubject = (subject: Subject, index: number, all: readonly Subject[]): boolean =>
  all.findIndex((one) => one.kind === subject.kind && one.id === subject.id) === index;
