import type { Block } from '../model/view.ts';
import { textOf } from '../model/words.ts';
import { byName, fold } from '../text/nodeset.ts';
import { count } from '../text/units.ts';
import type { Collector } from './collector.ts';
import { namesOf } from './topology.ts';

/** Where a job or a user's jobs run, and what is wrong there. */
export const look = (
  collector: Pick<Collector, 'judgement' | 'findings'>,
  wanted: { job: string } | { user: string },
): readonly Block[] => {
  const all = collector.judgement().facts.all('node.busy');
  const isIt = ({ value }: (typeof all)[number]): boolean =>
    'user' in wanted
      ? value.users.includes(wanted.user)
      : value.jobs.some((job) => job === wanted.job || job.startsWith(`${wanted.job}_`));
  const found = all.filter(isIt);
  const name = 'user' in wanted ? `user ${wanted.user}` : `job ${wanted.job}`;
  if (found.length === 0) {
    const text =
      all.length === 0
        ? 'which jobs run where is not known (yet)'
        : `${name} runs on none of the ${count(all.length, 'node')} of which the jobs were read`;
    return [{ type: 'text', id: 'look', title: name, lines: [{ text, sign: 'unknown' }] }];
  }
  const nodes = found.map(({ subject }) => subject.id).sort(byName);
  const hurting = collector.findings().filter((one) => {
    const names = namesOf(one);
    return (
      nodes.some((node) => names.has(node)) || ('user' in wanted && one.hurt.users?.includes(wanted.user))
    );
  });
  return [
    {
      type: 'facts',
      id: 'look',
      title: name,
      facts: [
        { name: 'nodes', cell: { text: `${fold(nodes)} (${nodes.length})` } },
        {
          name: 'users there',
          cell: { text: [...new Set(found.flatMap(({ value }) => value.users))].sort().join(', ') },
        },
      ],
    },
    {
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
    },
    {
      type: 'table',
      id: 'nodes',
      columns: [
        { id: 'node', title: 'NODE', min: 10 },
        { id: 'jobs', title: 'JOBS', min: 10, grow: 1 },
        { id: 'users', title: 'USERS', min: 10, grow: 1 },
      ],
      empty: '',
      rows: found
        .toSorted((a, b) => byName(a.subject.id, b.subject.id))
        .map(({ subject, value }) => ({
          key: subject.id,
          subject,
          cells: {
            node: { text: subject.id },
            jobs: { text: value.jobs.join(', ') },
            users: { text: value.users.join(', ') },
          },
        })),
    },
  ];
};
