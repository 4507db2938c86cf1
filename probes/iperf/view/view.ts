import type { Judgement } from '../../../src/model/system.ts';
import type { PaneView, TextBlock } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import { clockAnswers, clockTimes } from '../sweep/clock.ts';
import { allRuns, flowsOf, runsReading } from '../judge/pairs.ts';
import { sweepConclusion, sweepOf, type SweepState } from '../sweep/state.ts';
import { grid } from './grid.ts';
import { hostsTable } from './hosts.ts';
import { pairsTable } from './pairs.ts';
import { runningTable } from './running.ts';

/** The pane: tests under way, the matrix, every direction with its verdict. */
export const view = (judgement: Judgement): PaneView => {
  const hosts = judgement.site.hostsWithRole('iperf');
  const unread = hosts.filter(({ name }) => runsReading(judgement.readings, name) === undefined);
  const flows = flowsOf(judgement);
  const fine = flows.filter(({ verdict }) => verdict.sign === 'fine').length;
  const running = allRuns(judgement).filter(({ status }) => status === 'running');
  const unknown = hosts.length > 0 && unread.length === hosts.length;
  const sweep = sweepOf(judgement);
  const empty = unknown
    ? 'not known: no host was read yet'
    : 'no test was run yet: the actions of a row of "Pairs" hold one';
  return {
    summary: unknown
      ? 'results not known'
      : [
          count(flows.length, 'pair'),
          ...(fine < flows.length ? [`${flows.length - fine} not fine`] : []),
          ...(running.length > 0 ? [`${count(running.length, 'test')} running`] : []),
          ...(sweep?.state === 'running' ? [`sweep of ${sweep.hosts.length} hosts`] : []),
          ...(unread.length > 0 ? [`${count(unread.length, 'host')} not read`] : []),
        ].join(', '),
    sign: unknown
      ? 'unknown'
      : flows.some(({ verdict }) => verdict.sign === 'warning')
        ? 'warning'
        : unread.length > 0
          ? 'unknown'
          : 'fine',
    wall: unknown ? 'not known' : flows.length === 0 ? 'no tests' : `${fine}/${flows.length} pairs`,
    blocks: [
      ...(running.length > 0 || sweep?.state === 'running' ? [runningTable(judgement, sweep)] : []),
      grid(flows, empty, judgement.now),
      pairsTable(judgement, empty),
      hostsTable(judgement),
      ...(sweep && sweep.state !== 'running' ? [sweepText(sweep)] : []),
      ...clockText(judgement),
    ],
  };
};

const sweepText = (sweep: SweepState): TextBlock => ({
  type: 'text',
  id: 'sweep',
  title: `Last sweep, ${count(sweep.hosts.length, 'host')}`,
  lines: [{ text: sweepConclusion(sweep), age: sweep.startedAt }],
});

/** When the site file lets sweeps run, and what the hosts said the last time. */
const clockText = (judgement: Judgement): TextBlock[] => {
  const times = clockTimes(judgement.site);
  const answers = clockAnswers(judgement).map(({ text, at }) => ({ text, age: at }));
  return times.length === 0
    ? []
    : [
        {
          type: 'text',
          id: 'clock',
          title: `Sweeps by the clock, on idle hosts: ${times.join(', ')}`,
          lines: answers.length > 0 ? answers : [{ text: 'not run yet by this console' }],
        },
      ];
};
