import type { LogEntry } from '../model/run.ts';
import type { Subject } from '../model/subject.ts';
import type { Block, Cell } from '../model/view.ts';
import type { Source } from '../model/reading.ts';
import type { MenuEntry } from '../model/wire.ts';
import type { Collector } from './collector.ts';
import { hostFindings, hostJobs, hostNight } from './host-more.ts';
import { runWithin } from './within-time.ts';

/** What every system and our own connection know of one host. Unknown hosts get a page that says so. */
export const hostPage = (
  collector: Collector,
  name: string,
  entries: readonly LogEntry[] = [],
  menu: readonly MenuEntry[] = [],
): readonly Block[] => {
  const { site, systems, store } = collector;
  const host = site.host(name) ?? site.host(site.resolve('host', name)?.id ?? '');
  if (!host) {
    return [
      { type: 'text', id: 'host', lines: [{ text: `${name} is not in the site file`, sign: 'unknown' }] },
    ];
  }
  const judgement = collector.judgement();
  const subjects: readonly Subject[] = [
    { kind: 'host', id: host.name },
    { kind: 'node', id: host.name },
  ];
  // A host that is a node as well may have the same page as both.
  const shown = new Set<string>();
  const pages = systems.flatMap((system) =>
    subjects
      .flatMap((subject) =>
        runWithin(() => system.detail(subject, judgement)).map((block) => ({
          ...block,
          id: `${system.id} ${subject.kind} ${block.id}`,
        })),
      )
      .filter((block) => {
        const text = JSON.stringify({ ...block, id: system.id });
        return !shown.has(text) && shown.add(text);
      }),
  );
  return [
    connectionBlock(collector, host.name),
    ...hostFindings(collector, host.name),
    ...hostJobs(collector, host.name),
    ...pages,
    ...hostNight(collector, host.name, entries, menu),
    sourcesBlock(store.listOnHost(host.name)),
  ];
};

const connectionBlock = (collector: Collector, name: string): Block => {
  const host = collector.site.host(name);
  const connection = collector.transports.connections().get(name);
  const state: Cell = connection
    ? {
        text: connection.failure?.message ?? connection.state,
        age: connection.since,
        sign: connection.state === 'down' ? 'warning' : connection.state === 'up' ? 'fine' : 'unknown',
      }
    : { text: 'not connected to yet', sign: 'unknown' };
  const facts = [
    { name: 'connection', cell: state },
    {
      name: 'transport',
      cell: { text: [connection?.kind ?? '-', ...(connection?.badges ?? [])].join(', ') },
    },
    { name: 'roles', cell: { text: host?.roles.join(', ') ?? '' } },
    { name: 'platform', cell: { text: host?.platform ?? '' } },
    ...Object.entries(host?.location ?? {}).map(([label, text]) => ({ name: label, cell: { text } })),
  ];
  return { type: 'facts', id: 'host', title: name, facts };
};

const sourcesBlock = (sources: readonly Source[]): Block => ({
  type: 'table',
  id: 'sources',
  title: 'what is asked here',
  columns: [
    { id: 'probe', title: 'PROBE', min: 16 },
    { id: 'state', title: 'STATE', min: 10 },
    { id: 'age', title: 'LAST GOOD', min: 9, align: 'right' },
    { id: 'ms', title: 'MS', min: 7, align: 'right' },
    { id: 'message', title: 'MESSAGE', min: 20, grow: 1 },
  ],
  empty: 'nothing is asked on this host',
  rows: sources.map((source) => ({
    key: source.probe,
    cells: {
      probe: { text: source.probe },
      state: { text: source.state, sign: signOf(source) },
      age: source.good ? { text: '', age: source.good.at } : { text: '-' },
      ms: { text: source.durations[0] === undefined ? '-' : String(Math.round(source.durations[0])) },
      message: { text: source.failure?.message ?? remarkOn(source) },
    },
    sources: [{ probe: source.probe, host: source.host }],
  })),
});

const remarkOn = ({ good, slowedToMs }: Source): string => {
  if (good?.sample) return `sampled by ${good.sample.by}`;
  return slowedToMs === undefined ? '' : 'slow: asked less often';
};

const signOf = ({ state }: Source): NonNullable<Cell['sign']> => {
  if (state === 'fresh') return 'fine';
  if (state === 'failed') return 'warning';
  return state === 'stale' ? 'stale' : 'unknown';
};
