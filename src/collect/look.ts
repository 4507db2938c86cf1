import type { Fact } from '../model/fact.ts';
import type { RankedFinding } from '../model/finding.ts';
import type { Told } from '../model/site.ts';
import type { Block } from '../model/view.ts';
import type { Requests, RunningJob } from '../model/wire.ts';
import { textOf } from '../model/words.ts';
import { compareByName, fold } from '../text/nodeset.ts';
import { toldGroups } from '../text/told-groups.ts';
import { count } from '../text/units.ts';
import type { Collector } from './collector.ts';
import { namesOf } from './topology.ts';

type Busy = Extract<Fact, { name: 'node.busy' }>;

/** Where a job or a user's jobs run, and what is wrong there. */
export const lookFor = (
  collector: Pick<Collector, 'judgement' | 'findings'>,
  { job, user = '' }: Requests['look']['in'],
): readonly Block[] => {
  const all = collector.judgement().facts.list('node.busy');
  const isIt = ({ value }: Busy): boolean =>
    job === undefined
      ? value.users.includes(user)
      : value.jobs.some((id) => id === job || id.startsWith(`${job}_`));
  const busy = all.filter(isIt).toSorted((a, b) => compareByName(a.subject.id, b.subject.id));
  const name = job === undefined ? `user ${user}` : `job ${job}`;
  if (busy.length === 0) {
    const text =
      all.length === 0
        ? 'which jobs run where is not known (yet)'
        : `${name} runs on none of the ${count(all.length, 'node')} of which the jobs were read`;
    return [{ type: 'text', id: 'look', title: name, lines: [{ text, sign: 'unknown' }] }];
  }
  const nodes = busy.map(({ subject }) => subject.id);
  const hurting = collector.findings().filter((finding) => {
    const names = namesOf(finding);
    const hurtsUser = job === undefined && finding.hurt.users?.includes(user);
    return hurtsUser || nodes.some((node) => names.has(node));
  });
  const users = [...new Set(busy.flatMap(({ value }) => value.users))].sort();
  const facts = [
    { name: 'nodes', cell: { text: `${fold(nodes)} (${nodes.length})` } },
    { name: 'users there', cell: { text: users.join(', ') } },
  ];
  return [{ type: 'facts', id: 'look', title: name, facts }, hurtingBlock(hurting), nodesBlock(busy)];
};

/** Jobs that run where that is known, each with its nodes. */
export const runningJobs = (collector: Pick<Collector, 'judgement'>): readonly RunningJob[] => {
  const nodes = new Map<string, string[]>();
  for (const { subject, value } of collector.judgement().facts.list('node.busy'))
    for (const id of value.jobs) nodes.set(id, [...(nodes.get(id) ?? []), subject.id]);
  return [...nodes]
    .map(([id, on]) => ({ id, nodes: on.toSorted(compareByName) }))
    .toSorted((a, b) => compareByName(a.id, b.id));
};

const hurtingBlock = (hurting: readonly RankedFinding[]): Block => ({
  type: 'text',
  id: 'hurting',
  title: 'What is wrong there',
  lines:
    hurting.length === 0
      ? [{ text: 'no finding is about these nodes', sign: 'fine' }]
      : hurting.map(({ summary, severity, system }) => ({
          text: `${system}: ${textOf(summary)}`,
          sign: severity,
        })),
});

const nodesBlock = (busy: readonly Busy[]): Block => ({
  type: 'table',
  id: 'nodes',
  columns: [
    { id: 'node', title: 'NODE', min: 10 },
    { id: 'jobs', title: 'JOBS', min: 10, grow: 1 },
    { id: 'users', title: 'USERS', min: 10, grow: 1 },
  ],
  empty: '',
  rows: busy.map(({ subject, value }) => ({
    key: subject.id,
    subject,
    cells: {
      node: { text: subject.id },
      jobs: { text: value.jobs.join(', ') },
      users: { text: value.users.join(', ') },
    },
  })),
});

/** The names of a set with the groups of systems as they were read last. */
export const expandNow = (
  { site, judgement, systems }: Pick<Collector, 'site' | 'judgement' | 'systems'>,
  set: string,
): Requests['expand']['out'] => {
  const told = toldGroups(judgement().facts);
  const later = (group: string): Told | undefined => {
    const teller = systems.find(({ id, groups }) => groups !== undefined && group.startsWith(`${id}:`));
    return teller && { later: teller.title };
  };
  try {
    return { names: site.expand(set, (group) => told(group) ?? later(group)) };
  } catch (error) {
    if (error instanceof RangeError) return { why: error.message };
    throw error;
  }
};
