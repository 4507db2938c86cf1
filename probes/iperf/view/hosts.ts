import type { Judgement } from '../../../src/model/system.ts';
import type { Row, TableBlock } from '../../../src/model/view.ts';
import { crowdedText, queuesText } from '../judge/host-facts.ts';
import { factsOf, toolsOf } from '../judge/pairs.ts';

/** Every host that can be tested: by it a first test, a sweep or a cure is reached. */
export const hostsTable = (judgement: Judgement): TableBlock => ({
  type: 'table',
  id: 'hosts',
  title: 'Hosts',
  columns: [
    { id: 'host', title: 'HOST', min: 10 },
    { id: 'tools', title: 'TOOLS', min: 16, grow: 2 },
    { id: 'nic', title: 'NIC', min: 14 },
    { id: 'kernel', title: 'KERNEL', min: 12, grow: 1, drop: 2 },
    { id: 'queues', title: 'INTERRUPTS', min: 18, grow: 1, drop: 1 },
    { id: 'load', title: 'LOAD', align: 'right', min: 6, drop: 3 },
  ],
  rows: [
    ...allRow(judgement),
    ...judgement.site.hostsWithRole('iperf').map(({ name }) => hostRow(name, judgement)),
  ],
  empty: 'the site file has no host with the role iperf',
});

/** What is done to all of them together: a sweep. */
const allRow = ({ site }: Judgement): Row[] => {
  const count = site.hostsWithRole('iperf').length;
  return count < 3
    ? []
    : [
        {
          key: 'all hosts',
          subject: { kind: 'site', id: site.name },
          cells: {
            host: { text: `all ${count}`, sort: '' },
            tools: { text: 'to sweep for the slow one: actions' },
          },
        },
      ];
};

const hostRow = (name: string, judgement: Judgement): Row => {
  const facts = factsOf(judgement.readings, name);
  const tools = toolsOf(judgement.readings, name)?.good?.value.tools;
  const crowd = crowdedText(name, facts);
  return {
    key: name,
    subject: { kind: 'host', id: name },
    ...(crowd !== undefined && { sign: 'notice' as const }),
    cells: {
      host: { text: name },
      tools: tools
        ? {
            text: tools.map(({ tool, version }) => `${tool} ${version}`).join(', ') || 'none',
            ...(tools.length === 0 && { sign: 'warning' as const }),
          }
        : { text: 'not read', sign: 'unknown' },
      nic: {
        text: facts
          ? `${facts.nic}${facts.speedMbps === undefined ? '' : ` ${facts.speedMbps / 1000} G`}`
          : '',
      },
      kernel: { text: facts?.kernel ?? '' },
      queues: { text: facts ? queuesText(facts) : '' },
      load: { text: facts?.load === undefined ? '' : String(facts.load) },
    },
    sources: [
      { probe: 'iperf.facts', host: name },
      { probe: 'iperf.tools', host: name },
    ],
  };
};
