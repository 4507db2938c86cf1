import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell, FactsBlock } from '../../../src/model/view.ts';
import { age, clockTime } from '../../../src/text/ages.ts';
import { adviceFor } from '../judge/advice.ts';
import { checkOf } from '../judge/checks.ts';
import { clusterOf, hostOf, jobsOn } from '../judge/cluster.ts';
import { jobLine } from '../judge/find-draining.ts';
import { drainsIn, oftenMs } from '../judge/find-often.ts';
import { ownerOf, ownerWord } from '../judge/ownership.ts';
import { plansOf } from '../judge/planned.ts';
import type { AliveReading, SlurmNode } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { nodeSeries, reasonSeries } from '../judge/track.ts';
import { stateWord, troubleOf } from '../judge/trouble.ts';

/** A node: facts with their sources, jobs, what to make of its reason, and what happened to it before. */
export const nodeDetail = (node: SlurmNode, judgement: Judgement): Block[] => [
  factsOf(node, judgement),
  ...jobsOf(node, judgement),
  ...adviceBlock(node),
  historyOf(node, judgement),
];

const factsOf = (node: SlurmNode, judgement: Judgement): FactsBlock => {
  const source = clusterOf(judgement.readings)?.source;
  const from = source?.host ?? '';
  const list: { name: string; cell: Cell; source?: string }[] = [];
  const add = (name: string, cell: Cell | undefined, at = from): void => {
    if (cell !== undefined && (cell.text !== '' || cell.age !== undefined))
      list.push({ name, cell, source: at });
  };
  const owner = ownerOf(node, settingsOf(judgement.site));
  const until = plansOf(judgement).get(node.name)?.until;
  add('state', { text: stateWord(node) });
  add('reason', { text: node.reason ?? '' });
  if (node.reason !== undefined) add('set by', { text: ownerLine(node.reasonUser, ownerWord(owner)) });
  if (node.reasonAt !== undefined)
    add('since', { text: clockTime(node.reasonAt, judgement.now), age: node.reasonAt });
  add('after reboot', { text: node.nextState ?? '' });
  add('partitions', { text: node.partitions.join(', ') });
  add('reservation', { text: node.reservation ?? '' });
  if (until !== undefined) add('maintenance until', { text: clockTime(until, judgement.now) });
  add('slurmd', { text: node.version ?? '' });
  if (node.bootAt !== undefined)
    add('booted', { text: clockTime(node.bootAt, judgement.now), age: node.bootAt });
  addHost(node, judgement, add);
  return { type: 'facts', id: 'node', facts: list };
};

const ownerLine = (user: string | undefined, word: string): string =>
  user === undefined || user === word ? word : `${user} (${word})`;

/** What the node itself and our connection to it say. */
const addHost = (
  node: SlurmNode,
  judgement: Judgement,
  add: (name: string, cell: Cell | undefined, at?: string) => void,
): void => {
  const { readings, site, connections } = judgement;
  const host = hostOf(site, node.name);
  if (host === undefined) {
    add('host', { text: 'not in the site file', sign: 'unknown' });
    return;
  }
  const check = checkOf(node, judgement);
  if (check.state === 'pass') add('check', { text: 'passes', sign: 'fine', age: check.at }, host);
  if (check.state === 'fail')
    add('check', { text: `fails: ${check.text}`, sign: 'warning', age: check.at }, host);
  if (check.state === 'unknown' && troubleOf(node)) add('check', { text: check.text, sign: 'unknown' }, host);
  const alive = readings.source<AliveReading>('slurm.alive', host);
  if (alive?.good) add('up', { text: age(alive.good.value.uptimeS * 1000), age: alive.good.at }, host);
  const connection = connections.get(host);
  if (connection?.failure) add('connection', { text: connection.failure.message, sign: 'warning' }, host);
  const location = Object.entries(site.host(host)?.location ?? {});
  add('location', { text: location.map(([name, value]) => `${name} ${value}`).join(', ') }, 'site file');
};

const jobsOf = (node: SlurmNode, { readings, now }: Judgement): Block[] => {
  const jobs = jobsOn(readings).get(node.name) ?? [];
  if (jobs.length === 0) return [];
  return [
    { type: 'text', id: 'jobs', title: 'Jobs', lines: jobs.map((job) => ({ text: jobLine(job, now) })) },
  ];
};

const adviceBlock = (node: SlurmNode): Block[] => {
  const advice = adviceFor(node.reason);
  return advice ? [{ type: 'text', id: 'advice', title: 'Advice', lines: [{ text: advice.text }] }] : [];
};

/** `drained 4 times in 14 days`, then every change of its state, newest first. */
const historyOf = (node: SlurmNode, { history, now }: Judgement): Block => {
  const states = history.changes(nodeSeries(node.name), now - oftenMs);
  const reasons = history.changes(reasonSeries(node.name), now - oftenMs);
  const drains = drainsIn(states).length;
  const lines = [...states, ...reasons]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, 20)
    .map((point): Cell => ({ text: `${clockTime(point.at, now)}  ${point.value}`, age: point.at }));
  const times = drains === 1 ? 'once' : `${drains} times`;
  return {
    type: 'text',
    id: 'history',
    title: drains === 0 ? 'History: not drained in 14 days' : `History: drained ${times} in 14 days`,
    lines: lines.length > 0 ? lines : [{ text: 'no change seen by this console' }],
  };
};
